"""All that follows the weights: one head closely, the mask to draw, the heads together."""

from __future__ import annotations

import streamlit as st

from mha_core import Scenario
from ui.blocks.mask_picture import mask_picture
from ui.blocks.one_head import one_head
from ui.blocks.picture import outline
from ui.blocks.together import together
from ui.state import Session


def after_weights(session: Session) -> None:
    """One head, the mask, and what the heads make together."""
    _after_weights(session, session.scenario)


@st.fragment
def _after_weights(session: Session, of: Scenario) -> None:
    """A pick of a cell or of a head runs only this fragment."""
    if session.scenario is not of:
        st.rerun()
    one_head(session)
    mask_picture(session)
    together(session)
    outline(session, "together")
    session.write_address()
