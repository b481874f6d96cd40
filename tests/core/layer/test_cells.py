"""A cell is a step, a head, a row and a column, and has one name."""

from __future__ import annotations

import pytest

from mha_core.layer.cells import Cell, cell_of_old_name, matrix_name


@pytest.mark.parametrize(("step", "head"), [("weights", 0), ("q_rotated", 11), ("w_o", None)])
def test_a_matrix_name_gives_the_cell_back(step: str, head: int | None) -> None:
    cell = Cell(step, head, 2, 3)
    assert cell.matrix == matrix_name(step, head)
    assert Cell.of_matrix(cell.matrix, 2, 3) == cell


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("q/5", "q_rotated/5"),
        ("k/5", "k_rotated/2"),
        ("v/1", "v_heads/0"),
        ("out/5", "head_outputs/5"),
    ],
)
def test_a_name_of_before_leads_to_the_same_numbers(old: str, new: str) -> None:
    cell = cell_of_old_name(Cell.of_matrix(old, 1, 2), n_heads=6, n_kv_heads=3)
    assert (cell.matrix, cell.row, cell.column) == (new, 1, 2)


@pytest.mark.parametrize("name", ["weights/1", "q", "w_o", "k_rotated/1", "mask"])
def test_a_name_of_today_stays(name: str) -> None:
    cell = Cell.of_matrix(name, 0, 0)
    assert cell_of_old_name(cell, n_heads=2, n_kv_heads=1) is cell
