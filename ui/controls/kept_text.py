"""A text that the tab keeps, so that a reload does not lose it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from ui.controls.own_component import own_component
from ui.reports import note, reported


def keep_text(
    key: str,
    name: str,
    text: str | None,
    on_back: Callable[[str], None],
    *,
    always_tells: bool = False,
) -> None:
    """Let the tab keep a text. None: there is none yet, and `on_back` gets what the tab has kept.

    A tab that has kept nothing says so only if it `always_tells`: that costs a run of the page.
    """
    asks = text is None and not has_told(name)
    _kept_text(
        key=key,
        data={"name": name, "text": None if asks else text or "", "always": always_tells},
        on_back_change=partial(_take, key, name, on_back),
    )


def has_told(name: str) -> bool:
    """Whether the tab has said what it has kept."""
    return _told(name) in st.session_state


def _told(name: str) -> str:
    return f"the tab has told its {name}"


def _take(key: str, name: str, on_back: Callable[[str], None]) -> None:
    text = reported(key, "back")
    if isinstance(text, str) and text:  # anyone can send anything
        on_back(text)
    note({_told(name): True})


_kept_text = own_component(__file__)
