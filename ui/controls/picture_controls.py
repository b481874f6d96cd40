"""What belongs to the heads' picture: which scores and rows it shows, and how.

The choice of what to compare with holds for all pictures of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.layer.naming import title_of_array
from ui.controls.popover_focus import take_focus
from ui.figures.overview import has_many
from ui.state import (
    COMPARISONS,
    EVERY_BOARD,
    MORE_ROWS,
    MOST_DECIMALS,
    ROWS,
    SCORES,
    Session,
    bound_to_view,
)
from ui.theme import PALETTES

LIVE, PLOTLY = "live", "by Plotly"
WAYS_TO_DRAW: Final = {LIVE: say("live"), PLOTLY: say("by Plotly")}
TITLES_OF_SCORES: Final = {"raw": say("Raw"), "scaled": say("Scaled"), "masked": say("Masked")}
TITLES_OF_ROWS: Final = {
    "scores": say("Scores"),
    "weights": say("Weights"),
    "outputs": say("Outputs"),
}
TITLES_OF_PALETTES: Final = {
    "indigo": say("Indigo"),
    "teal": say("Teal"),
    "grey": say("Grey"),
    "print": say("Print"),
}
COMPARED_WITH: Final = {
    "off": say("Off"),
    "before": say("From before the last change"),
    "example": say("From the example"),
}


def picture_controls(session: Session) -> None:
    """One line of small controls; what is seldom changed stands behind "View".

    Heads that are all small show weights and nothing else. Then page.css shows that word in the
    place of the switches: a choice of heads runs the pictures alone, and not this line.
    """
    if "view" in session.view.hide:
        return
    line = st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="small",
        key=session.key("picture-controls"),
    )
    with line:
        if has_many(session.scenario):
            with st.container(key=session.key("weights-alone"), width="content"):
                st.markdown(say("**Weights**"))
        st.segmented_control(
            say("Scores"),
            SCORES,
            required=True,
            format_func=TITLES_OF_SCORES.__getitem__,
            **bound_to_view(session, "scores"),
        )
        st.pills(
            say("Rows"),
            ROWS,
            selection_mode="multi",
            format_func=TITLES_OF_ROWS.__getitem__,
            **bound_to_view(
                session,
                "rows",
                lambda chosen: _rows(session, chosen, of=ROWS),
                lambda rows: [row for row in rows if row in ROWS],
            ),
        )
        word = say("Moved")
        moved = st.popover(
            word if session.view.moved == "off" else f"**{word}**",
            type="tertiary",
            key=session.key("moved-options"),
            on_change="rerun",
        )
        place = st.popover(
            say("View"), type="tertiary", key=session.key("view-options"), on_change="rerun"
        )
    if moved.open:
        with moved:
            take_focus(session, "moved-options")
            _moved_options(session)
    if place.open:
        with place:
            take_focus(session, "view-options")
            _view_options(session)


def _moved_options(session: Session) -> None:
    st.radio(
        say("In each cell, the difference"),
        COMPARISONS,
        format_func=COMPARED_WITH.__getitem__,
        help=say("While a number is dragged, “before” is where the drag began."),
        **bound_to_view(session, "moved"),
    )


def look_options(session: Session) -> None:
    """How pictures show their numbers."""
    st.checkbox(say("Values in the cells"), **bound_to_view(session, "values"))
    st.checkbox(say("One colour scale for all heads"), **bound_to_view(session, "shared_scale"))
    st.selectbox(say("Decimals"), range(MOST_DECIMALS + 1), **bound_to_view(session, "decimals"))
    st.selectbox(
        say("Palette"),
        list(PALETTES),
        format_func=TITLES_OF_PALETTES.__getitem__,
        **bound_to_view(session, "palette"),
    )
    _drawn_by(session)


def _drawn_by(session: Session) -> None:
    st.radio(
        say("Pictures are drawn"),
        (LIVE, PLOTLY),
        format_func=WAYS_TO_DRAW.__getitem__,
        horizontal=True,
        help=say(
            "Live follows a number while you drag it. Click a cell to edit it, or to see where "
            "its number comes from. Plotly has its own hover, zoom, pan and camera."
        ),
        **bound_to_view(
            session,
            "drawn",
            lambda way: (EVERY_BOARD,) if way == PLOTLY else (),
            lambda drawn: PLOTLY if EVERY_BOARD in drawn else LIVE,
        ),
    )


def _view_options(session: Session) -> None:
    look_options(session)
    st.multiselect(
        say("More rows"),
        MORE_ROWS,
        format_func=title_of_array,
        help=say("All steps that have a row for each query, in the order of the computation."),
        **bound_to_view(
            session,
            "rows",
            lambda chosen: _rows(session, chosen, of=MORE_ROWS),
            lambda rows: [row for row in rows if row in MORE_ROWS],
            widget="more-rows",
        ),
    )


def _rows(session: Session, chosen: list[str], of: Sequence[str]) -> tuple[str, ...]:
    """The rows of the picture, once those that a control offers are `chosen`.

    They stand in their usual order. Where none is left, all stay, as a picture needs one.
    """
    stay = [row for row in session.view.rows if row not in of]
    return tuple(row for row in (*ROWS, *MORE_ROWS) if row in (*stay, *chosen)) or session.view.rows
