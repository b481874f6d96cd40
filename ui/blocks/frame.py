"""The top and the bottom of the page: what is shown, what it claims, the way back and away."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Final

import streamlit as st

from ui.blocks.share import TOO_LARGE, save_button, share
from ui.controls.fields import refusal
from ui.controls.history import history_buttons
from ui.controls.text import plain
from ui.figures.strip import strip
from ui.state import Session, fits_a_link

STYLE: Final = Path(__file__).parent / "page.css"
HOLDS: Final = '<span class="yes" role="img" aria-label="holds">✓</span>'
FAILS: Final = '<span class="no" role="img" aria-label="does not hold">✗</span>'


def style() -> None:
    st.html(STYLE)


def heading(session: Session) -> None:
    """What is on the page, and the way back: title, tools, claims as they are computed."""
    example = session.example_shown
    title = example.title if example else "Your own setting"
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("heading")):
        st.title(title + (", changed" if example and session.is_changed else ""), anchor=False)
        _tools(session)
    refusal(session, "address", "example")
    if not fits_a_link(session):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(TOO_LARGE, width="content")
            save_button(session, "heading-save")
    if not example:
        return
    if session.once("holds", lambda: example.holds(session.trace)):
        st.text(example.sentence)
    checked = session.once(
        "claims", lambda: [(c.sentence, c.holds(session.trace)) for c in example.claims]
    )
    items = "".join(
        f"<li>{HOLDS if holds else FAILS}<span>{html.escape(sentence)}</span></li>"
        for sentence, holds in checked
    )
    st.html(f'<ul class="claims">{items}</ul>')


def about(session: Session) -> None:
    """Notes on the example and the errata of its document."""
    example = session.example_shown
    if not example:
        return
    notes = session.once("notes of the example", lambda: example.notes_that_hold(session.trace))
    if not (notes or example.errata):
        return
    st.subheader("About this example", anchor=False)
    for note in notes:
        st.markdown(plain(note))
    for erratum in example.errata:
        st.markdown(
            f"**Erratum, {plain(erratum.where)}.** The source document says "
            f"“{plain(erratum.says)}”. In truth: {plain(erratum.truth)}"
        )


def _tools(session: Session) -> None:
    """Undo, redo, back to the example, share."""
    with st.container(
        horizontal=True, width="content", wrap=False, gap="xsmall", key=session.key("tools")
    ):
        history_buttons(session)
        st.button(
            "Reset",
            on_click=session.reset,
            key=session.key("reset"),
            help="Back to what was opened: an example, a link or a file",
        )
        place = st.popover("Share", key=session.key("share"), on_change="rerun")
    if place.open:
        with place:
            share(session)


def way_of_the_data(session: Session) -> None:
    st.html(session.once("strip", lambda: strip(session.trace, prefix=session.key(""))))
