"""The place of one number in a forward pass: the step, the head, the row and the column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class Cell:
    """The place of one number: the array, its head (None if it has no heads), row and column.

    `step` is the name of a step of the trace or of a given array, such as "weights" or "w_o". All
    counts begin at 0. A bias has one row.

    >>> Cell("weights", head=1, row=0, column=2).matrix
    'weights/1'
    >>> Cell.of_matrix("weights/1", row=0, column=2)
    Cell(step='weights', head=1, row=0, column=2)
    """

    step: str
    head: int | None
    row: int
    column: int

    @property
    def matrix(self) -> str:
        """The name of the matrix that the cell is in, as pictures and addresses write it."""
        return matrix_name(self.step, self.head)

    @classmethod
    def of_matrix(cls, name: str, row: int, column: int) -> Cell:
        """The cell of a matrix that is given by its name."""
        step, _, head = name.partition("/")
        return cls(step, int(head) if head else None, row, column)


def matrix_name(step: str, head: int | None = None) -> str:
    """The name of one matrix of a trace.

    >>> matrix_name("weights", head=0), matrix_name("output")
    ('weights/0', 'output')
    """
    return step if head is None else f"{step}/{head}"


# Old names of the matrices of one head. Addresses that people have saved hold them.
OLD_NAMES: Final = {"q": "q_rotated", "k": "k_rotated", "v": "v_heads", "out": "head_outputs"}


def cell_of_old_name(cell: Cell, n_heads: int, n_kv_heads: int) -> Cell:
    """The cell with the present name of its matrix. Cells without an old name stay as they are.

    Old names always counted query heads. Keys and values are now counted by their own heads.

    >>> cell_of_old_name(Cell("out", head=3, row=0, column=1), n_heads=4, n_kv_heads=2)
    Cell(step='head_outputs', head=3, row=0, column=1)
    >>> cell_of_old_name(Cell("k", head=3, row=0, column=1), n_heads=4, n_kv_heads=2)
    Cell(step='k_rotated', head=1, row=0, column=1)
    """
    if cell.head is None or cell.step not in OLD_NAMES:
        return cell
    is_shared = cell.step in ("k", "v")
    head = cell.head * n_kv_heads // n_heads if is_shared else cell.head
    return replace(cell, step=OLD_NAMES[cell.step], head=head)
