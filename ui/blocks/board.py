"""A board of a page: drawn live, or by Plotly where the view says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from mha_core.language import say
from mha_core.layer.cells import Cell
from ui import plot
from ui.figures.grounds import GROUNDS
from ui.figures.plotly import plotly_figure
from ui.state import BOARDS, Session, bound_to_view

PLOTLY: Final = "Plotly"
WAYS: Final = (say("Live"), PLOTLY)
# Pixels across when a link has opened a board: as on a projector, beside the sidebar.
USUAL_ROOMS: Final = {
    **dict.fromkeys(BOARDS, 930.0),
    **dict.fromkeys(("one-head", "mask", "additive"), 610.0),
    **dict.fromkeys(("compared", "difference"), 300.0),
    "pattern": 460.0,
    "walk": 860.0,
}
HEIGHT: Final = 720.0  # pixels of a window, which decide how large cells grow
SCROLLBAR: Final = 16  # pixels
# A figure keeps its size where the page is narrower, as its numbers would run together. One board
# takes the place of the other: what is above stays where it is. A selector in page.css for all keys
# of boards would make the browser look at the whole page, also where Plotly draws nothing.
STYLE: Final = (
    "<style>.st-key-{key} {{ overflow: auto hidden; }} "
    ".st-key-{key} :is(.stElementContainer, .stPlotlyChart) {{ max-width: none; }} "
    ".stMain {{ overflow-anchor: none; }}</style>"
)
# What Plotly offers: no logo, and a saved picture that is sharp on paper.
CONFIG: Final[dict[str, Any]] = {"displaylogo": False, "toImageButtonOptions": {"format": "svg"}}


def draw_board(
    session: Session,
    board: str,
    key: str,
    shown: plot.Picture,
    on_pick: Callable[[Cell], None] | None = None,
    on_back: Callable[[], None] | None = None,
) -> None:
    """A picture in the way that the view says for this board, with a switch for it.

    Plotly's own hover, zoom, pan and camera work. Picks do not: it reports none from a heatmap.
    """

    def by_plotly(room: float) -> None:
        session.rooms[board] = room
        session.change_view(drawn=session.view.drawing(board, by_plotly=True))

    if not session.view.is_by_plotly(board):
        plot.show(
            shown,
            session.key(key),
            on_pick=on_pick,
            on_back=on_back,
            on_plotly=by_plotly,
            reordered=session.conversation.reordered,
        )
        return
    ground = GROUNDS["clear-dark" if st.context.theme.type == "dark" else "clear-light"]
    drawn = plotly_figure(
        shown.figure, (session.rooms.get(board, USUAL_ROOMS[board]), HEIGHT), ground
    )
    size = {side: round(drawn.layout[side]) for side in ("width", "height")}
    st.html(STYLE.format(key=session.key(f"{key}-plotly-board")))
    # Its height is set before Plotly arrives, so nothing moves.
    room = size["height"] + SCROLLBAR
    with st.container(height=room, border=False, key=session.key(f"{key}-plotly-board")):
        st.plotly_chart(drawn, theme=None, key=session.key(f"{key}-plotly"), config=CONFIG, **size)
    st.segmented_control(
        say("Drawn by"),
        WAYS,
        required=True,
        label_visibility="collapsed",
        **bound_to_view(
            session,
            "drawn",
            lambda way: session.view.drawing(board, by_plotly=way == PLOTLY),
            lambda _: PLOTLY,
            widget=f"drawn-{key}",
        ),
    )
