"""A text in a field, with a button that copies it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from mha_core.language import say

HERE: Final = Path(__file__).parent
WORDS: Final = {"copy": say("Copy"), "copied": say("Copied"), "by_key": say("Press Ctrl + C")}


def copy_text(label: str, text: str, key: str) -> None:
    """Show a text that can be selected, and copied by a button that then says so.

    While there is none, nothing can be copied.
    """
    _copy_text(key=key, data={"label": label, "text": text, **WORDS})


_copy_text: Callable[..., Any] = st.components.v2.component(
    "copy_text",
    js=(HERE / "copy_text.js").read_text("utf-8"),
    css=(HERE / "copy_text.css").read_text("utf-8"),
    isolate_styles=False,
)
