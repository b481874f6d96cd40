"""Places in pictures: cells that stand beside each other, as one box; rows and columns by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mha_core.layer.cells import Cell, matrix_name
from mha_core.layer.derivation import handed_on_by
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.trace import STEPS, Trace
from mha_core.layer.where import ADDITIVE


class CellBox(NamedTuple):
    """The cells of a matrix from one row and column to another, both ends among them."""

    matrix: str
    row: int
    column: int
    last_row: int
    last_column: int


def boxes(trace: Trace, cells: Iterable[Cell]) -> tuple[CellBox, ...]:
    """Boxes around these cells, in each matrix that shows some, under each name that it has.

    A matrix has one box, or several if cells between them are left out.
    Numbers that are only handed on are lit where they came from, too: those of a head's queries
    also in Q.
    """
    places: dict[str, list[Cell]] = {}
    for cell in cells:
        places.setdefault(cell.matrix, []).append(cell)
    found = (
        CellBox(matrix_name(name, first.head), first.row, first.column, last.row, last.column)
        for those in places.values()
        for part in _parts(those)
        for first, last in _handed_on(trace, *_ends(part))
        for name in _names(trace, first.step)
    )
    return tuple(found)


def lines(trace: Trace, cell: Cell) -> tuple[tuple[str, int], ...]:
    """The kinds of things on the axes of a cell, each with the cell's place on it.

    Pointing at the cell lights these in every matrix that has the kind on an axis (`Matrix` in
    ui/figures/matrix.py). Where both axes have one kind, it is the row.
    """
    step = "mask" if cell.step == ADDITIVE else cell.step  # which has the same axes
    matrix = labelled_matrix(trace, step, cell.head)
    places = {matrix.columns.kind: cell.column, matrix.rows.kind: cell.row}
    return tuple((kind, place) for kind, place in places.items() if kind)


def _parts(cells: list[Cell]) -> list[list[Cell]]:
    """These cells, if they fill a box; else those that stand side by side, in a row or column."""
    first, last = _ends(cells)
    if len(cells) == (last.row - first.row + 1) * (last.column - first.column + 1):
        return [cells]
    step = (1, 0) if first.column == last.column else (0, 1)
    parts: list[list[Cell]] = []
    for cell in sorted(cells, key=lambda each: (each.row, each.column)):
        before = parts[-1][-1] if parts else None
        if before and (cell.row - before.row, cell.column - before.column) == step:
            parts[-1].append(cell)
        else:
            parts.append([cell])
    return parts


def _ends(cells: list[Cell]) -> tuple[Cell, Cell]:
    """The upper left and the lower right cell of a box around these cells of one matrix."""
    step, head = cells[0].step, cells[0].head
    rows, columns = [each.row for each in cells], [each.column for each in cells]
    return Cell(step, head, min(rows), min(columns)), Cell(step, head, max(rows), max(columns))


def _handed_on(trace: Trace, first: Cell, last: Cell) -> Iterator[tuple[Cell, Cell]]:
    """The ends of a box, and those of the boxes before it that hold the same numbers."""
    yield first, last
    first_before, last_before = handed_on_by(trace, first), handed_on_by(trace, last)
    if first_before and last_before and first_before.matrix == last_before.matrix:
        yield from _handed_on(trace, first_before, last_before)


def _names(trace: Trace, step: str) -> list[str]:
    """The step, and those that change nothing of it."""
    same = [each.name for each in STEPS if each.computed_by(trace.scenario).name == step]
    return same or [step]
