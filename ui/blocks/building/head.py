"""The head that is built: its matrices, what they make, and where it looks."""

from __future__ import annotations

from typing import Final

import streamlit as st

from mha_core import StackTrace, Trace
from mha_core.language import say
from mha_core.puzzles.checking import hidden_of
from mha_core.puzzles.puzzle import Puzzle
from mha_core.scenario.given_arrays import GIVEN
from ui.blocks.cell_entries import HOW_TO_EDIT, ask_about_blocks
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import fragment, leave_to_whole_page
from ui.controls.markdown import plain
from ui.edits.puzzle_entries import puzzle_named
from ui.figures.building import building_figure, building_on_screen
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.plot import Picture
from ui.state import Session

HERE: Final = "build"
WHAT_IS_SEEN: Final = say("{count} sentences, one below the other: a mask keeps each to itself.")
CHECKED: Final = say("{count} more are checked.")


def head_picture(session: Session, *, is_presented: bool = False) -> Picture | None:
    """Of the layer that is shown."""
    alt = say("The matrices of the head, what they make, and its weights")
    of = (session.traces, puzzle_named(session.view.puzzle), session.layer, is_presented)
    return picture(session, "puzzle", alt, _figure, *of, shows_moved=False)


def _figure(
    _: Trace,
    traces: StackTrace,
    puzzle: Puzzle,
    layer: int,
    is_presented: bool,
    look: Look | None = None,
) -> Figure:
    """Of the trace that is shown, and of all others."""
    make = building_on_screen if is_presented else building_figure
    return make(traces, puzzle, layer, look)


def _edited_here(session: Session, puzzle: Puzzle) -> list[str]:
    """The free arrays of the layer that is shown."""
    own = (name for name in puzzle.free if puzzle.layer_of(name) == session.layer)
    return [array for name in own if (array := puzzle.array_of(name)) in GIVEN]


def _what_is_seen(puzzle: Puzzle) -> str:
    """How many sentences are there and are checked, who set it, how a number is changed."""
    seen = plain(WHAT_IS_SEEN.format(count=len(puzzle.seen)))
    source = plain(say("Source: {source}.").format(source=puzzle.source))
    if not puzzle.free:
        return f"{seen} {source}"
    checked = CHECKED.format(count=len(hidden_of(puzzle)))
    return f"{seen} {checked} {source} :small[{HOW_TO_EDIT}]"


@fragment
def head(session: Session) -> None:
    """A pick of a cell runs only this fragment."""
    leave_to_whole_page(session)
    puzzle = puzzle_named(session.view.puzzle)
    show(session, HERE, head_picture(session))
    st.caption(_what_is_seen(puzzle))
    ask_about_blocks(session, *_edited_here(session, puzzle))
    outline(session, HERE)
    session.conversation.write_address()
