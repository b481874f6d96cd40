"""All that follows the weights: one head closely, the mask, the formulas, the heads together."""

from __future__ import annotations

from ui.blocks.formulas import formulas
from ui.blocks.mask_picture import mask_picture
from ui.blocks.one_head import one_head
from ui.blocks.picture import explain_in_first_place
from ui.blocks.together import together
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.state import Session


def after_weights(session: Session) -> None:
    """One head, the mask, and what the heads make together."""
    _after_weights(session)
    explain_in_first_place(session, "heads")


@fragment
def _after_weights(session: Session) -> None:
    """A pick of a head and whatever opens or folds here run only this fragment."""
    leave_to_whole_page(session, "head", "unfolded", "folded")
    one_head(session)
    mask_picture(session)
    formulas(session)  # below all numbers of which an entry may bring another formula
    together(session)
    session.conversation.write_address()
