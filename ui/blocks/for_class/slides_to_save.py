"""Slides, and the pack of everything."""

from functools import partial

import streamlit as st

from mha_core.language import say
from ui.blocks.for_class.chosen_tour import chosen_tour
from ui.blocks.for_class.making import (
    FREE,
    albums,
    is_asked_for,
    kinds_of_files,
    made_files,
    paper_of,
    save,
    show_sheet,
    wish_of,
)
from ui.blocks.for_class.slides_of_a_tour import slides_of_tour
from ui.prints.files import NEEDS_OF_SLIDES, why_not
from ui.prints.pack import FileToMake, PackWish, deck_file, pack_entries
from ui.prints.sizes import SIZES
from ui.prints.slides import Slide, sheets_of, slides_of_layers
from ui.state import Session
from ui.state.tour_stops import tour_on_pages

FOR_SLIDES = ("slide", "slide43")
FILES = {"pptx": "PowerPoint", "pdf": "PDF"}


def slides_to_save(session: Session) -> None:
    """The choices on the left, the present slide on the right."""
    choices, shown = st.columns([2, 3], gap="large")
    with choices:
        st.markdown(
            say(
                "A title slide, then one slide for each operation, or for each stop of a tour. In "
                "PowerPoint each cell is a shape, and the notes have what to say."
            )
        )
        tour = chosen_tour(session, say("Slides of"), "slides-of")
        paper = paper_of(session, FOR_SLIDES)
        deck = _deck_of_tour(session, tour) if tour else _deck(session, wish_of(session, paper))
        number = st.selectbox(
            say("Look at a slide"),
            range(len(deck)),
            format_func=lambda number: f"{number + 1}. {deck[number].title}",
            key=session.key(f"slide {tour} {len(deck)}"),
        )
        for kind, program in FILES.items():
            says, reason = (
                say("Save as {program}").format(program=program),
                why_not(NEEDS_OF_SLIDES[kind]),
            )
            if is_asked_for(session, says, f"slides-{kind}", program, reason):
                entry = FileToMake(f"slides.{kind}", partial(deck_file, deck, *paper, kind))
                title = tour_on_pages(tour).title if tour else ""
                save(session, made_files(session, [entry]), "slides", title)
    with shown:
        show_sheet(sheets_of([deck[number]], *paper)[0])


def pack_to_save(session: Session) -> None:
    """Everything of a lecture in one file."""
    choices, shown = st.columns([2, 3], gap="large")
    pictures = [picture for of_layer in albums(session) for picture in of_layer.values()]
    with choices:
        kinds = kinds_of_files(session)
        paper = paper_of(session, [*SIZES, FREE])
        every = st.toggle(say("A picture of every step too"), key=session.key("every-step"))
        chosen = [each for each in pictures if every or not each.is_step]
        wish = wish_of(session, paper, chosen, kinds)
        if st.button(say("Save the lecture pack"), type="primary", key=session.key("save-pack")):
            save(session, made_files(session, pack_entries(wish)), "lecture-pack")
    with shown:
        st.markdown(
            say(
                "A ZIP of {count} pictures with captions, the slides as PowerPoint and PDF, a "
                "handout as PDF and in LaTeX, the scenario, a link to this page, every matrix as "
                "CSV with all digits, and programs that compute the numbers again."
            ).format(count=len(chosen))
        )
        for picture in chosen:
            st.caption(picture.caption)


def _deck_of_tour(session: Session, tour: str) -> list[Slide]:
    return session.make_once(("tour", tour), lambda: slides_of_tour(tour_on_pages(tour)))


def _deck(session: Session, wish: PackWish) -> list[Slide]:
    of = (wish.title, wish.link, wish.head, wish.look)
    return session.make_once(("slides", of), lambda: slides_of_layers(wish.traces, *of))
