"""Whether an answer does the job: on the sentences that are seen, and on many that are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from mha_core.layer.cells import Cell
from mha_core.puzzles.mistakes import mistake_in
from mha_core.puzzles.puzzle import Answer, Arrays, Puzzle
from mha_core.puzzles.sentences import drawn_by, hidden_sentences
from mha_core.puzzles.wants import Missed, Want
from mha_core.stack.attending import attend
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack
from mha_core.stack.trace import StackTrace

LARGEST: Final = 10.0  # of a number, for the third star


@dataclass(frozen=True)
class Failure:
    """The first sentence that fails, the number at which it does, and what may be wrong there.

    The cell is one of a layer, counted from 0. `want` is what is missed.
    """

    stack: Stack
    layer: int
    cell: Cell
    mistake: str
    want: Want


@dataclass(frozen=True)
class Verdict:
    """How many sentences pass. Stars: it is right; with few numbers; with no large one."""

    passed: int
    count: int
    stars: int
    first_failure: Failure | None

    @property
    def is_right(self) -> bool:
        return self.passed == self.count


def check(puzzle: Puzzle, arrays: Arrays, *, seen_alone: bool = False) -> Verdict:
    """The verdict on an answer: with `seen_alone`, of the sentences seen while one writes."""
    passed, count, first = 0, 0, None
    for found in _failures(puzzle, arrays, seen_alone):
        count += 1
        passed += found is None
        first = first or found
    stars = 0 if first else 1 + _is_short(puzzle, arrays) + is_small(arrays)
    return Verdict(passed, count, stars, first and first())


def solves(puzzle: Puzzle, arrays: Arrays) -> bool:
    """Whether an answer is right, where nobody asks for more: it ends at the first failure."""
    return not any(_failures(puzzle, arrays))


def hidden_of(puzzle: Puzzle) -> tuple[tuple[str, ...], ...]:
    """The sentences of a puzzle that nobody is shown beforehand."""
    if puzzle.hidden is not None:
        return puzzle.hidden
    if puzzle.draw is not None:
        return drawn_by(puzzle.draw)
    return hidden_sentences(puzzle.words, puzzle.places, puzzle.needed)


def _failures(
    puzzle: Puzzle, arrays: Arrays, seen_alone: bool = False
) -> Iterator[Callable[[], Failure] | None]:
    """For each sentence, what tells its failure, or None if it passes."""
    answer, seen = puzzle.answered(arrays), puzzle.sentences_seen
    for tokens in seen if seen_alone else [*seen, *hidden_of(puzzle)]:
        stack = puzzle.on(answer, tokens)
        # Those that are checked and copied: they are not again for the next sentence.
        answer = Answer((Layer.of(stack.first), *stack.above), stack.w_u)
        yield _failure(puzzle, attend(stack))


def _failure(puzzle: Puzzle, trace: StackTrace) -> Callable[[], Failure] | None:
    for want in puzzle.wanted(trace.stack.tokens):
        if missed := want.missed_in(trace):
            return partial(_told, trace, want, missed)
    return None


def _told(trace: StackTrace, want: Want, missed: Missed) -> Failure:
    return Failure(trace.stack, missed.layer, missed.cell, mistake_in(trace, want), want)


def count_of_numbers(arrays: Arrays) -> int:
    """Of those that are not zero."""
    return sum(int(np.count_nonzero(array)) for array in arrays.values())


def _is_short(puzzle: Puzzle, arrays: Arrays) -> bool:
    return count_of_numbers(arrays) <= puzzle.most_numbers


def is_small(arrays: Arrays) -> bool:
    """Whether no number is larger than what a star allows."""
    return all(np.abs(array).max() <= LARGEST for array in arrays.values())
