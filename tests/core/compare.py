"""How far an array is from what it should be, and which fields of a trace are too far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mha_core.layer.trace import STEPS, Trace

TOLERANCE = {"float64": 1e-12, "float32": 1e-5}


def largest_difference(actual: Any, expected: Any) -> float:
    """The largest difference, relative to the largest expected value.

    If all values are below 1, it is relative to 1: the tests draw numbers near 1, and where their
    sum cancels, the error stays as large as for the terms. It is infinite if the shapes differ, if
    only one of the two is -inf, or if anything is NaN.
    """
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.shape != expected.shape:
        return np.inf
    if expected.dtype == np.bool_ or actual.dtype == np.bool_:
        same = actual.dtype == expected.dtype and np.array_equal(actual, expected)
        return 0.0 if same else np.inf
    hidden = np.isneginf(expected)
    if not np.array_equal(np.isneginf(actual), hidden) or np.isnan(actual).any():
        return np.inf
    actual, expected = actual[~hidden].astype(float), expected[~hidden].astype(float)
    largest = max(1.0, np.abs(expected).max(initial=0.0))
    return float(np.abs(actual - expected).max(initial=0.0) / largest)


def fields_that_differ(trace: Trace, expected: Mapping[str, Any]) -> dict[str, float]:
    """The fields beyond the tolerance of their type, in the order of the lesson, and how far."""
    differences = {
        step.name: largest_difference(getattr(trace, step.name), expected[step.name])
        for step in STEPS
        if step.name in expected
    }
    tolerance = TOLERANCE[trace.scenario.dtype.name]
    return {name: far for name, far in differences.items() if not far <= tolerance}
