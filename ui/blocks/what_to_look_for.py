"""What to look for: a sentence on each head, and what the present setting does."""

from __future__ import annotations

import html
from typing import Final

import streamlit as st

from mha_core.reading.sentences import all_readings, setting_notes
from ui.controls.markdown import plain
from ui.state import Session
from ui.theme import head_color

PALE: Final = 0.25  # a largest weight that leaves most of the colours from 0 to 1 unused
HOW_TO_SEE_PALE: Final = "To see them better, untick “One colour scale for all heads” under View."


def readings(session: Session) -> None:
    """A sentence a head, computed from its weights, and the notes on the setting."""
    said = session.make_once("readings", lambda: all_readings(session.trace))
    items = "".join(
        f'<li style="--head: {head_color(head)}"><strong>Head {head + 1}</strong>'
        f"{html.escape(reading.sentence)}</li>"
        for head, reading in enumerate(said)
    )
    st.html(
        '<p class="title">What to look for</p>'
        f'<ul class="readings" tabindex="0" aria-label="What to look for">{items}</ul>'
    )
    notes = [*session.make_once("notes", lambda: setting_notes(session.trace))]
    largest = session.make_once("largest", lambda: session.trace.weights.max())
    if session.view.shared_scale and largest < PALE:
        notes += [f"No weight is above {largest:.2f}, so their colours are pale. {HOW_TO_SEE_PALE}"]
    if notes:
        st.caption("\n\n".join(map(plain, notes)))
