"""What is typed or pasted into a cell of a picture, and what it does."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.changing.changes import with_changes
from mha_core.checks.errors import NumberError, ShapeError
from mha_core.examples import load_example
from ui.edits.cell_entries import CellEntry

PIZZA = load_example("pizza")


@pytest.mark.parametrize(
    ("text", "number"),
    [("1/3", 1 / 3), ("-2,5", -2.5), ("1e-3", 1e-3), ("\N{MINUS SIGN}4", -4.0), (" 7 ", 7.0)],
)
def test_whatever_a_matrix_reads_as_one_number_is_taken(text: str, number: float) -> None:
    changed = CellEntry("w_q", 2, 5, text).put(PIZZA)
    assert changed.w_q[2, 5] == number
    kept = changed.w_q.copy()
    kept[2, 5] = PIZZA.w_q[2, 5]
    np.testing.assert_array_equal(kept, PIZZA.w_q)


def test_a_block_fills_the_cells_from_the_one_it_is_pasted_into() -> None:
    entry = CellEntry("x", 1, 6, "1\t2\r\n3\t4\r\n")
    assert entry.fits(PIZZA)
    np.testing.assert_array_equal(entry.put(PIZZA).x[1:3, 6:], [[1, 2], [3, 4]])


@pytest.mark.parametrize("place", [(0, 7), (3, 6)])
def test_a_block_that_reaches_beyond_the_array_does_not_fit(place: tuple[int, int]) -> None:
    assert not CellEntry("x", *place, "1\t2\n3\t4").fits(PIZZA)


def test_what_is_no_number_is_refused_with_its_place() -> None:
    with pytest.raises(NumberError, match=r"X, row 2 \(LOVE\), column 3 must hold numbers"):
        CellEntry("x", 1, 2, "abc").put(PIZZA)


TWO_TOKENS = with_changes(PIZZA, tokens=("I", "LOVE"))


@pytest.mark.parametrize(
    ("array", "row", "column", "s"),
    [
        ("x", 3, 0, TWO_TOKENS),
        ("x", 0, 8, PIZZA),
        ("x", -1, 0, PIZZA),
        ("context", 0, 0, PIZZA),
        ("context_v", 0, 0, PIZZA),
        ("weights/0", 0, 0, PIZZA),
    ],
)
def test_a_cell_that_is_not_there_is_refused_in_words(
    array: str, row: int, column: int, s: Scenario
) -> None:
    entry = CellEntry(array, row, column, "1")
    assert not entry.is_there(s)
    with pytest.raises(ShapeError, match="must still have the cell that was edited"):
        entry.put(s)


def test_a_bias_has_one_row_and_keeps_its_other_numbers() -> None:
    s = CellEntry("b_q", 0, 3, "0.5").put(CellEntry("b_q", 0, 1, "2").put(PIZZA))
    assert s.b_q is not None
    assert s.b_q.tolist() == [0, 2, 0, 0.5, 0, 0, 0, 0]
