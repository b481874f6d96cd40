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
from mha_core.layer.influence import INPUTS
from mha_core.layer.naming import words_of
from mha_core.reading.sentences import influence_sentence
from mha_core.stack.cells import layer_named, without_layer
from mha_core.stack.influence import influence_through_layers
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
    slopes = session.keep_last("influence", cell, lambda: _slopes(session, cell))
    if not slopes:
        return
    _choice(session, place, list(slopes))
    of = session.view.influence or ""
    if of in slopes:
        below, name = _in_its_layer(of)
        trace = session.trace if below is None else session.traces.layers[below]
        said = influence_sentence(trace, cell, name, slopes[of], session.trace)
        says = say("{sentence}. Each cell shows the effect of adding 1 to it.")
        st.caption(says.format(sentence=plain(said)))
        above = None if below is None else (session.trace, below)
        figure = influence_figure(trace, cell, name, slopes[of], look, above)
        _show(session, place, figure, of)


def _slopes(session: Session, cell: Cell) -> Mapping[str, FloatArray]:
    """By array; one of a layer below begins with its number.

    None for a number that a naive softmax has lost: the words above say why.
    """
    try:
        *below, own = influence_through_layers(session.traces, session.layer, cell)
    except NumberError:
        return {}
    named = {f"{n + 1}.{name}": array for n, of in enumerate(below) for name, array in of.items()}
    return {**own, **named}


def _in_its_layer(of: str) -> tuple[int | None, str]:
    """The layer below that has the array, and its name there."""
    cell = Cell(of, None, 0, 0)
    return layer_named(cell), without_layer(cell).step


def _words_of(of: str) -> str:
    """What a person calls the array, and in which layer it is, where there are several."""
    below, name = _in_its_layer(of)
    if below is None:
        return words_of(name)
    return say("{array} of layer {layer}").format(array=words_of(name), layer=below + 1)


def _choice(session: Session, place: str, arrays: Sequence[str]) -> None:
    words = say("How much it depends on each number of")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f":small[{words}]", width="content")  # not on paper: page.css
        st.segmented_control(
            words,
            arrays,
            format_func=_words_of,
            label_visibility="collapsed",
            **bound_to_view(session, "influence", widget=f"influence-{place}"),
        )


def _show(session: Session, place: str, figure: Figure, of: str) -> None:
    name = f"{session.scenario.origin.example} influence of {_words_of(of)}"
    alt = say("How much the picked number moves with each number of {matrix}")
    shown = plot.Picture.of(
        figure, name, alt.format(matrix=_words_of(of)), session.name, has_switch=True
    )
    draw_board(session, "influence", f"influence-{place}-picture", shown, partial(_ask, session))


def _ask(session: Session, picked: Cell) -> None:
    """A click on an influence asks for the number that has it."""
    cell = influencing(picked)
    if cell and session.has(cell):
        session.ask_on(cell)
