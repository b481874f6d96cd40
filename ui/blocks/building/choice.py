"""Which puzzle it is, with the stars that its best answer has, and how to keep an answer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from mha_core.language import say
from ui.blocks.building.files import files_of_puzzle
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.blocks.building.question import question_of
from ui.blocks.building.verdict import as_stars, note_stars
from ui.blocks.download import scenario_buttons
from ui.blocks.page_links import Shown, link_to
from ui.blocks.share import link_to_page, why_no_link
from ui.blocks.title_line import BUILD, opens, title_line
from ui.blocks.tours.add_stop import add_to_own_tour
from ui.controls.copy_text import copy_text
from ui.controls.history import history_buttons, reset_button
from ui.controls.kept_text import keep_text
from ui.controls.markdown import plain
from ui.controls.present_button import present_button
from ui.controls.refusal import show_refusal
from ui.edits.puzzle_entries import TITLES, begun, puzzle_named
from ui.reports import reported
from ui.state import Session, View, fits_a_link
from ui.state.best_answers import as_text, best_answers, bring_back

RESET: Final = say("Back to zeros")


def heading(session: Session) -> None:
    """The title, what can be done with an answer, the choice of a puzzle, and its job."""
    puzzle = puzzle_of(session)
    question = question_of(session)
    if not question:
        note_stars(session, puzzle)
    with title_line(session, BUILD):
        history_buttons(session)
        reset_button(session, RESET)
        opens(session, "to-tour", say("Add to my tour"), add_to_own_tour)
        opens(session, "to-keep", say("Keep or hand in"), _to_keep)
        present_button(session)
    show_refusal(session, "address")
    best = best_answers()
    keep_text(session.key("best"), "puzzles", as_text(best), partial(bring_back, best))
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("which-job")):
        _choice(session)
        job = question.asked if question else puzzle.job
        st.markdown(f"**{plain(job)}**", width="content")
        st.caption(plain(say("Source: {source}.").format(source=puzzle.source)), width="content")


def _choice(session: Session) -> None:
    best, key = best_answers(), session.key("puzzle")
    st.session_state[key] = session.view.puzzle
    st.selectbox(
        say("Puzzle"),
        list(TITLES),
        format_func=lambda name: in_the_list(name, best[name].stars if name in best else 0),
        key=key,
        on_change=lambda: _choose(session, reported(key)),
        width=380,
        label_visibility="collapsed",
    )


def in_the_list(name: str, stars: int) -> str:
    """A puzzle's number and title; with stars, once it is solved.

    >>> in_the_list("first", 2)
    '2. Look at the first token ★★☆'
    """
    number = list(TITLES).index(name) + 1
    return f"{number}. {TITLES[name]} {as_stars(stars) if stars else ''}".strip()


def _choose(session: Session, name: object) -> None:
    if name in TITLES and name != session.view.puzzle:  # anyone can send anything
        open_puzzle(session, str(name))


def open_puzzle(session: Session, name: str) -> None:
    puzzle = puzzle_named(name)
    first = min(map(puzzle.layer_of, puzzle.free), default=0)  # that has something to write
    layer = min(first, len(puzzle.above))
    view = replace(session.view.without_glances(), puzzle=name, layer=layer)
    session.open(begun(name), view=view)


def _to_keep(session: Session) -> None:
    label = say("Without hints and solution")
    is_bare = st.checkbox(label, "hints" in session.view.hide, key=session.key("bare"))
    if fits_a_link(session):
        view = replace(session.view.without_glances(), hide=("hints",) if is_bare else ())
        copy_text(say("Link to this answer"), link_to_page(session, view), session.key("link"))
    else:
        st.markdown(why_no_link(session))
    scenario_buttons(session, "build")
    if not question_of(session):
        files_of_puzzle(session, is_bare=is_bare)
    here = {"": Shown(session, View())}
    link_to("explore.py", say("Open this head in the explorer"), session.key("explore"), here)
