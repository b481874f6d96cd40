"""A puzzle as a file: a page that checks answers without a server, a sheet to print, its key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from mha_core.language import say
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.puzzle import Puzzle
from ui.blocks.building.puzzle_shown import puzzle_of
from ui.controls.file_names import as_file_name
from ui.controls.hand_over import hand_over
from ui.controls.markdown import plain
from ui.machine.budget import TURNS
from ui.prints.files import KINDS, why_not
from ui.prints.pdf import pdf_of
from ui.prints.puzzle_sheet import puzzle_key, puzzle_sheets
from ui.saved.puzzle_page import puzzle_page
from ui.state import Session


def files_of_puzzle(session: Session, *, is_bare: bool) -> None:
    """A button for each, which makes the file; a bare one does not help.

    The page begins with what is written now.
    """
    puzzle = puzzle_of(session)
    arrays = puzzle.answer_in(session.stack)
    name = puzzle.name if puzzle.name in PUZZLES else as_file_name(puzzle.title, "puzzle")
    kinds: dict[str, tuple[str, Callable[[], bytes]]] = {
        f"{name}.html": (
            say("As an HTML file"),
            partial(puzzle_page, puzzle, arrays, is_bare=is_bare),
        )
    }
    why_no_pdf = why_not(KINDS["pdf"].needs)
    if not why_no_pdf:
        sheet = partial(_sheet, puzzle, has_hints=not is_bare)
        kinds[f"{name}.pdf"] = (say("As a sheet to print"), sheet)
        if puzzle.solution():
            kinds[f"{name}-key.pdf"] = (say("Its answer key"), partial(_key, puzzle))
    with st.container(horizontal=True):
        asked = [
            file
            for file, (label, _) in kinds.items()
            if st.button(label, key=session.key(f"save {file}"))
        ]
    if why_no_pdf:
        st.caption(plain(say("No {kind} file: {reason}").format(kind="PDF", reason=why_no_pdf)))
    for file in asked:
        with TURNS.turn(session.use):
            made = kinds[file][1]()
        hand_over(file, made, session.key("handed-over"))


def _sheet(puzzle: Puzzle, *, has_hints: bool) -> bytes:
    return pdf_of(puzzle_sheets(puzzle, has_hints=has_hints))


def _key(puzzle: Puzzle) -> bytes:
    return pdf_of(puzzle_key(puzzle))
