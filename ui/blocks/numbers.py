"""Every number that is given, to be edited."""

from __future__ import annotations

import streamlit as st

from ui.blocks.anchor import anchor
from ui.controls.editors import matrix_editor
from ui.edits.editable_array import EDITABLE, Editable
from ui.state import Session


def editors(session: Session) -> None:
    """Every number that is given, to be edited: one array at a time."""
    if "editors" in session.view.hide:
        return
    anchor(session, "input")
    place = st.expander("Edit the numbers", key=session.key("editors"), on_change="rerun")
    if not place.open:
        return
    with place:
        arrays = [
            name for name in EDITABLE if name != "context" or session.scenario.context is not None
        ]
        name = st.pills(
            "Which",
            arrays,
            default="x",
            required=True,
            format_func=lambda name: Editable(name).short_title,
            key=session.key("edit-which"),
            wrap=True,
        )
        name = name or "x"  # what was chosen may be gone
        matrix_editor(session, name, head=_head(session, name))


def _head(session: Session, name: str) -> int | None:
    """The head whose part is edited; None for all of them, and where they have no parts."""
    heads = Editable(name).heads(session.scenario)
    if not heads:
        return None
    whole = "All heads"
    parts = [whole, *(f"Head {head + 1}" for head in heads)]
    part = st.selectbox(
        "Part", parts, key=session.key("edit-part"), width=240, persist_state="session"
    )
    return None if part == whole else parts.index(part) - 1
