"""What a puzzle wants of a token: where it looks, or what it makes of what it sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.trace import Trace

LEAST: Final = 0.9  # weight on what is wanted
WITHIN: Final = 0.1  # of each number that is wanted


@dataclass(frozen=True)
class Looks:
    """A query gives nearly all of its weight to these keys, to each of them as much."""

    query: int
    keys: tuple[int, ...]
    head: int = 0

    def missed_in(self, trace: Trace) -> Cell | None:
        """The wanted key that gets least."""
        weights = trace.weights[self.head, self.query]
        least = min(self.keys, key=lambda key: weights[key])
        if weights[least] >= LEAST / len(self.keys):
            return None
        return Cell("weights", self.head, self.query, least)


@dataclass(frozen=True, eq=False)
class Makes:
    """The output of a query has these numbers in these columns."""

    query: int
    columns: Sequence[int]
    numbers: FloatArray

    def missed_in(self, trace: Trace) -> Cell | None:
        """The number that is farthest from what it should be."""
        far = np.abs(trace.output[self.query, list(self.columns)] - self.numbers)
        if far.max() <= WITHIN:
            return None
        column = self.columns[int(far.argmax())]
        return Cell("output", None, self.query, column)


Want = Looks | Makes
