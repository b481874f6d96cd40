"""What a puzzle wants of a token: where it looks, what it makes of what it sees, what it predicts.

What a token makes is the output of the last layer alone: what that layer adds to the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.where import number_in
from mha_core.stack.trace import StackTrace

LEAST: Final = 0.9  # weight on what is wanted
WITHIN: Final = 0.1  # of each number that is wanted
TIMES: Final = 2.0  # as likely as any other word


class Missed(NamedTuple):
    """The number that is wrong, and in which layer it stands, counted from 0."""

    layer: int
    cell: Cell


@dataclass(frozen=True)
class Looks:
    """A query gives nearly all of its weight to these keys, to each of them as much.

    A layer is counted from 0, or from the last one, which is -1.
    """

    step: ClassVar[str] = "weights"
    query: int
    keys: tuple[int, ...]
    head: int = 0
    layer: int = -1

    def put_into(self, wanted: FloatArray, first: int, count: int) -> None:
        """Into the weights of a sentence of so many tokens, which begins at the first."""
        row = wanted[first + self.query, first : first + count]
        row[:] = 0
        row[list(self.keys)] = 1 / len(self.keys)

    def least_of(self, _cell: Cell) -> float:
        """The least that passes."""
        return LEAST / len(self.keys)

    def missed_in(self, trace: StackTrace) -> Missed | None:
        """The wanted key that gets least."""
        weights = self.weights_in(trace)
        least = min(self.keys, key=lambda key: weights[key])
        if weights[least] >= LEAST / len(self.keys):
            return None
        cell = Cell(self.step, self.head, self.query, least)
        return Missed(self.layer % len(trace.layers), cell)

    def weights_in(self, trace: StackTrace) -> FloatArray:
        """How the query shares out its weight."""
        weights: FloatArray = trace.layers[self.layer].weights[self.head, self.query]
        return weights


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

    def missed_in(self, trace: StackTrace) -> Missed | None:
        """The number that is farthest from what it should be."""
        output = trace.layers[-1].output
        far = np.abs(output[self.query, list(self.columns)] - self.numbers)
        if far.max() <= WITHIN:
            return None
        column = self.columns[int(far.argmax())]
        return Missed(len(trace.layers) - 1, Cell(self.step, None, self.query, column))


@dataclass(frozen=True)
class Predicts:
    """The right word is clearly the likeliest of the words after a query."""

    step: ClassVar[str] = "probabilities"
    query: int
    word: str
    words: tuple[str, ...]

    @property
    def column(self) -> int:
        return self.words.index(self.word)

    def put_into(self, wanted: FloatArray, first: int, _count: int) -> None:
        """Into the probabilities of a sentence that begins at the first token."""
        wanted[first + self.query] = np.arange(len(self.words)) == self.column

    def number_at(self, cell: Cell) -> float:
        return float(cell.column == self.column)

    def missed_in(self, trace: StackTrace) -> Missed | None:
        """The probability of the right word."""
        likely = self.probabilities_in(trace)
        if likely[self.column] >= TIMES * np.delete(likely, self.column).max():
            return None
        return Missed(len(trace.layers) - 1, Cell(self.step, None, self.query, self.column))

    def probabilities_in(self, trace: StackTrace) -> FloatArray:
        """How likely each word is after the query."""
        assert trace.probabilities is not None  # a puzzle that predicts has a W_U
        likely: FloatArray = trace.probabilities[self.query]
        return likely


Want = Looks | Makes | Predicts


def number_missed(trace: StackTrace, missed: Missed) -> float:
    """The number itself."""
    layer, cell = missed
    if cell.step == Predicts.step:
        assert trace.probabilities is not None
        return float(trace.probabilities[cell.row, cell.column])
    return float(number_in(trace.layers[layer], cell))


def count_of_right(step: str, made: FloatArray, wanted: FloatArray) -> tuple[int, int]:
    """How many rows of a step are as they are wanted, and of how many that is asked.

    Where a number is NaN, none is wanted.

    >>> count_of_right("weights", np.array([[0.95, 0.05], [0.5, 0.5]]), np.eye(2))
    (1, 2)
    >>> count_of_right("probabilities", np.array([[0.7, 0.3], [0.4, 0.6]]), np.eye(2))
    (1, 2)
    """
    is_asked = ~np.isnan(wanted)
    if step == Looks.step:
        is_right = (made >= LEAST * wanted) | (wanted == 0)
    elif step == Predicts.step:
        right = np.where(wanted == 1, made, 0).sum(axis=1, keepdims=True)
        is_right = (right >= TIMES * made) | (wanted == 1)
    else:
        is_right = np.abs(made - wanted) <= WITHIN
    rows = (is_right | ~is_asked).all(axis=1)[is_asked.any(axis=1)]
    return int(rows.sum()), len(rows)
