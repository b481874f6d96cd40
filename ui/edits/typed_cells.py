"""Cells that a person typed or pasted into a grid: all of them are taken, or none.

A pasted block may be larger than the space below and to the right of its first cell. Then the
person decides: the array gets more rows, or only the part that fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.errors import NumberError, ShapeError
from mha_core.language import say, say_number
from mha_core.scenario.scenario import Scenario
from ui.edits.editable_array import Editable

LONGEST_LABEL: Final = 40  # characters of a token in an error
_SEVERAL: Final = re.compile(r"\d[,;\s]+[-+.\d]")

Cells = Mapping[tuple[int, int], str]  # texts by row and column of the array, from 0


@dataclass(frozen=True)
class PastedBlock:
    """Rows of texts, and the row and column of the array where they begin, from 0."""

    row: int
    column: int
    texts: tuple[tuple[str, ...], ...]

    @classmethod
    def of_text(cls, row: int, column: int, text: str) -> PastedBlock:
        r"""A block as a spreadsheet copies it.

        >>> PastedBlock.of_text(2, 0, "1\t2\r\n3\t4\r\n").cells
        {(2, 0): '1', (2, 1): '2', (3, 0): '3', (3, 1): '4'}
        """
        lines = text.removesuffix("\n").removesuffix("\r").split("\n")
        return cls(row, column, tuple(tuple(line.rstrip("\r").split("\t")) for line in lines))

    @property
    def height(self) -> int:
        return len(self.texts)

    @property
    def width(self) -> int:
        return max(len(line) for line in self.texts)

    @property
    def cells(self) -> Cells:
        return {
            (self.row + i, self.column + j): text
            for i, line in enumerate(self.texts)
            for j, text in enumerate(line)
        }

    def fits(self, rows: int, columns: int) -> bool:
        """Whether an array of this size has a cell for each text."""
        return self.row + self.height <= rows and self.column + self.width <= columns

    def part_that_fits(self, rows: int, columns: int) -> PastedBlock:
        """The part of the block that fits into an array of this size."""
        lines = self.texts[: max(0, rows - self.row)]
        width = max(0, columns - self.column)
        return PastedBlock(self.row, self.column, tuple(line[:width] for line in lines))


@dataclass(frozen=True)
class EntryInCell:
    r"""A text for a cell of an array, counted from 0.

    >>> EntryInCell("x", 0, 2, "1\t2").block.cells
    {(0, 2): '1', (0, 3): '2'}
    """

    array: str
    row: int
    column: int
    text: str

    @property
    def block(self) -> PastedBlock:
        return PastedBlock.of_text(self.row, self.column, self.text)

    @property
    def is_empty(self) -> bool:
        return not self.text.strip()

    def gone(self, symbol: str) -> ShapeError:
        """The error where another control has taken the cell away."""
        return ShapeError(
            symbol,
            say("must still have the cell that was edited"),
            say("an entry for row {row}, column {column}, which has gone").format(
                row=self.row + 1, column=self.column + 1
            ),
            say("Another change has taken it away. Look at the picture again."),
        )


def with_cells(s: Scenario, array: Editable, cells: Cells, rows: int | None = None) -> Scenario:
    """The scenario with these cells in an array. The array first grows to `rows` rows, with zeros.

    If a cell does not hold a number, the error names its place.
    """
    present = array.numbers(s).astype(np.float64)
    new_rows = max(0, (rows or 0) - len(present))
    numbers = np.vstack([present, np.zeros((new_rows, present.shape[1]))])
    row_labels, column_labels = array.labels(s, 0), array.labels(s, 1)
    wrong: list[tuple[str, NumberError]] = []
    for (row, column), text in sorted(cells.items()):
        row_label = row_labels[row] if row < len(row_labels) else ""
        places = (
            place_name(say("row {number}"), row, row_label),
            place_name(say("column {number}"), column, column_labels[column]),
        )
        try:
            numbers[row, column] = array.read_cell(text, ", ".join([array.title, *places]))
        except NumberError as error:
            wrong.append((text, error))
    if wrong:
        raise _first_of(wrong)
    return array.put(s, numbers)


def place_name(says: str, index: int, label: str) -> str:
    """A row or a column as an error names it.

    >>> place_name("row {number}", 1, "LOVE"), place_name("column {number}", 4, "5")
    ('row 2 (LOVE)', 'column 5')
    """
    number = str(index + 1)
    name = "" if label in ("", number) else f" ({label[:LONGEST_LABEL]})"
    return f"{says.format(number=number)}{name}"


def _first_of(wrong: list[tuple[str, NumberError]]) -> NumberError:
    """The first error with what to do about it, and how many more there are."""
    (text, first), *others = wrong
    way_out = [first.way_out]
    if _SEVERAL.search(text):
        way_out.append(say("Enter several numbers at once under Text."))
    if others:
        says = say_number(
            "{count} more cell is wrong.", "{count} more cells are wrong.", len(others)
        )
        way_out.append(says.format(count=len(others)))
    return NumberError(first.thing, first.need, first.got, " ".join(way_out))
