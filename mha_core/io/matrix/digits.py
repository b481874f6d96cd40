"""The fewest digits that give the same number again."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray


def shortest(array: FloatArray) -> npt.NDArray[np.float64]:
    """The numbers in float64, so that Python writes each with the fewest digits.

    A float32 of 0.1 is 0.10000000149011612 in float64. Here it becomes 0.1, which is the same
    float32 after a cast. For a few numbers the shortest digits give a neighbour after the cast:
    these keep all digits of their float64.

    >>> shortest(np.array([0.1, 7.038530691851209e-26], np.float32)).tolist()
    [0.1, 7.038530691851209e-26]
    """
    exact: npt.NDArray[Any] = array.astype(np.float64)
    if array.dtype == np.float64:
        return exact
    short = array.astype(np.str_).astype(np.float64)
    with np.errstate(over="ignore"):
        returns = short.astype(np.float32) == array
    return np.where(returns, short, exact)
