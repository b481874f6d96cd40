"""When two arrays count as the same: what every claim compares with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

ROUNDING: int = 10_000  # units in the last place: room for the longest sums


def same(actual: npt.NDArray[Any], expected: npt.ArrayLike, within: float = 0.0) -> bool:
    """Of one shape, and equal in every number but for rounding, or `within` where that is more.

    Never raises and never broadcasts, so that a claim can be asked of any trace.

    >>> third = np.array([1 / 3])
    >>> same(third * 3, [1.0]), same(third, [0.333]), same(third, [0.333], within=0.001)
    (True, False, True)
    """
    expected = np.asarray(expected)
    if actual.shape != expected.shape:
        return False
    largest = max(1.0, float(np.abs(expected).max(initial=0.0)))
    rounding = ROUNDING * float(np.finfo(actual.dtype).eps) * largest
    return bool((np.abs(actual - expected) <= max(within, rounding)).all())
