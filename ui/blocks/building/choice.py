"""Which puzzle it is, with the stars that its best answer has, and the way to one's own."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from mha_core.language import say
from ui.blocks.building.keeping import to_keep
from ui.blocks.building.making import is_making, make
from ui.blocks.building.puzzle_shown import open_puzzle, puzzle_of
from ui.blocks.building.question import question_of
from ui.blocks.building.verdict import as_stars, note_stars
from ui.blocks.title_line import BUILD, opens, title_line
from ui.blocks.tours.add_stop import add_to_own_tour
from ui.controls.history import history_buttons, reset_button
from ui.controls.kept_text import keep_text
from ui.controls.markdown import plain
from ui.controls.present_button import present_button
from ui.controls.refusal import show_refusal
from ui.edits.own_puzzle_form import MAKE, is_being_made, own_puzzle_named
from ui.edits.puzzle_entries import TITLES
from ui.reports import reported
from ui.state import Session
from ui.state.best_answers import as_text, best_answers, bring_back, keep_answer

RESET: Final = say("Back to zeros")
WHAT_TO_MAKE: Final = say("A puzzle for your class: say what is wanted, and open it.")


def heading(session: Session) -> None:
    """The title, what can be done with an answer, the choice of a puzzle, and its job."""
    puzzle = puzzle_of(session)
    question = question_of(session)
    if not question and not is_making(session):
        note_stars(session, puzzle)
        keep_answer(session.view.puzzle, session.stack)
    with title_line(session, BUILD):
        if not is_making(session):
            _tools(session)
    show_refusal(session, "address")
    best = best_answers()
    keep_text(session.key("best"), "puzzles", as_text(best), partial(bring_back, best))
    with st.container(horizontal=True, vertical_alignment="center", key=session.key("which-job")):
        _choice(session)
        job = question.asked if question else puzzle.job
        says = WHAT_TO_MAKE if is_making(session) else job
        st.markdown(f"**{plain(says)}**", width="content")


def _tools(session: Session) -> None:
    history_buttons(session)
    reset_button(session, RESET)
    opens(session, "to-tour", say("Add to my tour"), add_to_own_tour)
    opens(session, "to-keep", say("Keep or hand in"), to_keep)
    present_button(session)


def _choice(session: Session) -> None:
    best, key = best_answers(), session.key("puzzle")
    st.session_state[key] = session.view.puzzle
    st.selectbox(
        say("Puzzle"),
        names_in_the_list(session.view.puzzle),
        format_func=lambda name: in_the_list(name, best[name].stars if name in best else 0),
        key=key,
        on_change=lambda: _choose(session, reported(key)),
        width=380,
        label_visibility="collapsed",
    )


def names_in_the_list(shown: str) -> list[str]:
    """Ours, the one that is shown, and the way to one's own."""
    return [*dict.fromkeys((*TITLES, shown, MAKE))]


def in_the_list(name: str, stars: int) -> str:
    """A puzzle's number and title; with stars, once it is solved.

    >>> in_the_list("first", 2)
    '2. Look at the first token ★★☆'
    """
    if name == MAKE:
        return say("Make a puzzle of your own")
    end = as_stars(stars) if stars else ""
    if name not in TITLES:
        says = say("Change {title}") if is_being_made(name) else "{title}"
        return f"{says.format(title=own_puzzle_named(name).title)} {end}".strip()
    return f"{list(TITLES).index(name) + 1}. {TITLES[name]} {end}".strip()


def _choose(session: Session, name: object) -> None:
    known = names_in_the_list(session.view.puzzle)
    if name in known and name != session.view.puzzle:  # anyone can send anything
        open_puzzle(session, str(name))


def make_own(session: Session) -> None:
    """The form that makes a puzzle, and opens it."""
    make(session, partial(open_puzzle, session))
