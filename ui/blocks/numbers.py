"""Every number that is given, to be edited."""

from __future__ import annotations

import streamlit as st

from ui.blocks.anchor import anchor
from ui.controls.editable import EDITABLE
from ui.controls.editors import matrix_editor
from ui.state import explorer


def editors() -> None:
    """Every number that is given, to be edited: one array at a time."""
    session = explorer()
    if "editors" in session.view.hide:
        return
    anchor("input")
    place = st.expander("Edit the numbers", key="editors", on_change="rerun")
    if not place.open:
        return
    with place:
        arrays = [
            name for name in EDITABLE if name != "context" or session.scenario.context is not None
        ]
        left, right = st.columns([3, 2])
        name = left.segmented_control(
            "Which",
            arrays,
            default="x",
            required=True,
            format_func=lambda name: EDITABLE[name].symbol,
            key="edit-which",
        )
        whole = "All heads"
        heads = [whole, *(f"Head {head + 1}" for head in range(session.scenario.n_heads))]
        part = right.selectbox("Part", heads, key="edit-part")
        matrix_editor(name or "x", head=None if part == whole else heads.index(part) - 1)
