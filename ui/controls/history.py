"""Undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from ui.state import HISTORY_KEY, explorer

HERE: Final = Path(__file__).parent


def history_buttons() -> None:
    """One step back or on, as often and as fast as somebody clicks."""
    session = explorer()
    _history(
        key=HISTORY_KEY,
        data={"at": session.at, "last": len(session.history) - 1},
        on_go_change=_go,
        width="content",
    )


def _go() -> None:
    place = st.session_state[HISTORY_KEY].get("go")
    if isinstance(place, int):  # anyone can send anything
        explorer().step_to(place)


_history: Callable[..., Any] = st.components.v2.component(
    "history",
    js=(HERE / "history.js").read_text("utf-8"),
    css=(HERE / "history.css").read_text("utf-8"),
    isolate_styles=False,
)
