"""A question of the page that may stand below the window is scrolled to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from ui.state import Session

SCRIPT: Final = Path(__file__).with_suffix(".js")


def bring_into_sight(session: Session, name: str) -> None:
    """The container in which it is called, once it comes; as little as is needed."""
    _in_sight(key=session.key(f"in-sight-{name}"), height=0)


_in_sight: Callable[..., Any] = st.components.v2.component(
    "in_sight", js=SCRIPT.read_text("utf-8"), isolate_styles=False
)
