"""What slides or a page are made of: the scenario itself, or a tour."""

from __future__ import annotations

import streamlit as st

from mha_core.guide.tours import TOURS
from ui.blocks.tours.own import OWN, own_tour_of
from ui.state import Session


def chosen_tour(session: Session, label: str, key: str) -> str:
    """The tour that is chosen here, as an address names it; "" for the scenario itself."""
    titles = {"": "This scenario", **{name: f"Tour: {t.title}" for name, t in TOURS.items()}}
    if own := own_tour_of(OWN):
        titles[own.packed] = f"Your tour: {own.title}"
    return st.selectbox(
        label,
        list(titles),
        format_func=titles.__getitem__,
        key=session.key(key),
        persist_state="session",  # it is still chosen after a look at another offer
    )
