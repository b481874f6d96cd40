"""Keys that lead through the walkthrough, as a remote control for slides sends them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from ui.state import Session

SCRIPT: Final = Path(__file__).with_suffix(".js")


def walk_keys(session: Session, back: str, on: str, *, of_remote_alone: bool = False) -> None:
    """`back` and `on` are the keys of the buttons, or of boxes with a link, that get pressed.

    With `of_remote_alone` only the keys of a remote control press them.
    """
    _walk_keys(
        key=session.key("walk-keys"),
        data={
            "back": session.key(back),
            "on": session.key(on),
            "isForRemoteAlone": of_remote_alone,
        },
        height=0,
    )


_walk_keys: Callable[..., Any] = st.components.v2.component(
    "walk_keys", js=SCRIPT.read_text("utf-8"), isolate_styles=False
)
