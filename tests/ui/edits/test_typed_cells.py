"""Cells typed or pasted into an array: all of them are taken, or none."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import NumberError
from mha_core.examples import load_example
from ui.edits.editable_array import Editable
from ui.edits.typed_cells import PastedBlock, with_cells

X = Editable("x")


def test_all_cells_are_put_at_once() -> None:
    s = load_example("three-tokens")
    x = with_cells(s, X, {(0, 0): "1/2", (2, 5): "-2,5"}).x
    assert (x[0, 0], x[2, 5]) == (0.5, -2.5)
    assert np.array_equal(x[1], s.x[1])


def test_one_wrong_cell_refuses_them_all_and_is_named_by_its_place() -> None:
    s = load_example("pizza")
    with pytest.raises(NumberError, match=r"X, row 2 \(LOVE\), column 5 must hold numbers") as told:
        with_cells(s, X, {(0, 0): "7", (1, 4): "abc", (2, 0): "", (3, 0): "?"})
    assert "2 more cells are wrong." in str(told.value)


def test_rows_that_an_array_gets_are_tokens_of_zeros() -> None:
    s = with_cells(load_example("three-tokens"), X, {(4, 1): "8"}, rows=5)
    assert s.tokens == ("t1", "t2", "t3", "t4", "t5")
    assert s.x[3:].tolist() == [[0] * 6, [0, 8, 0, 0, 0, 0]]


def test_a_new_row_that_is_wrong_has_a_number_and_no_name() -> None:
    s = load_example("pizza")
    with pytest.raises(NumberError, match="X, row 5, column 1 must hold numbers"):
        with_cells(s, X, {(4, 0): "abc"}, rows=5)


@pytest.mark.parametrize(("rows", "columns", "fits"), [(4, 3, True), (3, 3, False), (4, 2, False)])
def test_a_block_fits_where_each_text_has_a_cell(rows: int, columns: int, fits: bool) -> None:
    block = PastedBlock.of_text(2, 1, "1\t2\n3\t4")
    assert block.fits(rows, columns) is fits


def test_the_part_that_fits_keeps_its_place() -> None:
    block = PastedBlock.of_text(1, 1, "1\t2\t3\n4\t5\t6\n7\t8\t9\n")
    assert block.part_that_fits(3, 3).cells == {(1, 1): "1", (1, 2): "2", (2, 1): "4", (2, 2): "5"}


def test_lines_of_a_block_may_have_different_lengths() -> None:
    block = PastedBlock.of_text(0, 0, "1\n2\t3\n")
    assert (block.height, block.width) == (2, 2)
    assert block.cells == {(0, 0): "1", (1, 0): "2", (1, 1): "3"}
