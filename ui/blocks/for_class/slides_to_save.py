"""Slides, and the pack of everything."""

from __future__ import annotations

from functools import partial

import streamlit as st

from ui.blocks.for_class.making import (
    FREE,
    album,
    kinds_of_files,
    made_files,
    paper_of,
    save,
    show_sheet,
    wish_of,
)
from ui.controls.markdown import plain
from ui.prints.files import KINDS, why_not
from ui.prints.pack import Entry, Wish, pack_entries, slides_file
from ui.prints.sizes import SIZES
from ui.prints.slides import Slide, sheets_of, slides_of
from ui.state import Session

FOR_SLIDES = ("slide", "slide43")
FILES = {"pptx": "PowerPoint", "pdf": "PDF"}
NEEDS = {"pptx": ("pptx", "fontTools"), "pdf": KINDS["pdf"].needs}


def slides_to_save(session: Session) -> None:
    """Left the choices, right the slide that is looked at."""
    choices, shown = st.columns([2, 3], gap="large")
    with choices:
        st.markdown(
            "A title, then one operation a slide, with its formula and a sentence. "
            "In PowerPoint each cell is a shape, and the notes have what to say."
        )
        paper = paper_of(session, FOR_SLIDES)
        wish = wish_of(session, paper)
        deck = _deck(session, wish)
        number = st.selectbox(
            "Look at a slide",
            range(len(deck)),
            format_func=lambda number: f"{number + 1}. {deck[number].title}",
            key=session.key("slide"),
        )
        for kind, title in FILES.items():
            if reason := why_not(NEEDS[kind]):
                st.caption(plain(f"{title}: {reason}"))
            elif st.button(f"Save as {title}", type="primary", key=session.key(f"slides-{kind}")):
                entry = Entry(f"slides.{kind}", partial(slides_file, wish, kind))
                save(session, made_files(session, [entry]), "slides")
    with shown:
        show_sheet(sheets_of([deck[number]], *paper)[0])


def pack_to_save(session: Session) -> None:
    """Everything of a lecture in one file."""
    choices, shown = st.columns([2, 3], gap="large")
    pictures = album(session)
    with choices:
        kinds = kinds_of_files(session)
        paper = paper_of(session, [*SIZES, FREE])
        every = st.toggle("A picture of every step too", key=session.key("every-step"))
        chosen = [each for each in pictures.values() if every or not each.is_step]
        wish = wish_of(session, paper, chosen, kinds)
        if st.button("Save the lecture pack", type="primary", key=session.key("save-pack")):
            save(session, made_files(session, pack_entries(wish)), "lecture-pack")
    with shown:
        st.markdown(
            f"A ZIP of {len(chosen)} pictures with captions, the slides as PowerPoint and PDF, "
            "a handout in LaTeX, the scenario, a link to this page, every matrix as CSV with all "
            "digits, and programs that make the numbers anew."
        )
        for picture in chosen:
            st.caption(picture.caption)


def _deck(session: Session, wish: Wish) -> list[Slide]:
    of = (wish.title, wish.link, wish.head, wish.look)
    return session.make_once(("slides", of), lambda: slides_of(wish.trace, *of))
