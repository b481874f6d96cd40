"""A matrix too large for its picture is shown in means, and every number can still be reached."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.figures.reduce import MOST, Reduced

sides = st.integers(1, 700)


def numbers(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(rows * 1000 + columns).normal(size=(rows, columns))


@given(sides, sides)
def test_a_shown_cell_is_the_mean_of_its_block(rows: int, columns: int) -> None:
    whole = numbers(rows, columns)
    shown = Reduced.of(whole)
    last = (shown.values.shape[0] - 1, shown.values.shape[1] - 1)
    for row, column in ((0, 0), last):
        mean = whole[shown.block(row, column)].mean()
        assert shown.values[row, column] == pytest.approx(mean)
    assert max(shown.values.shape) <= MOST


@given(sides, sides)
def test_the_blocks_cover_every_number_once(rows: int, columns: int) -> None:
    shown = Reduced.of(numbers(rows, columns))
    count = np.zeros((rows, columns), int)
    for row in range(shown.values.shape[0]):
        for column in range(shown.values.shape[1]):
            count[shown.block(row, column)] += 1
    assert (count == 1).all()


def test_what_fits_is_left_alone() -> None:
    whole = numbers(MOST, 3)
    shown = Reduced.of(whole)
    assert shown.values is whole
    assert (shown.is_whole, shown.caption) == (True, "")
    assert shown.labels(["a", "b", "c"], shown.columns, 3) == ["a", "b", "c"]


def test_labels_say_which_numbers_a_cell_stands_for() -> None:
    shown = Reduced.of(numbers(2, 260))
    assert shown.labels(["?"] * 260, shown.columns, 87)[:2] == ["1–3", "4–6"]
    assert shown.caption == "each cell is the mean of 3 numbers; pick one to see them"
