"""When two arrays count as equal. All claims compare with this."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

ROUNDING: Final = 10_000  # units in the last place: room for the longest sums


def nearly_equal(actual: npt.ArrayLike, expected: npt.ArrayLike, within: float = 0.0) -> bool:
    """True for arrays of one shape whose numbers are equal up to rounding.

    `within` allows a larger difference. It never raises and never broadcasts, so a claim can be
    checked on any trace. A value without numbers is equal to nothing.

    >>> third = np.array([1 / 3])
    >>> nearly_equal(third * 3, [1.0]), nearly_equal(third, [0.333])
    (True, False)
    >>> nearly_equal(third, [0.333], within=0.001), nearly_equal([True, False], [1, 0])
    (True, True)
    """
    a, b = _as_floats(actual), _as_floats(expected)
    if a is None or b is None or a.shape != b.shape:
        return False
    finite = np.abs(b[np.isfinite(b)])
    largest = max(1.0, float(finite.max(initial=0.0)))
    rounding = ROUNDING * float(np.finfo(a.dtype).eps) * largest
    with np.errstate(invalid="ignore", over="ignore"):  # masked scores give infinity minus infinity
        close = np.abs(a - b) <= max(within, rounding)
    return bool((close | (a == b)).all())


def _as_floats(value: npt.ArrayLike) -> npt.NDArray[Any] | None:
    """The numbers as floats: whole numbers and booleans as float64; None for other types."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    if array.dtype.kind == "f":
        return array
    return array.astype(np.float64) if array.dtype.kind in "biu" else None
