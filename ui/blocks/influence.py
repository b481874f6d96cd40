"""Below what is said of the picked cell: how much it moves with each number that was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.influence import INPUTS, influence
from mha_core.reading.sentences import influence_sentence
from mha_core.scenario.given_arrays import GIVEN
from ui import plot
from ui.blocks.where_from import is_there
from ui.controls.markdown import plain
from ui.figures.heatmap import Figure
from ui.figures.influence import influence_figure, influencing
from ui.figures.pictures import Look
from ui.state import Session, bound_to_view


def influence_on_picked(session: Session, place: str, look: Look) -> None:
    """A choice of arrays, and the picture of the chosen one. A number that was given has none."""
    cell = session.view.cell
    if cell is None or cell.step in INPUTS or not is_there(session.trace, cell):
        return
    slopes = _slopes(session, cell)
    if not slopes:
        return
    _choice(session, place, list(slopes))
    of = session.view.influence or ""
    if of in slopes:
        said = influence_sentence(session.trace, cell, of, slopes[of])
        st.caption(f"{plain(said)}. Each cell says by how much, for each 1 of its number.")
        _show(session, place, influence_figure(session.trace, cell, of, slopes[of], look), of)


def _choice(session: Session, place: str, arrays: Sequence[str]) -> None:
    words = "How much it moves with each number of"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":small[{words}]", width="content")  # not on paper: page.css
        st.segmented_control(
            words,
            arrays,
            format_func=_symbol,
            label_visibility="collapsed",
            **bound_to_view(session, "influence", widget=f"influence-{place}"),
        )


def _show(session: Session, place: str, figure: Figure, of: str) -> None:
    name = f"{session.scenario.origin.example} influence of {_symbol(of)}"
    alt = f"How much the picked number moves with each number of {_symbol(of)}"
    shown = plot.Picture.of(figure, name, alt, session.name)
    key = session.key(f"influence-{place}-picture")
    plot.show(shown, key, on_pick=partial(_ask, session))


def _ask(session: Session, picked: Cell) -> None:
    """A click on an influence asks for the number that has it."""
    cell = influencing(picked)
    if cell and is_there(session.trace, cell):
        session.ask_on(cell)


def _slopes(session: Session, cell: Cell) -> Mapping[str, FloatArray]:
    """The derivatives of the last cell that was asked for; other cells are forgotten."""
    last: dict[Cell, Mapping[str, FloatArray]] = session.make_once("influence", dict)
    if cell not in last:
        last.clear()
        last[cell] = influence(session.trace, cell)
    return last[cell]


def _symbol(of: str) -> str:
    return GIVEN[of].symbol if of in GIVEN else "additive mask"
