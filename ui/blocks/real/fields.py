"""Fields of the page: their values stand in what is kept of it, not in the widgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from ui.reports import reported
from ui.state.real_layers import RealLayers

MAPPING: Final = "hand-mapping"  # the key of refusals of what is mapped
FIELD: Final = 154  # pixels: two stand side by side on a phone, in "More" too

Take = Callable[[Any], None]


def select(
    key: str,
    label: str,
    options: Sequence[Any],
    value: Any,
    take: Take,
    in_words: Callable[[Any], str],
    width: Any = "stretch",
    help: str | None = None,
) -> None:
    """One of several."""
    st.session_state[key] = value if value in options else None
    st.selectbox(
        label,
        options,
        format_func=in_words,
        key=key,
        on_change=partial(_taken, key, take),
        width=width,
        help=help,
    )


def some(
    key: str,
    label: str,
    options: Sequence[str],
    chosen: Sequence[str],
    take: Take,
    in_words: Callable[[str], str],
    nothing: str,
    help: str,
) -> None:
    """Any of several."""
    st.session_state[key] = [each for each in options if each in chosen]
    st.multiselect(
        label,
        options,
        format_func=in_words,
        key=key,
        on_change=partial(_taken, key, take),
        placeholder=nothing,
        width=2 * FIELD,
        help=help,
    )


def count(
    key: str, label: str, value: int, most: int, nothing: str, take: Take, help: str | None = None
) -> None:
    """A whole number from 1 up; 0 where nothing was said."""
    st.session_state[key] = value or None
    st.number_input(
        label,
        1,
        most,
        step=1,
        key=key,
        placeholder=nothing,
        on_change=lambda: take(int(reported(key) or 0)),
        width=FIELD,
        help=help,
    )


def typed(
    shown: RealLayers,
    key: str,
    label: str,
    value: str,
    nothing: str,
    take: Take,
    help: str,
    *,
    has_lines: bool = False,
) -> None:
    """Numbers and expressions. What cannot be read is refused, and the field has the last value.

    A field of one line would join lines that are pasted.
    """
    st.session_state[key] = value

    def read() -> None:
        text = str(reported(key) or "")
        with shown.refusals.noting(MAPPING, text):
            take(text)

    field = st.text_area if has_lines else st.text_input
    field(label, key=key, placeholder=nothing, on_change=read, width=FIELD, help=help or None)


def switch(key: str, label: str, *, is_on: bool, take: Take, help: str | None = None) -> None:
    st.session_state[key] = is_on
    st.toggle(label, key=key, on_change=lambda: take(bool(reported(key))), help=help)


def _taken(key: str, take: Take) -> None:
    take(reported(key))
