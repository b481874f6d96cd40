"""A text that the tab keeps, so that a reload does not lose it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import streamlit as st

from ui.reports import reported

HERE: Final = Path(__file__).parent


def keep_text(key: str, name: str, text: str | None, on_back: Callable[[str], None]) -> None:
    """Let the tab keep a text; "" is forgotten. None: `on_back` gets what it has kept, once."""
    _kept_text(
        key=key, data={"name": name, "text": text}, on_back_change=partial(_take, key, on_back)
    )


def _take(key: str, on_back: Callable[[str], None]) -> None:
    text = reported(key, "back")
    if isinstance(text, str):  # anyone can send anything
        on_back(text)


_kept_text: Callable[..., Any] = st.components.v2.component(
    "kept_text", js=(HERE / "kept_text.js").read_text("utf-8"), isolate_styles=False
)
