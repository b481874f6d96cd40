"""What a puzzle wants of a token: where it looks, or what it makes of what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.trace import Trace

LEAST: Final = 0.9  # weight on what is wanted
WITHIN: Final = 0.1  # of each number that is wanted


@dataclass(frozen=True)
class Looks:
    """A query gives nearly all of its weight to these keys, to each of them as much."""

    step: ClassVar[str] = "weights"
    query: int
    keys: tuple[int, ...]
    head: int = 0

    def put_into(self, wanted: FloatArray, first: int, count: int) -> None:
        """Into the weights of a sentence of so many tokens, which begins at the first."""
        row = wanted[first + self.query, first : first + count]
        row[:] = 0
        row[list(self.keys)] = 1 / len(self.keys)

    def least_of(self, _cell: Cell) -> float:
        """The least that passes."""
        return LEAST / len(self.keys)

    def missed_in(self, trace: Trace) -> Cell | None:
        """The wanted key that gets least."""
        weights = trace.weights[self.head, self.query]
        least = min(self.keys, key=lambda key: weights[key])
        if weights[least] >= LEAST / len(self.keys):
            return None
        return Cell(self.step, self.head, self.query, least)


@dataclass(frozen=True, eq=False)
class Makes:
    """The output of a query has these numbers in these columns."""

    step: ClassVar[str] = "output"
    query: int
    columns: Sequence[int]
    numbers: FloatArray

    def put_into(self, wanted: FloatArray, first: int, _count: int) -> None:
        """Into the output of a sentence that begins at the first token."""
        wanted[first + self.query, list(self.columns)] = self.numbers

    def number_at(self, cell: Cell) -> float:
        return float(self.numbers[list(self.columns).index(cell.column)])

    def missed_in(self, trace: Trace) -> Cell | None:
        """The number that is farthest from what it should be."""
        far = np.abs(trace.output[self.query, list(self.columns)] - self.numbers)
        if far.max() <= WITHIN:
            return None
        column = self.columns[int(far.argmax())]
        return Cell(self.step, None, self.query, column)


Want = Looks | Makes


def count_of_right(step: str, made: FloatArray, wanted: FloatArray) -> tuple[int, int]:
    """How many rows of a step are as they are wanted, and of how many that is asked.

    Where a number is NaN, none is wanted.

    >>> count_of_right("weights", np.array([[0.95, 0.05], [0.5, 0.5]]), np.eye(2))
    (1, 2)
    """
    if step == Looks.step:
        is_right = (made >= LEAST * wanted) | (wanted == 0)
    else:
        is_right = np.abs(made - wanted) <= WITHIN
    is_asked = ~np.isnan(wanted)
    rows = (is_right | ~is_asked).all(axis=1)[is_asked.any(axis=1)]
    return int(rows.sum()), len(rows)
