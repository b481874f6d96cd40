"""Equal but for rounding: an answer for any two things, and never an error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core.reading.nearly_equal import nearly_equal

INF = np.inf


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.array([True, False]), np.array([True, False])),
        (np.array([True, False]), [1.0, 0.0]),
        (np.array([2, 3], np.uint8), [2, 3]),
        (np.array([-1]), np.array([-1.0], np.float32)),
        (np.array([0.1 + 0.2]), [0.3]),
        (np.array([-INF, 1.0]), [-INF, 1.0]),
        (np.zeros((0, 3)), np.zeros((0, 3))),
    ],
)
def test_equal_numbers_of_any_type_are_equal(a: Any, b: Any) -> None:
    assert nearly_equal(a, b)
    assert nearly_equal(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (np.array([True]), np.array([False])),
        (np.array([2], np.uint8), [3]),
        (np.array([0], np.uint8), [255]),
        (np.array([INF]), [-INF]),
        (np.array([1.0, INF]), [2.0, INF]),
        (np.array([np.nan]), [np.nan]),
        (np.array([1.0]), [1.0, 1.0]),
        (np.array(["A"]), ["A"]),
        ([[1], [1, 2]], [[1], [1, 2]]),
        (np.array([1j]), [1j]),
        (np.array([None]), [None]),
    ],
)
def test_what_differs_or_is_no_number_is_not_equal(a: Any, b: Any) -> None:
    assert not nearly_equal(a, b)
    assert not nearly_equal(b, a)


def test_a_difference_may_be_allowed() -> None:
    assert nearly_equal([1.0], [1.01], within=0.02)
    assert not nearly_equal([1.0], [1.03], within=0.02)
