"""The reason why an entry was refused, below its widget."""

from __future__ import annotations

import streamlit as st

from ui.controls.markdown import plain
from ui.state import Session


def show_refusal(session: Session, *keys: str, meanwhile: str = "") -> None:
    """Why the last entry under each of these keys was not taken: each reason is a paragraph.

    `meanwhile` says what is shown instead, where that is not plain to see.
    """
    for key in keys:
        if refused := session.refusals.get(key):
            said = f"{refused.reason} {meanwhile}".rstrip()
            st.error("\n\n".join(map(plain, said.splitlines())))
