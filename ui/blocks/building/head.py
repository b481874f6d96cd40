"""The head that is built: its matrices, what they make, and where it looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import streamlit as st

from mha_core import StackTrace, Trace
from mha_core.language import say
from mha_core.puzzles.checking import hidden_of
from mha_core.puzzles.puzzle import Puzzle
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.x_columns import BY_WAVES, WITH_ROOM
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
# By how X is made: columns that no word and no number names.
EXPLAINED: Final[Mapping[str, str]] = {
    WITH_ROOM: say("The free columns of X are 0: there one layer leaves what the next one reads."),
    BY_WAVES: say(
        "Waves tell the place: each pair of columns is the cos and sin of an angle, which grows "
        "from token to token by the pair's own step."
    ),
}
LOGITS: Final = say(
    "W_U makes a logit for each word: the larger it is, the likelier the word. The probabilities "
    "are the softmax of the logits."
)


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
    """How many sentences are there and are checked, its words, who set it, how to edit."""
    said = [WHAT_IS_SEEN.format(count=len(puzzle.seen))]
    if puzzle.free:
        said.append(CHECKED.format(count=len(hidden_of(puzzle))))
    said += _explained(puzzle)
    said.append(say("Source: {source}.").format(source=puzzle.source))
    edited = f" :small[{HOW_TO_EDIT}]" if puzzle.free else ""
    return plain(" ".join(said)) + edited


def _explained(puzzle: Puzzle) -> Iterator[str]:
    """What the words mean that its hints and labels use."""
    if puzzle.start.origin.x in EXPLAINED:
        yield EXPLAINED[puzzle.start.origin.x]
    if puzzle.w_u is not None:
        yield LOGITS


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
