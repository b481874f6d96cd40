"""The strip as the map of the page: it marks the part in view, and opens what it leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import streamlit as st

from ui.state import Session

SCRIPT: Final = Path(__file__).with_suffix(".js")


def keep_way_in_sight(session: Session, parts: Mapping[str, str]) -> None:
    """To be called in the container of the strip.

    `parts` gives each place that a link leads to the key of its container.
    """
    keys = {session.key(place): session.key(part) for place, part in parts.items()}
    _way_in_sight(key=session.key("way-in-sight"), data=keys, height=0)


_way_in_sight: Callable[..., Any] = st.components.v2.component(
    "way_in_sight", js=SCRIPT.read_text("utf-8"), isolate_styles=False
)
