"""Places in pictures: cells that stand beside each other, as one box; rows and columns by kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mha_core import STEPS, attend
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import cell_at, derive_cell, feeds_cell
from ui.edits.boxes import CellBox, boxes, lines
from ui.figures.drawing import matrix_of


def test_a_weight_is_made_of_an_exponential_and_a_row_sum() -> None:
    trace = attend(load_example("pizza"))
    operands = derive_cell(trace, Cell("weights", 0, 3, 1)).operands
    assert boxes(trace, (each.cell for each in operands)) == (
        CellBox("exponentials/0", 3, 1, 3, 1),
        CellBox("row_sums/0", 3, 0, 3, 0),
    )


def test_a_heads_queries_are_lit_under_each_of_their_names_and_in_q() -> None:
    trace = attend(load_example("pizza"))
    operands = derive_cell(trace, Cell("raw_scores", 1, 2, 0)).operands
    found = boxes(trace, (each.cell for each in operands))
    queries = [box for box in found if box.matrix[0] == "q"]
    assert queries == [
        CellBox("q_heads/1", 2, 0, 2, 3),
        CellBox("q_rotated_first/1", 2, 0, 2, 3),
        CellBox("q_centered/1", 2, 0, 2, 3),
        CellBox("q_normed/1", 2, 0, 2, 3),
        CellBox("q_rotated/1", 2, 0, 2, 3),
        CellBox("q", 2, 4, 2, 7),
    ]


def test_cells_that_are_left_out_are_not_lit() -> None:
    trace = attend(load_example("pizza"))
    row = [Cell("x", None, 1, column) for column in (0, 1, 4, 6, 7)]
    column = [Cell("w_q", None, each.column, 2) for each in row]
    lit = [(b.column, b.last_column) for b in boxes(trace, row) if b.matrix == "x"]
    assert lit == [(0, 1), (4, 4), (6, 7)]
    assert [(b.row, b.last_row) for b in boxes(trace, column)] == [(0, 1), (4, 4), (6, 7)]


def places_in(box: CellBox) -> Iterator[tuple[str, int, int]]:
    rows, columns = (range(box.row, box.last_row + 1), range(box.column, box.last_column + 1))
    yield from ((box.matrix, row, column) for row in rows for column in columns)


SEVERAL = ("pizza", "translation", "grouped-query", "positions", "image", "neighbours", "long")


@pytest.mark.parametrize("name", SEVERAL)
def test_operands_and_readers_fill_their_boxes(name: str) -> None:
    trace = attend(load_example(name))
    for step in STEPS:
        index = tuple(n - 1 for n in np.shape(getattr(trace, step.name)))
        derivation = derive_cell(trace, cell_at(trace, step.name, index))
        operands = {each.cell for each in derivation.operands}
        readers = {each.cell for each in feeds_cell(trace, derivation.cell)}
        for cells in (operands, readers):
            # Numbers that are handed on have boxes under their other names as well.
            own = {each.matrix for each in cells}
            found = [box for box in boxes(trace, cells) if box.matrix in own]
            assert {box.matrix for box in found} == own
            in_boxes = {each for box in found for each in places_in(box)}
            assert {(each.matrix, each.row, each.column) for each in cells} == in_boxes


@pytest.mark.parametrize("name", SEVERAL)
def test_the_lines_of_a_cell_are_those_that_pointing_at_it_lights(name: str) -> None:
    trace = attend(load_example(name))
    for step in STEPS:
        shape = np.shape(getattr(trace, step.name))
        cell = cell_at(trace, step.name, tuple(n - 1 for n in shape))
        matrix = matrix_of(trace, cell.step, cell.head)
        places = {matrix.columns: cell.column, matrix.rows: cell.row}
        assert dict(lines(trace, cell)) == {kind: at for kind, at in places.items() if kind}


def test_the_lines_of_the_additive_mask_are_a_query_and_a_key() -> None:
    trace = attend(load_example("pizza"))
    assert dict(lines(trace, Cell("mask.additive", None, 2, 1))) == {"query": 2, "key": 1}


def test_where_nothing_is_there_is_no_box() -> None:
    assert boxes(attend(load_example("pizza")), ()) == ()
