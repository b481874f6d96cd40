"""What a person types into a field that a run may take away is there when the field comes again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

SCRIPT: Final = Path(__file__).with_suffix(".js")


def keep_typing(field: str, taken: int) -> None:
    """Call it beside the text field with this key. A text goes when `taken` is another number."""
    _kept_typing(key=f"{field}-kept", data={"field": field, "taken": taken}, height=0)


_kept_typing: Callable[..., Any] = st.components.v2.component(
    "kept_typing", js=SCRIPT.read_text("utf-8"), isolate_styles=False
)
