"""What an entry on a puzzle's page means: its layers, an answer, a block filled at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from mha_core.checks.errors import FormatError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.io.matrix.block_text import block_of
from mha_core.language import say
from mha_core.puzzles.ladder import PUZZLES, QUESTIONS
from mha_core.puzzles.own import puzzle_of
from mha_core.puzzles.puzzle import W_U_NAME, Puzzle
from mha_core.scenario.given_arrays import GIVEN
from mha_core.stack.stack import Stack
from ui.edits.own_puzzle_form import own_puzzle_named

WIDTHS: Final = ("d_model", "d_model_kv", "d_out")  # axes along which the columns of X are


TITLES: Final[Mapping[str, str]] = {
    **{name: puzzle.title for name, puzzle in PUZZLES.items()},
    **{name: question.title for name, question in QUESTIONS.items()},
}


def begun(name: str) -> Stack:
    """A puzzle as a person finds it: zeros in what is to be written. A question has its weights."""
    return QUESTIONS[name].stack if name in QUESTIONS else puzzle_named(name).on_all_seen({})


def layer_begun(name: str) -> int:
    """The layer that is shown first, counted from 0: one that has something to write."""
    puzzle = puzzle_named(name)
    first = min(map(puzzle.layer_of, puzzle.free), default=0)
    return min(first, len(puzzle.above))


def as_asked(name: str, stack: Stack) -> Stack:
    """The layers of a question. Of all that was done there, only the heads that are off stay."""
    own = begun(name)
    layers = tuple(
        replace(layer, heads_off=frozenset(range(layer.n_heads)) & other.heads_off)
        for layer, other in zip(own.layers, stack.layers, strict=False)
    )
    return replace(own, layers=layers) if len(layers) == len(own.layers) else own


def puzzle_named(name: str) -> Puzzle:
    """The puzzle; of a question, the one that it is about, of which nothing may be written."""
    if name in QUESTIONS:
        return replace(QUESTIONS[name].puzzle, free=())
    return PUZZLES[name] if name in PUZZLES else _own_named(name)


@lru_cache(maxsize=64)
def _own_named(name: str) -> Puzzle:
    return puzzle_of(own_puzzle_named(name), name)


def as_given(puzzle: Puzzle, stack: Stack) -> Stack:
    """The layers with what a person has written; all else is as the puzzle gives it."""
    try:
        return puzzle.on_all_seen(puzzle.answer_in(stack))
    except ShapeError as error:
        thing = say("The puzzle “{title}” in the address").format(title=puzzle.title)
        need = say("must come with arrays of its own shapes")
        way_out = say("It begins with zeros. Open a link that was made on this page.")
        raise FormatError(thing, need, str(error), way_out) from error


def solved(puzzle: Puzzle) -> Stack:
    """With a solution of our own."""
    return puzzle.on_all_seen(puzzle.solution())


def with_block(stack: Stack, puzzle: Puzzle, name: str, columns: slice | None, text: str) -> Stack:
    """A free array with a block that an expression makes; `columns` are those of X it is for."""
    answer = {**puzzle.answer_in(stack)}
    numbers = np.array(answer[name], np.float64)
    place = place_of_block(puzzle, name, columns)
    numbers[place] = block_of(text, *numbers[place].shape)
    return with_free_array(stack, puzzle, name, numbers)


def place_of_block(puzzle: Puzzle, name: str, columns: slice | None) -> tuple[slice, slice]:
    """The rows and columns of a free array that are for these columns of X."""
    of_x = columns or slice(None)
    return (slice(None), of_x) if _is_x_across(puzzle, name) else (of_x, slice(None))


def _is_x_across(puzzle: Puzzle, name: str) -> bool:
    """Whether the columns of the array are those of X; else its rows are."""
    array = puzzle.array_of(name)
    return array != W_U_NAME and GIVEN[array].dims.axes[1] in WIDTHS


def with_free_array(stack: Stack, puzzle: Puzzle, name: str, numbers: FloatArray) -> Stack:
    """The layers with another array, which the puzzle leaves free."""
    if name == W_U_NAME:
        return replace(stack, w_u=numbers)
    number, field = puzzle.layer_of(name), puzzle.array_of(name)
    layers = [*stack.layers]
    written: dict[str, Any] = {field: numbers}
    layers[number] = replace(layers[number], **written)
    return replace(stack, layers=tuple(layers))
