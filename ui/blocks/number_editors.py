"""Every number that is given, to be edited: one array at a time."""

from __future__ import annotations

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from mha_core.language import say
from ui.blocks.heads_shown import name_of_head
from ui.controls.editors import matrix_editor
from ui.edits.editable_array import EDITABLE, Editable
from ui.state import Session, let_come_back


def place_for_editors(session: Session, title: str = "") -> ExpanderContainer | None:
    """A panel as wide as the page; None where a link hides it."""
    if "editors" in session.view.hide:
        return None
    words = title or say("Edit the numbers")
    return st.expander(words, key=session.key("editors"), on_change="rerun")


def number_editors(session: Session, place: ExpanderContainer | None) -> None:
    """In its place, a person picks an array and edits it."""
    if not place or not place.open:
        return
    with place:
        name = _chosen_array(session)
        matrix_editor(session, name, head=_chosen_head(session, name))


def _chosen_array(session: Session) -> str:
    let_come_back(session, session.key("edit-which"))
    arrays = [name for name in EDITABLE if Editable(name).is_offered(session.scenario)]
    name = st.pills(
        say("Matrix"),
        arrays,
        default="x",
        required=True,
        format_func=lambda name: Editable(name).short_title,
        key=session.key("edit-which"),
        wrap=True,
    )
    return name or "x"  # the chosen array may be gone


def _chosen_head(session: Session, name: str) -> int | None:
    """The head whose numbers are edited; None for all of them, and where heads have none."""
    heads = Editable(name).heads(session.scenario)
    if not heads:
        return None
    all_heads = say("All heads")
    choices = [all_heads, *map(name_of_head, heads)]
    are_rows = "*" in Editable(name).dims.axes[0]
    let_come_back(session, session.key("edit-part"))
    choice = st.selectbox(
        say("Rows of head") if are_rows else say("Columns of head"),
        choices,
        key=session.key("edit-part"),
        width=240,
        persist_state="session",
    )
    return None if choice == all_heads else choices.index(choice) - 1
