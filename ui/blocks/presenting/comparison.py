"""A comparison as it is presented: A, B and the difference, one after the other."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.layer.equations import equation_of
from mha_core.layer.naming import has_heads, title_of_array
from mha_core.layer.steps import Step
from mha_core.layer.trace import Trace
from ui.blocks.comparing.pictures import Compared, compared_now, picture_of_side, sides_of
from ui.blocks.comparing.titles import title_of_a, title_of_b
from ui.blocks.presenting.parts import Part, Parts, nearest
from ui.figures.figure import Figure
from ui.plot import Picture
from ui.state import Session

DIFFERENCE: Final = "B − A"


def parts_of_comparison(b: Session, a: Session) -> Parts:
    """The sides that have the step, and their difference where there is one."""
    step = a.view.step
    compared = compared_now(a, b)
    sides = sides_of(a, b, compared)
    computed = getattr(Trace, step, None)
    equations = [equation_of(computed, b.scenario)] if isinstance(computed, Step) else []
    what = title_of_array(step)
    named = (
        ("a", f"A, {title_of_a(a)}", a, sides.a, "A"),
        ("b", f"B, {title_of_b(a, b)}", b, sides.b, "B"),
        ("difference", DIFFERENCE, b, sides.difference, "B minus A"),
    )
    parts = [
        Part(
            name,
            f"{title}: {what[:1].lower()}{what[1:]}",
            equations,
            "heads" if has_heads(b.trace, step) else "",
            partial(_draw, whose, figure, called, compared),
        )
        for name, title, whose, figure, called in named
        if figure
    ]
    now = parts[nearest(a.view.part, [part.name for part in parts])]
    return Parts("part", parts, now, a if now.name == "a" else b)


def _draw(
    whose: Session, figure: Figure, called: str, compared: Compared, _: Session
) -> Picture | None:
    return picture_of_side(whose, figure, called, compared)
