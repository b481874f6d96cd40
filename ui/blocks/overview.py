"""Many heads: all of them small, and the one that a person has picked large beside the others."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.layer.cells import Cell
from ui.blocks.board import draw_board
from ui.blocks.heads_shown import ordered_heads, readings_of
from ui.blocks.picture import picture, show
from ui.controls.markdown import plain
from ui.figures.overview import large_heads_figure, overview_figure
from ui.plot import Picture
from ui.state import Session

ALL_DARK: Final = say(
    "Most weights here are small. From {weight:.2g} on, all have the same colour."
)


def overview(session: Session) -> None:
    """All heads, small. A click on one shows it large, and Escape leads back."""

    def make_large(cell: Cell) -> None:
        session.look_at(head=cell.head)

    def make_all_small() -> None:
        session.look_at(head=None)

    with st.container(horizontal=True, key=session.key("overview")):
        with st.container(key=session.key("overview-all")):
            if shown := overview_picture(session):
                draw_board(session, "heads", "heads", shown, make_large, make_all_small)
                say_where_colors_end(session, shown)
        if session.view.head is not None:
            with st.container(key=session.key("overview-one")):
                with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                    key = session.key("back-to-all")
                    st.button(
                        say("Back to all heads"), key, type="tertiary", on_click=make_all_small
                    )
                    _name(session, session.view.head)
                _large(session, session.view.head)


def overview_picture(session: Session) -> Picture | None:
    """All heads in the order that a person has chosen; the one that is large stands out."""
    heads, said = tuple(ordered_heads(session)), readings_of(session)
    names = tuple(said[head].name for head in heads)
    alt = say("Weights of all heads, small")
    return picture(session, "heads", alt, overview_figure, heads, names, session.view.head)


def say_where_colors_end(session: Session, shown: Picture) -> None:
    """In words, where the colours of weights end before 1."""
    of_weights = (h.high for h in shown.figure.heatmaps if h.matrix.group == "weights")
    end = next(of_weights, 1.0)
    if session.view.shared_scale and end < 1:
        st.caption(ALL_DARK.format(weight=end))


def _name(session: Session, head: int) -> None:
    """What the large head looks at, which stands above it no more."""
    if name := readings_of(session)[head].name:
        st.caption(plain(say("Head {head}: {name}").format(head=head + 1, name=name)))


def _large(session: Session, head: int) -> None:
    """Its weights first, because the others show theirs; then the other rows."""
    steps = tuple(
        sorted(session.view.steps_of(session.scenario), key=lambda step: step != "weights")
    )
    alt = say("Head {head}, large").format(head=head + 1)
    shown = picture(session, "large head", alt, large_heads_figure, (head,), steps)
    show(session, "large-head", shown, asked_in="heads", board="one-head")
