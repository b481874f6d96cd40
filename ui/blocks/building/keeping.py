"""How an answer is kept or handed in, as a link or a file; and a teacher's own puzzle with it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from mha_core.checks.errors import MhaError
from mha_core.language import say
from mha_core.puzzles.checking import Verdict
from mha_core.puzzles.puzzle import Puzzle
from ui.blocks.building.files import files_of_puzzle
from ui.blocks.building.making import save_own
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.blocks.building.question import question_of
from ui.blocks.building.verdict import verdict_on
from ui.blocks.download import scenario_buttons
from ui.blocks.page_links import Shown, link_to
from ui.blocks.share import link_to_page, why_no_link
from ui.controls.copy_text import copy_text
from ui.controls.refusal import show_refusal
from ui.edits.own_puzzle_form import is_own_puzzle, own_puzzle_named, with_solution
from ui.state import Session, View, fits_a_link

SOLUTION: Final = "own-solution"  # the key of one that is refused


def to_keep(session: Session) -> None:
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
    if is_own_puzzle(session.view.puzzle):
        _keep_own(session)
    here = {"": Shown(session, View())}
    link_to("explore.py", say("Open this head in the explorer"), session.key("explore"), here)


def _keep_own(session: Session) -> None:
    """A teacher's own puzzle as a file; and an answer that is right may become its solution."""
    name, puzzle = session.view.puzzle, puzzle_of(session)
    with st.container(horizontal=True):
        save_own(session, own_puzzle_named(name))
        verdict = verdict_on(session, puzzle)
        if isinstance(verdict, Verdict) and verdict.is_right:
            take = partial(_take_as_solution, session, puzzle)
            st.button(say("Make this its solution"), key=session.key("solution"), on_click=take)
    show_refusal(session, SOLUTION)


def _take_as_solution(session: Session, puzzle: Puzzle) -> None:
    session.refusals.pop(SOLUTION, None)
    try:
        name = with_solution(session.view.puzzle, puzzle.answer_in(session.stack))
    except MhaError as error:
        session.refusals.note(SOLUTION, error, None)
    else:
        session.open(session.stack, view=replace(session.view, puzzle=name))
