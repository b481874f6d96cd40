"""What the sections of the sidebar share: their headings, and refusals beside what was entered."""

from __future__ import annotations

import streamlit as st

from ui.controls.text import plain
from ui.state import explorer


def section(number: int, title: str, name: str) -> bool:
    """Head a part of the sidebar; False, and no heading, where a teacher has put it away."""
    shown = name not in explorer().view.hide
    if shown:
        st.html(f'<h2 class="section"><span aria-hidden="true">{number}</span>{title}</h2>')
    return shown


def refusal(*keys: str) -> None:
    """Why the last entry under a key was not taken, where it stands."""
    for key in keys:
        if refused := explorer().refusals.get(key):
            st.error(plain(refused.reason))
