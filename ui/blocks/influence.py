"""Below the words on the picked cell: how much it moves with each given number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from mha_core.checks.errors import NumberError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import has_cell
from mha_core.layer.influence import INPUTS, influence
from mha_core.layer.naming import words_of
from mha_core.layer.trace import Trace
from mha_core.reading.sentences import influence_sentence
from ui import plot
from ui.blocks.board import draw_board
from ui.controls.markdown import plain
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.influence import influence_figure, influencing
from ui.state import Session, bound_to_view


def influence_on_picked(session: Session, place: str, look: Look) -> None:
    """A choice of arrays, and the picture of the chosen one. A given number has none."""
    cell = session.view.cell
    if cell is None or cell.step in INPUTS or not has_cell(session.trace, cell):
        return
    slopes = session.keep_last("influence", cell, lambda: _slopes(session.trace, cell))
    if not slopes:
        return
    _choice(session, place, list(slopes))
    of = session.view.influence or ""
    if of in slopes:
        said = influence_sentence(session.trace, cell, of, slopes[of])
        says = say("{sentence}. Each cell shows the effect of adding 1 to it.")
        st.caption(says.format(sentence=plain(said)))
        _show(session, place, influence_figure(session.trace, cell, of, slopes[of], look), of)


def _slopes(trace: Trace, cell: Cell) -> Mapping[str, FloatArray]:
    """None for a number that a naive softmax has lost: the words above say why."""
    try:
        return influence(trace, cell)
    except NumberError:
        return {}


def _choice(session: Session, place: str, arrays: Sequence[str]) -> None:
    words = say("How much it depends on each number of")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":small[{words}]", width="content")  # not on paper: page.css
        st.segmented_control(
            words,
            arrays,
            format_func=words_of,
            label_visibility="collapsed",
            **bound_to_view(session, "influence", widget=f"influence-{place}"),
        )


def _show(session: Session, place: str, figure: Figure, of: str) -> None:
    name = f"{session.scenario.origin.example} influence of {words_of(of)}"
    alt = say("How much the picked number moves with each number of {matrix}")
    shown = plot.Picture.of(
        figure, name, alt.format(matrix=words_of(of)), session.name, has_switch=True
    )
    draw_board(session, "influence", f"influence-{place}-picture", shown, partial(_ask, session))


def _ask(session: Session, picked: Cell) -> None:
    """A click on an influence asks for the number that has it."""
    cell = influencing(picked)
    if cell and has_cell(session.trace, cell):
        session.ask_on(cell)
