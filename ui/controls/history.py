"""Undo and redo, and the browser's Back and Forward, which do the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

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
        on_visit_change=_visit,
        width="content",
    )


def _go() -> None:
    place = st.session_state[HISTORY_KEY].get("go")
    if isinstance(place, int):  # anyone can send anything
        explorer().step_to(place)


def _visit() -> None:
    search = st.session_state[HISTORY_KEY].get("visit")
    if isinstance(search, str):
        pairs = parse_qsl(search.removeprefix("?"), keep_blank_values=True)
        explorer().visit({name: value for name, value in pairs if not name.startswith("embed")})


_history: Callable[..., Any] = st.components.v2.component(
    "history",
    js=(HERE / "history.js").read_text("utf-8"),
    css=(HERE / "history.css").read_text("utf-8"),
    isolate_styles=False,
)
