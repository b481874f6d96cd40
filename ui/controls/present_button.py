"""The button that leads from a page to its presentation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mha_core.layer.trace import HEAD_STEPS, STEPS
from mha_core.scenario.given_arrays import GIVEN
from ui.plot import presenting
from ui.state import PARTS, Session

INTO: Final = "into"
TOGETHER: Final = "together"
LAST: Final = ("concat", "w_o", "b_o", "output")  # steps and given arrays of this part
VALUES: Final = {"v_heads", "v_normed"}  # with weights in one picture: the equation of a head


def present_button(session: Session, *, has_steps: bool = False) -> None:
    """At the top right of the page. The key P does the same.

    A stop of a tour says which part it presents. Else it is the part in view, where the page
    `has_steps` as parts; or the one that was presented last, where it still stands as it did then.
    """

    def begin(last_part: str, most: Sequence[str], others: Sequence[str]) -> None:
        of_stop = session.view.part if session.view.tour else ""
        in_view = part_in_view(most, others) if has_steps else ""
        last = last_part if last_part in PARTS else ""
        session.look_at(present=True, part=of_stop or last or in_view)

    presenting.present_button(session.key("present-button"), on_press=begin)


def part_in_view(most: Sequence[str], others: Sequence[str] = ()) -> str:
    """The part of the steps of which most is seen in a picture; "" where no step is seen.

    If a picture shows more than one part, it is the part about heads.

    >>> part_in_view(["weights", "raw_scores"]), part_in_view(["w_q", "q"]), part_in_view([])
    ('weights', 'into', '')
    >>> part_in_view(["output", "weights", "x"]), part_in_view(["output"], ["weights"])
    ('weights', 'together')
    >>> part_in_view(["weights"], ["v_heads", "q_heads"])
    'head'
    """
    seen = {*most, *others}
    if "weights" in seen and seen & VALUES:
        return "head"
    parts = [part for part in map(_part_of, most) if part]
    return next((part for part in parts if part not in (INTO, TOGETHER)), "".join(parts[:1]))


def _part_of(step: str) -> str:
    """The part that has this step or given array; "" for what is none."""
    if step.startswith("mask"):
        return "masked_scores"
    if step in LAST:
        return TOGETHER
    of_heads = [each.name for each in HEAD_STEPS]
    if step in of_heads[of_heads.index("raw_scores") :]:
        return step
    return INTO if step in {*GIVEN, *(each.name for each in STEPS)} else ""
