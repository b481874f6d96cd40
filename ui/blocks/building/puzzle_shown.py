"""Which puzzle a session shows, and layers that are the puzzle's own."""

from __future__ import annotations

from dataclasses import replace

from mha_core.checks.errors import MhaError
from mha_core.puzzles.ladder import QUESTIONS
from mha_core.puzzles.puzzle import Puzzle
from ui.edits.puzzle_entries import as_asked, as_given, begun, layer_begun, puzzle_named
from ui.state import Session
from ui.state.best_answers import kept_answer


def puzzle_of(session: Session) -> Puzzle:
    """The puzzle of a session, whose layers are made to be the puzzle's own.

    Another run may take an entry meanwhile. It waits: else what this one has read would replace it.
    """
    name = session.view.puzzle
    puzzle = puzzle_named(name)
    with session.changing:
        try:
            own = (
                as_asked(name, session.stack)
                if name in QUESTIONS
                else as_given(puzzle, session.stack)
            )
        except MhaError as error:
            own = begun(name)
            if session.conversation.was_described and "address" not in session.refusals:
                session.refusals.note("address", error, None)
        if own != session.stack:
            session.put_right(own)
    return puzzle


def open_puzzle(session: Session, name: str) -> None:
    """A puzzle as it was left in this tab, else with zeros. Undo leads from one to the other."""
    puzzle = puzzle_named(name)
    view = replace(session.view.without_glances(), puzzle=name, layer=layer_begun(name))
    session.open(begun(name), view=view)
    if (left := kept_answer(name)) is not None:
        session.attempt_on_stack("left", None, lambda _: as_given(puzzle, left))
