"""A question about weights that are given: of what may be said of them, one thing is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from mha_core.puzzles.checking import solves
from mha_core.puzzles.puzzle import Arrays, Puzzle, Tokens
from mha_core.puzzles.wants import Want
from mha_core.stack.stack import Stack


class Choice(NamedTuple):
    """What may be said, and whether it is true: that is computed, not written down."""

    says: str
    is_true: Callable[[], bool]


@dataclass(frozen=True, eq=False)
class Question:
    """`puzzle` has the sentences, and `arrays` the weights that are shown; nothing is written.

    `why` is said once somebody has chosen.
    """

    name: str
    title: str
    asked: str
    puzzle: Puzzle
    arrays: Callable[[], Arrays]
    choices: tuple[Choice, ...]
    why: str

    @property
    def stack(self) -> Stack:
        """What is seen: the weights on all sentences of the puzzle that are seen."""
        return self.puzzle.on_all_seen(self.arrays())

    @property
    def right(self) -> int:
        """The place of the choice that is true, counted from 0."""
        return [choice.is_true() for choice in self.choices].index(True)


def does(puzzle: Puzzle, arrays: Callable[[], Arrays], job: Callable[[Tokens], list[Want]]) -> bool:
    """Whether an answer to one puzzle does another job, on all sentences of the puzzle."""
    return solves(replace(puzzle, wanted=job), arrays())
