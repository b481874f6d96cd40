"""One step in A, in B, and the difference, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from weakref import ref

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core import Scenario, Trace
from mha_core.comparing.distances import Distance, Distances, distance, distances_of_given
from mha_core.comparing.sentences import why_no_distance
from mha_core.language import say, say_number
from mha_core.layer.naming import dims_of, has_heads, title_of_array
from ui.blocks.comparing.sides import difference_heading, place_for_heading, side_heading
from ui.blocks.comparing.titles import title_of_a, title_of_b
from ui.blocks.comparing.words import by_head, distances_of_steps
from ui.blocks.heads_picture import sleep_while_pictures_are_painted
from ui.blocks.heads_shown import (
    count_pages,
    heads_of_page,
    heads_on_page,
    name_of_head,
    page_of_large,
)
from ui.blocks.picture import look_of, outline, picture, show
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.side_by_side import SideBySide, room_to_read, side_by_side
from ui.number_format import format_number
from ui.plot import Picture
from ui.state import COMPARED, Session, bound_to_view

OWN: Final = ("step", "head", "page")  # fields of A's view that this fragment answers
ROOM_OF_THREE: Final = 300  # pixels that each of three pictures has on a projector
HERE: Final = "compared"
THE_SAME: Final = say("the same in A and B")
BUT_FOR_ROUNDING: Final = say("the same in A and B, but for rounding")
DIFFERENCE: Final = "B minus A"  # in the names of files


def pictures(a: Session, b: Session) -> None:
    """The step that a person picks, in both and as the difference."""
    with st.container(key=a.key("part-compared")):
        _pictures(a, b)


@fragment
def _pictures(a: Session, b: Session) -> None:
    """A pick of a cell, of a step or of a head runs only this fragment.

    Send the pictures first: distances, titles and links take as long to make again.
    """
    leave_to_whole_page(a, *OWN)
    leave_to_whole_page(b, *OWN)
    choices = st.container(horizontal=True, vertical_alignment="bottom", key=a.key("compare-what"))
    compared = compared_now(a, b)
    sides = sides_of(a, b, compared)
    of_a, of_b, of_both = _three_places(a, b, sides)
    with of_a:
        heading_of_a = place_for_heading(a, "side-heading")
        _show(a, sides.a, "A", HERE, compared)
    with of_b:
        heading_of_b = place_for_heading(b, "side-heading")
        _show(b, sides.b, "B", HERE, compared)
    with of_both:
        heading_of_both = place_for_heading(b, "difference-heading")
        _show(b, sides.difference, DIFFERENCE, "difference", compared)
        if sides.difference is None:
            why = why_no_distance(a.trace, b.trace, compared.step)
            says = say("{reason}, so there is no difference to show.")
            st.caption(plain(says.format(reason=why)))
    sleep_while_pictures_are_painted(b, a, cells=_count_cells(sides))
    with choices:
        _choices(a, b)
    with heading_of_a:
        side_heading(a, title_of_a(a))
    with heading_of_b:
        side_heading(b, title_of_b(a, b))
    with heading_of_both:
        difference_heading()
    for session in (a, b):
        outline(session, HERE)
    if has_heads(b.trace, a.view.step):
        by_head(a, b, a.view.step)
    a.conversation.write_address()


def _three_places(a: Session, b: Session, sides: SideBySide) -> Sequence[DeltaGenerator]:
    """Side by side; or two and one, if numbers have no room so. Scores stay side by side.

    Two without a difference, such as one head and four, take its room too.
    """
    axes = dims_of(b.trace, a.view.step).axes
    needed = max((room_to_read(side) for side in sides if side), default=0)
    is_wide = not sides.difference or (axes[-1] != "n_k" and needed > ROOM_OF_THREE)
    with st.container(key=a.key("two-and-one" if is_wide else "three-beside")):
        return [st.container() for _ in range(3)]


def sides_of(a: Session, b: Session, compared: Compared, *, presented: bool = False) -> SideBySide:
    """The figures of A, of B and of the difference. Those of the last comparison are kept."""
    look = look_of(a)
    of = (a.trace, b.trace, compared.step, compared.head, compared.heads, look)
    make = partial(side_by_side, *of, presented=presented)
    return b.keep_last(f"side by side {presented}", (*compared, look), make)


class Compared(NamedTuple):
    """What the pictures are made of. References to the traces are weak, so traces can go."""

    a: ref[Trace]
    b: ref[Trace]
    step: str
    head: int | None
    heads: range


def compared_now(a: Session, b: Session) -> Compared:
    view, most = a.view, _with_most_heads(a, b)
    heads = heads_on_page(most, view.page)
    return Compared(ref(a.trace), ref(b.trace), view.step, _head_of_both(a, b), heads)


def _count_cells(sides: SideBySide) -> int:
    return sum(side.count for side in sides if side)


def _with_most_heads(*sessions: Session) -> Scenario:
    return max((session.scenario for session in sessions), key=lambda s: s.n_heads)


def _heads_of_both(a: Session, b: Session) -> range:
    return range(min(session.scenario.n_heads for session in (a, b)))


def _head_of_both(a: Session, b: Session) -> int | None:
    """The head to show; None, for all heads, if only A has it."""
    return a.view.head if a.view.head in _heads_of_both(a, b) else None


def _show(session: Session, figure: Figure | None, name: str, key: str, compared: Compared) -> None:
    show(session, key, picture_of_side(session, figure, name, compared), asked_in=HERE)


def picture_of_side(
    session: Session, figure: Figure | None, name: str, compared: Compared, *more: Any
) -> Picture | None:
    """The picture of one side. Its figure comes ready, made from both sides."""

    def hand_on(*_: Any, look: Look) -> Figure | None:
        return figure

    is_difference = name == DIFFERENCE
    says = say("B minus A, to compare") if is_difference else say("{side}, to compare")
    alt, file = says.format(side=name), f"{name} side by side"
    return picture(session, file, alt, hand_on, *compared, *more, shows_moved=False)


def _choices(a: Session, b: Session) -> None:
    """Which step and which head, and how far apart A and B are there."""
    found = _distances(a, b)
    st.selectbox(
        say("Compare at"),
        list(found),
        format_func=title_of_array,
        width=260,
        **bound_to_view(a, "step", lambda step: step if step in COMPARED else a.view.step),
    )
    st.caption(plain(_how_far(a, b, found[a.view.step])), width="content")
    most = _with_most_heads(a, b)
    if has_heads(b.trace, a.view.step) and most.n_heads > 1:
        head = _head_of_both(a, b)
        st.pills(
            say("One head"),
            _heads_of_both(a, b),
            format_func=name_of_head,
            wrap=True,
            **bound_to_view(a, "head", show_as=lambda _: head),
        )
        if count_pages(most) > 1 and head is None:
            st.segmented_control(
                say("Heads in the picture"),
                range(1, count_pages(most) + 1),
                required=True,
                format_func=partial(heads_of_page, n_heads=most.n_heads),
                **bound_to_view(a, "page", show_as=lambda page: page_of_large(most, page)),
            )


def _distances(a: Session, b: Session) -> Distances:
    """For the given arrays and the steps that A or B has, in the order of the computation."""
    given = b.keep_last(
        "distances of given", ref(a.trace), lambda: distances_of_given(a.trace, b.trace)
    )
    found = {**given, **distances_of_steps(a, b)}
    inputs: Distances = {name: found.pop(name) for name in ("x", "context") if name in found}
    shown = a.view.step
    also = {} if shown in (inputs | found) else {shown: distance(a.trace, b.trace, shown)}
    return {**inputs, **found, **also}


def _how_far(a: Session, b: Session, apart: Distance | None) -> str:
    """How far apart A and B are in the step that is compared."""
    if apart is None:
        return why_no_distance(a.trace, b.trace, a.view.step)
    if apart.lost:
        says = say_number(
            "{count} number lost on one side", "{count} numbers lost on one side", apart.lost
        )
        return says.format(count=apart.lost)
    if apart.is_same:
        return BUT_FOR_ROUNDING if apart.largest else THE_SAME
    if apart.is_rounding:
        says = say_number(
            "the same, but for {count} number hidden in one of them",
            "the same, but for {count} numbers hidden in one of them",
            apart.hidden_in_one,
        )
        return says.format(count=apart.hidden_in_one)
    number = format_number(apart.largest, a.view.decimals, keep_tiny=True)
    return say("up to {number} apart").format(number=number)
