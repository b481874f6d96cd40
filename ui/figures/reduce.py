"""Matrices with more cells than a picture has room for: means of blocks, and a block by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.shapes import FloatArray

MOST: Final = 128  # cells along a side of a picture


@dataclass(frozen=True, eq=False)
class Reduced:
    """A matrix as it is shown: each cell the mean of `rows` x `columns` numbers, 1 x 1 if it fits.

    >>> wide = Reduced.of(np.arange(512.0).reshape(2, 256))
    >>> wide.values.shape, wide.columns, wide.label(1, wide.columns)
    ((2, 128), 2, '3–4')
    """

    values: FloatArray
    rows: int
    columns: int

    @classmethod
    def of(cls, matrix: FloatArray) -> Reduced:
        rows, columns = (-(-size // MOST) for size in matrix.shape)
        if rows == columns == 1:
            return cls(matrix, 1, 1)
        return cls(_means(_means(matrix, rows, axis=0), columns, axis=1), rows, columns)

    @property
    def is_whole(self) -> bool:
        return self.rows == self.columns == 1

    @property
    def caption(self) -> str:
        """What a cell stands for, where it stands for more than itself."""
        if self.is_whole:
            return ""
        return f"each cell is the mean of {self.rows * self.columns} numbers; pick one to see them"

    @staticmethod
    def label(cell: int, size: int) -> str:
        """The numbers from 1 that a cell along one side stands for."""
        first, last = cell * size + 1, (cell + 1) * size
        return str(first) if size == 1 else f"{first}–{last}"

    def labels(self, whole: Sequence[str], size: int, count: int) -> list[str]:
        """Labels for the shown cells: their own where each is one, ranges where it is more."""
        return list(whole) if size == 1 else [self.label(i, size) for i in range(count)]

    def block(self, row: int, column: int) -> tuple[slice, slice]:
        """The part of the whole matrix that a shown cell stands for."""
        return (
            slice(row * self.rows, (row + 1) * self.rows),
            slice(column * self.columns, (column + 1) * self.columns),
        )


def _means(matrix: FloatArray, size: int, axis: int) -> FloatArray:
    if size == 1:
        return matrix
    starts = np.arange(0, matrix.shape[axis], size)
    sums = np.add.reduceat(matrix, starts, axis=axis)
    counts = np.diff([*starts, matrix.shape[axis]])
    return np.asarray(sums / (counts if axis == 1 else counts[:, None]))
