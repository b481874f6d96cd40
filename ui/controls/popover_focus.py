"""The focus goes into a popover that opens, and back to its button when it closes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from ui.state import Session

SCRIPT: Final = Path(__file__).with_suffix(".js")


def take_focus(session: Session, popover: str) -> None:
    """Call it inside the popover with this name, while it is open."""
    _popover_focus(key=session.key(f"focus-{popover}"), height=0)


_popover_focus: Callable[..., Any] = st.components.v2.component(
    "popover_focus", js=SCRIPT.read_text("utf-8"), isolate_styles=False
)
