"""What belongs to the heads' picture: which scores and rows it shows, and how its cells look."""

from __future__ import annotations

import streamlit as st

from ui.controls.popover_focus import take_focus
from ui.state import ROWS, SCORE_STEPS, Session, bound_to_view
from ui.theme import PALETTES


def picture_controls(session: Session) -> None:
    """One line of small controls; what is seldom changed stands behind "View"."""
    if "view" in session.view.hide:
        return
    line = st.container(
        horizontal=True,
        vertical_alignment="center",
        gap="small",
        key=session.key("picture-controls"),
    )
    with line:
        st.segmented_control(
            "Scores",
            SCORE_STEPS,
            required=True,
            format_func=str.title,
            **bound_to_view(session, "scores"),
        )
        st.pills(
            "Rows",
            ROWS,
            selection_mode="multi",
            format_func=str.title,
            **bound_to_view(session, "rows", lambda chosen: _rows(session, chosen), list),
        )
        place = st.popover(
            "View", type="tertiary", key=session.key("view-options"), on_change="rerun"
        )
    if place.open:
        with place:
            take_focus(session, "view-options")
            _view_options(session)


def _view_options(session: Session) -> None:
    st.checkbox("Values in the cells", **bound_to_view(session, "values"))
    st.checkbox("One colour scale for all heads", **bound_to_view(session, "shared_scale"))
    st.selectbox("Decimals", range(7), **bound_to_view(session, "decimals"))
    st.selectbox(
        "Palette", list(PALETTES), format_func=str.title, **bound_to_view(session, "palette")
    )


def _rows(session: Session, chosen: list[str]) -> tuple[str, ...]:
    """The chosen rows in their order; those of before where none is left, as one must be."""
    return tuple(row for row in ROWS if row in chosen) or session.view.rows
