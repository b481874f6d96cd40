"""A comparison as it is presented: A, B and the difference, beside each other or one by one.

No formula stands beside them: its A would be the weights, and here A is a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from mha_core.comparing.distances import array_of
from mha_core.language import say
from mha_core.layer.naming import has_heads, title_of_array, within_a_sentence
from ui.blocks.comparing.pictures import (
    DIFFERENCE,
    Compared,
    compared_now,
    picture_of_side,
    sides_of,
)
from ui.blocks.comparing.titles import title_of_a, title_of_b
from ui.blocks.presenting.parts import Of, Part, Parts, Shown, nearest
from ui.figures.figure import Figure
from ui.figures.moved import words_of_range
from ui.state import Session

TITLE_OF_DIFFERENCE: Final = "B − A"
BESIDE: Final = "beside"  # the part that shows all


@dataclass(frozen=True)
class SidePresented:
    """A, B, or their difference: what it is called, and its figure."""

    name: str  # of the part that shows it alone, and in SideBySide
    title: str
    caption: str  # beside the others
    whose: Session
    called: str  # in words
    figure: Figure  # beside the others


def parts_of_comparison(b: Session, a: Session) -> Parts:
    """The sides that have the step, and their difference where there is one."""
    step = _compared(a, b).step
    of: Of = "heads" if has_heads(b.trace, step) else ""
    what = title_of_array(step)
    beside = sides_presented(a, b)
    parts = [
        Part(
            side.name,
            f"{side.title}: {within_a_sentence(what)}",
            [],
            of,
            partial(_draw_alone, side, a, b),
        )
        for side in beside
    ]
    if len(beside) > 1:
        names = say("A, B and B − A") if len(beside) > 2 else say("A and B")
        changed = beside[-1].figure.words
        all_sides = Part(
            BESIDE, f"{what}: {names}", [], of, partial(_draw_all, beside, a, b), changed
        )
        parts = [all_sides, *parts]
    now = parts[nearest(a.view.part, [part.name for part in parts])]
    return Parts("part", parts, now, parts[0])


def _compared(a: Session, b: Session) -> Compared:
    """What the page compares; the weights, where neither A nor B has that."""
    compared = compared_now(a, b)
    has_it = any(array_of(each.trace, compared.step) is not None for each in (a, b))
    return compared if has_it else compared._replace(step="weights")


def sides_presented(a: Session, b: Session) -> list[SidePresented]:
    """A and B where they have the step, and their difference where there is one."""
    figures = sides_of(a, b, _compared(a, b), presented=True)
    of_a, of_b = f"A, {title_of_a(a)}", f"B, {title_of_b(a, b)}"
    sides = []
    if figures.a:
        sides.append(SidePresented("a", of_a, of_a, a, "A", figures.a))
    if figures.b:
        sides.append(SidePresented("b", of_b, of_b, b, "B", figures.b))
    if figures.difference:
        title, figure = TITLE_OF_DIFFERENCE, figures.difference
        apart = f"{title}, {words_of_range(figure, a.view.decimals)}"
        sides.append(SidePresented("difference", title, apart, b, DIFFERENCE, figure))
    return sides


def _draw_alone(side: SidePresented, a: Session, b: Session, _: Session) -> Sequence[Shown]:
    compared = _compared(a, b)
    figure = getattr(sides_of(a, b, compared), side.name)
    picture = picture_of_side(side.whose, figure, side.called, compared)
    return [Shown(picture, side.whose)] if picture else []


def _draw_all(
    sides: Sequence[SidePresented], a: Session, b: Session, _: Session
) -> Sequence[Shown]:
    compared = _compared(a, b)
    drawn = (
        picture_of_side(side.whose, side.figure, side.called, compared, BESIDE) for side in sides
    )
    return [
        Shown(picture, side.whose, side.caption)
        for side, picture in zip(sides, drawn, strict=True)
        if picture
    ]
