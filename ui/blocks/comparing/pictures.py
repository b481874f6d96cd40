"""One step in A, in B, and the difference, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from weakref import ref

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core import Scenario, Trace
from mha_core.comparing.distances import Distance, Distances, array_of, distance, distances_of_given
from mha_core.layer.naming import dims_of
from mha_core.scenario.given_arrays import GIVEN
from ui.blocks.comparing.sides import difference_heading, side_heading
from ui.blocks.comparing.words import by_head, distances_of_steps
from ui.blocks.fragment import Answered, answered, leave_to_whole_page
from ui.blocks.heads_picture import count_pages, heads_of_page, heads_on_page
from ui.blocks.picture import look_of, outline, picture, show
from ui.figures.heatmap import Figure
from ui.figures.pictures import Look
from ui.figures.side_by_side import side_by_side
from ui.number_format import counted, format_number
from ui.state import COMPARED, Session, bound_to_view

OWN: Final = ("step", "head", "page")  # fields of A's view that this fragment answers
MOST_BESIDE: Final = 6  # columns of a matrix of which three stand side by side on a projector
HERE: Final = "compared"
CANNOT: Final = "A and B have other sizes here, so there is no difference to show."


def pictures(a: Session, b: Session) -> None:
    """The step that a person picks, in both and as the difference."""
    with st.container(key=a.key("part-compared")):
        _pictures(a, b, answered(a, *OWN), answered(b, *OWN))


@st.fragment
def _pictures(a: Session, b: Session, known_a: Answered, known_b: Answered) -> None:
    """A pick of a cell, of a step or of a head runs only this fragment."""
    leave_to_whole_page(a, known_a, *OWN)
    leave_to_whole_page(b, known_b, *OWN)
    _choices(a, b)
    asked = _asked(a, b)
    look = look_of(a)
    make = partial(side_by_side, a.trace, b.trace, asked.step, asked.head, asked.heads, look)
    sides = b.keep_last("side by side", (*asked, look), make)
    of_a, of_b, of_both = _three_places(b.trace, asked.step)
    with of_a:
        side_heading(a)
        _show(a, sides.a, "A", HERE, asked)
    with of_b:
        side_heading(b)
        _show(b, sides.b, "B", HERE, asked)
    with of_both:
        difference_heading(b)
        _show(b, sides.difference, "B minus A", "difference", asked)
        if sides.difference is None:
            st.caption(CANNOT)
    for session in (a, b):
        outline(session, HERE)
    if has_heads(b.trace, a.view.step):
        by_head(a, b, a.view.step)
    a.write_address()


def _three_places(trace: Trace, step: str) -> Sequence[DeltaGenerator]:
    """Side by side; wide rows of numbers stand below each other. Scores never do."""
    array, axes = array_of(trace, step), dims_of(trace, step).axes
    is_wide = array is not None and axes[-1] != "n_k" and array.shape[-1] > MOST_BESIDE
    return [st.container() for _ in range(3)] if is_wide else st.columns(3, gap="small")


class Asked(NamedTuple):
    """What the pictures are made of. The traces are only referred to, so that they can go."""

    a: ref[Trace]
    b: ref[Trace]
    step: str
    head: int | None
    heads: range


def _asked(a: Session, b: Session) -> Asked:
    view, most = a.view, _with_most_heads(a, b)
    heads = heads_on_page(most, min(view.page, count_pages(most)))
    return Asked(ref(a.trace), ref(b.trace), view.step, view.head, heads)


def _with_most_heads(*sessions: Session) -> Scenario:
    return max((session.scenario for session in sessions), key=lambda s: s.n_heads)


def _show(session: Session, figure: Figure | None, name: str, key: str, asked: Asked) -> None:
    """The picture of one side. Its figure was made of both sides: here it is only handed on."""

    def hand_on(*_: Any, look: Look) -> Figure | None:
        return figure

    shown = picture(session, f"{name} side by side", f"{name}, to compare", hand_on, *asked)
    show(session, key, shown, asked_in=HERE)


def _choices(a: Session, b: Session) -> None:
    """Which step and which head, and how far apart A and B are there."""
    found = _distances(a, b)
    with st.container(horizontal=True, vertical_alignment="bottom", key=a.key("compare-what")):
        st.selectbox(
            "Compare at",
            list(found),
            format_func=_title_of,
            width=260,
            **bound_to_view(a, "step", lambda step: step if step in COMPARED else a.view.step),
        )
        st.caption(_how_far(found[a.view.step], a.view.decimals), width="content")
        n_heads = _with_most_heads(a, b).n_heads
        if has_heads(b.trace, a.view.step) and n_heads > 1:
            st.pills(
                "One head",
                range(n_heads),
                format_func=lambda head: f"Head {head + 1}",
                **bound_to_view(a, "head"),
            )
            most = _with_most_heads(a, b)
            if count_pages(most) > 1 and a.view.head is None:
                st.segmented_control(
                    "Heads in the picture",
                    range(1, count_pages(most) + 1),
                    required=True,
                    format_func=partial(heads_of_page, n_heads=most.n_heads),
                    **bound_to_view(a, "page"),
                )


def has_heads(trace: Trace, step: str) -> bool:
    """Whether a step has a matrix for each head."""
    return len(dims_of(trace, step).axes) == 3


def _distances(a: Session, b: Session) -> Distances:
    """Of the given arrays and the steps that one of them has, in the order of the computation."""
    given = b.keep_last(
        "distances of given", ref(a.trace), lambda: distances_of_given(a.trace, b.trace)
    )
    found = {**given, **distances_of_steps(a, b)}
    inputs: Distances = {name: found.pop(name) for name in ("x", "context") if name in found}
    shown = a.view.step
    also = {} if shown in (inputs | found) else {shown: distance(a.trace, b.trace, shown)}
    return {**inputs, **found, **also}


def _title_of(step: str) -> str:
    """The same in every run: a browser sends the title of its choice, not the name."""
    title: str = GIVEN[step].symbol if step in GIVEN else getattr(Trace, step).title
    return title


def _how_far(apart: Distance | None, decimals: int) -> str:
    """How far apart A and B are in a step."""
    if apart is None:
        return "other sizes in A and B"
    if apart.lost:
        return f"{counted(apart.lost, 'number')} lost on one side"
    if apart.is_rounding:
        return "the same in A and B"
    return f"up to {format_number(apart.largest, decimals, keep_tiny=True)} apart"
