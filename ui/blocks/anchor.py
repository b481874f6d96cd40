"""Places on the page that the way of the data leads to."""

from __future__ import annotations

import streamlit as st

from ui.state import Session


def anchor(session: Session, name: str, of_class: str = "") -> None:
    """Where a click on the way of the data leads. The class is for page.css."""
    named = f' class="{of_class}"' if of_class else ""
    st.html(f'<span id="{session.key(name)}"{named}></span>')
