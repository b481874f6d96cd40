"""Which puzzle a session shows, and layers that are the puzzle's own."""

from __future__ import annotations

from mha_core.checks.errors import MhaError
from mha_core.puzzles.ladder import QUESTIONS
from mha_core.puzzles.puzzle import Puzzle
from ui.edits.puzzle_entries import as_asked, as_given, begun, puzzle_named
from ui.state import Session


def puzzle_of(session: Session) -> Puzzle:
    """The puzzle of a session, whose layers are made to be the puzzle's own."""
    name = session.view.puzzle
    puzzle = puzzle_named(name)
    try:
        own = (
            as_asked(name, session.stack) if name in QUESTIONS else as_given(puzzle, session.stack)
        )
    except MhaError as error:
        own = begun(name)
        if session.conversation.was_described and "address" not in session.refusals:
            session.refusals.note("address", error, None)
    if own != session.stack:
        session.put_right(own)
    return puzzle
