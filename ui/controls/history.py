"""Undo and redo, and the browser's Back and Forward, which do the same.

The same component asks for a run when a cut connection is there again. Streamlit itself does so
only if it knew of a run when the connection was cut.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import streamlit as st

from ui.state import HISTORY_KEY, Session

HERE: Final = Path(__file__).parent


def history_buttons(session: Session) -> None:
    """One step back or on, as often and as fast as somebody clicks."""
    key = session.key(HISTORY_KEY)

    def go() -> None:
        place = st.session_state[key].get("go")
        if isinstance(place, int):  # anyone can send anything
            session.step_to(place)

    def visit() -> None:
        search = st.session_state[key].get("visit")
        if isinstance(search, str) and session.address:
            pairs = parse_qsl(search.removeprefix("?"), keep_blank_values=True)
            session.address.visit(
                {name: value for name, value in pairs if not name.startswith("embed")}
            )

    _history(
        key=key,
        data={"at": session.history.at, "last": session.history.last},
        on_go_change=go,
        on_visit_change=visit,
        on_reconnected_change=_run_the_page,
        width="content",
    )


def _run_the_page() -> None:
    """Nothing else: a browser that has connected again is told what the page shows."""


_history: Callable[..., Any] = st.components.v2.component(
    "history",
    js=(HERE / "history.js").read_text("utf-8"),
    css=(HERE / "history.css").read_text("utf-8"),
    isolate_styles=False,
)
