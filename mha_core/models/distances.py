"""The kind of each distance between two tokens, and what heads add to their scores for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray


@dataclass(frozen=True, eq=False)
class AddedByDistance:
    """A table with a row for each kind of distance and a column for each head."""

    table: FloatArray
    furthest: int
    sees_ahead: bool = True

    def only(self, heads: Sequence[int]) -> AddedByDistance:
        return replace(self, table=self.table[:, list(heads)])

    def of(self, n: int) -> FloatArray:
        """What is added to the scores of n tokens: a matrix for each head, one below the other."""
        kinds = kinds_of_distances(n, len(self.table), self.furthest, sees_ahead=self.sees_ahead)
        return self.table[kinds].transpose(2, 0, 1).reshape(-1, n)


def kinds_of_distances(
    n: int, kinds: int, furthest: int, *, sees_ahead: bool = True
) -> npt.NDArray[np.intp]:
    """The kind of the distance from each of n queries to each key, as T5 counts them.

    Half of the kinds are for keys behind the query; all of them, where no key ahead is seen. Of
    these, one part has a kind for each distance; the other grows by factors, up to `furthest`.

    >>> kinds_of_distances(4, 8, 16)[0]
    array([0, 5, 6, 6])
    >>> kinds_of_distances(4, 8, 16)[3]
    array([2, 2, 1, 0])
    >>> kinds_of_distances(4, 8, 16, sees_ahead=False)[3]
    array([3, 2, 1, 0])
    """
    ahead = np.arange(n) - np.arange(n)[:, None]
    half = kinds // 2 if sees_ahead else kinds
    exact = half // 2
    distance = np.abs(ahead) if sees_ahead else np.maximum(-ahead, 0)
    # In float32, as the models were trained: another last digit is another kind.
    factor = np.log(np.maximum(distance, exact).astype(np.float32) / np.float32(exact))
    steps = factor / np.float32(math.log(furthest / exact)) * np.float32(half - exact)
    far = np.minimum(exact + steps.astype(np.intp), half - 1)
    made: npt.NDArray[np.intp] = np.where(sees_ahead & (ahead > 0), half, 0) + np.where(
        distance < exact, distance, far
    )
    return made
