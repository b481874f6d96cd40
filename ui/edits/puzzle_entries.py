"""What an entry on a puzzle's page means: its scenario, an answer, a block filled at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.errors import FormatError, ShapeError
from mha_core.io.matrix.block_text import block_of
from mha_core.language import say
from mha_core.puzzles.ladder import PUZZLES
from mha_core.puzzles.puzzle import Puzzle
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.scenario import Scenario
from mha_core.stack.stack import Stack
from ui.edits.editable_array import Editable

SHOWN: Final = {  # what the page can show: puzzles of one layer
    name: puzzle for name, puzzle in PUZZLES.items() if not puzzle.above and puzzle.w_u is None
}
WIDTHS: Final = ("d_model", "d_model_kv", "d_out")  # axes along which the columns of X are


def begun(name: str) -> Scenario:
    """A puzzle as a person finds it: zeros in what is to be written."""
    return SHOWN[name].on_all_seen({}).first


def as_given(puzzle: Puzzle, scenario: Scenario) -> Scenario:
    """The scenario with what a person has written; all else is as the puzzle gives it."""
    try:
        return puzzle.on_all_seen(puzzle.answer_in(as_stack(scenario))).first
    except ShapeError as error:
        thing = say("The puzzle “{title}” in the address").format(title=puzzle.title)
        need = say("must come with arrays of its own shapes")
        way_out = say("It begins with zeros. Open a link that was made on this page.")
        raise FormatError(thing, need, str(error), way_out) from error


def solved(scenario: Scenario, puzzle: Puzzle) -> Scenario:
    """With a solution of our own."""
    return puzzle.on_all_seen(puzzle.solution()).first


def as_stack(scenario: Scenario) -> Stack:
    """As the puzzles take an answer: a stack of one layer."""
    return Stack((scenario,), residual=False)


def with_block(scenario: Scenario, array: str, columns: slice | None, text: str) -> Scenario:
    """The array with a block that an expression makes; `columns` are those of X that it is for."""
    editable = Editable(array)
    numbers = np.array(editable.numbers(scenario), np.float64)
    of_x = columns or slice(None)
    is_right = GIVEN[array].dims.axes[1] in WIDTHS
    place = (slice(None), of_x) if is_right else (of_x, slice(None))
    numbers[place] = block_of(text, *numbers[place].shape)
    return editable.put(scenario, numbers)
