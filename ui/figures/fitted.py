"""A figure in a room: its matrices in their places, each with the numbers that are painted.

The rules are those of the page (`layout.js`, `arrangement.js`, `matrix.js`, `board.js` in
`ui/plot/js`), for a picture without zoom. A test draws figures here and in a browser, and compares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.layer.written import in_powers_of_ten
from ui import theme
from ui.figures.board import Place
from ui.figures.figure import (
    Arrangement,
    CellSizes,
    ColorBar,
    CornerWords,
    Figure,
    Heatmap,
    column_ticks,
    corner_of,
    row_ticks,
)
from ui.figures.matrix import Matrix
from ui.number_format import MINUS, format_number, without_zero

SMALLEST_TEXT: Final = 7.5  # pixels of a number in its cell
READABLE_TEXT: Final = 9  # pixels of one that a person reads with ease
USUAL_TEXT: Final = 13  # pixels of one with much room
BESIDE_TEXT: Final = 2.5  # pixels of a cell that its text leaves free
LETTER: Final = 0.52  # the width of a digit and of a minus, in font sizes
POINT: Final = 0.26  # the width of a point
MOST_WRITTEN: Final = 4096  # numbers; no more are written into cells
LARGE_CELLS: Final = 4  # pixels from which on cells have whole sizes
SHARE_OF_SCREEN: Final = 0.6  # of its height, for a figure that grows
COMFORTABLE: Final = 0.65  # of the preferred size of a cell whose number cannot be read anyway
SCREENS: Final = 2.5  # that a figure may be high, for the sake of large cells


class Writing(NamedTuple):
    """How close it stands: the share of a row for its number, and the pixels for a label.

    Where a number would be smaller than `easy_text`, it loses the zero before the point.
    """

    share_of_row: float
    share_of_low_row: float
    label_spacing: float
    easy_text: float


ON_A_PAGE: Final = Writing(
    share_of_row=0.6, share_of_low_row=0.7, label_spacing=13, easy_text=READABLE_TEXT
)

Room = tuple[float, float]  # width and height of a screen, in pixels


@dataclass(frozen=True)
class FittedMatrix:
    """One heatmap in its place, in pixels.

    Cells are `cell` wide, and as high unless `high` is said.
    """

    heatmap: Heatmap
    place: Place
    cell: float
    decimals: int | None  # None where no numbers are written into the cells
    text: float = USUAL_TEXT  # the size that numbers have where there is room for it
    writing: Writing = ON_A_PAGE
    high: float | None = None

    @property
    def down(self) -> float:
        return self.cell if self.high is None else self.high

    @property
    def matrix(self) -> Matrix:
        return self.heatmap.matrix

    @property
    def name(self) -> str:
        return self.matrix.name

    @property
    def rows(self) -> int:
        return len(self.matrix.row_labels)

    @property
    def columns(self) -> int:
        return len(self.matrix.column_labels)

    # ---- what is written beside it ----

    @property
    def corner(self) -> CornerWords:
        return corner_of(self.matrix, self.place)

    @property
    def row_ticks(self) -> list[str]:
        return row_ticks(self.matrix, self.place)

    @property
    def column_ticks(self) -> list[str]:
        return column_ticks(self.matrix, self.place)

    # ---- places ----

    @property
    def x(self) -> float:
        return self.place.left.at(self.cell)

    @property
    def y(self) -> float:
        """Low rows begin and end at whole pixels, as all others do."""
        y = self.place.top.at(self.down)
        return float(math.floor(y + 0.5)) if self._is_sharp else y

    @property
    def heading_top(self) -> float:
        return self.place.heading_top.at(self.down)

    @property
    def width(self) -> float:
        return float(self.matrix.across * self.cell)

    @property
    def height(self) -> float:
        if self._is_sharp:
            return float(self.rows * max(1, math.floor(self.matrix.row_height * self.cell)))
        return float(self.matrix.down * self.down)

    @property
    def cell_width(self) -> float:
        return self.width / self.columns

    @property
    def cell_height(self) -> float:
        return self.height / self.rows

    @property
    def is_low(self) -> bool:
        return self.matrix.row_height * self.down < self.cell

    @property
    def _is_sharp(self) -> bool:
        return self.is_low and self.high is None

    def left(self, column: float) -> float:
        return self.x + column * self.cell_width

    def top(self, row: float) -> float:
        return self.y + row * self.cell_height

    @property
    def gap(self) -> float:
        """Between cells; 0 where they are too small for one."""
        side = min(self.cell_width, self.cell_height)
        return 0 if side < 6 else 1.5 if side >= 16 else 1

    # ---- what is painted ----

    @cached_property
    def values(self) -> FloatArray:
        """NaN where a cell is hidden, or where its number is none."""
        return np.asarray(self.heatmap.values, float)

    @cached_property
    def hidden(self) -> BoolArray:
        if self.matrix.masked is None:
            return np.zeros(self.values.shape, bool)
        return self.matrix.masked

    @property
    def is_compared(self) -> bool:
        """Whether it shows by how much its numbers have moved."""
        return self.heatmap.before is not None

    @cached_property
    def drawn(self) -> FloatArray:
        """The numbers, or by how much they have moved."""
        before = self.heatmap.before
        if before is None:
            return self.values
        compared = np.where(self.hidden, 0, self.values) if self.colors_hidden else self.values
        with np.errstate(invalid="ignore"):  # of two infinities; it is lost
            return np.asarray(compared - np.asarray(before.values, float))

    @cached_property
    def is_lost(self) -> BoolArray:
        """Which of what is painted is no finite number, though nothing hides it."""
        lost = self.heatmap.is_lost | np.isinf(self.values)
        if before := self.heatmap.before:
            lost = lost | before.is_lost | np.isinf(before.values)
        return lost & ~np.isfinite(self.drawn)

    @cached_property
    def is_empty(self) -> BoolArray:
        """Where no colour is."""
        return np.isnan(self.drawn) & ~self.is_lost

    @property
    def is_hatched(self) -> BoolArray:
        if not self.heatmap.may_hide:
            return self.hidden
        return self.hidden if self.colors_hidden else self.is_empty

    @property
    def colors_hidden(self) -> bool:
        """In a mask a hidden cell is 0, but may have been more: hatching lies on its colour."""
        return self.is_compared and self.matrix.is_zero_where_masked

    @property
    def dots(self) -> tuple[int, int]:
        """How many rows and columns of cells share a pixel: a dot stands for them."""
        sizes = self.cell_height, self.cell_width
        down, across = (max(1, math.ceil(1 / size - 0.01)) for size in sizes)
        return down, across

    @property
    def drawn_in_dots(self) -> tuple[FloatArray, BoolArray]:
        """What is painted where cells share pixels, and which of it is no finite number."""
        means = means_of_visible(np.where(self.is_lost, np.inf, self.drawn), *self.dots)
        return means, np.isinf(means)

    # ---- numbers ----

    def cell_text(self, row: int, column: int) -> str:
        """What is written into a cell.

        If it does not fit, it loses the zero before the point, and then decimals.
        """
        text, value = self.full_text(row, column), float(self.drawn[row, column])
        if value == 0 and self.matrix.leaves_zeros_out:
            return ""
        if self.decimals is None or not math.isfinite(value):
            return text
        if not self._is_too_wide(text, self.writing.easy_text):
            return text
        text = without_zero(text)
        if not self._is_too_wide(text) or not self._has_room_for_zero:
            return text
        for decimals in range(self.decimals - 1, -1, -1):
            shorter = without_zero(self._signed(format_number(value, decimals)))
            if not self._is_too_wide(shorter):
                return shorter
        return self._signed(in_powers_of_ten(value, 0, "text"))

    def full_text(self, row: int, column: int) -> str:
        if self.is_empty[row, column] or self.decimals is None:
            return ""
        value = float(self.drawn[row, column])
        if self.is_lost[row, column]:
            return format_number(math.nan if self.is_compared else value, self.decimals)
        return self._signed(format_number(value, self.decimals))

    def _signed(self, text: str) -> str:
        if not self.is_compared or text.startswith(MINUS) or not text.strip("0."):
            return text
        return f"+{text}"

    def _is_too_wide(self, text: str, size: float = SMALLEST_TEXT) -> bool:
        return width_of(text) * size + BESIDE_TEXT > self.cell_width

    @property
    def _zero(self) -> str:
        return without_zero(format_number(0, self.decimals or 0))

    @property
    def _has_room_for_zero(self) -> bool:
        """Else no number is written."""
        return not self._is_too_wide(self._zero)

    @cached_property
    def texts(self) -> list[list[str]]:
        columns = range(self.columns)
        return [[self.cell_text(row, column) for column in columns] for row in range(self.rows)]

    @cached_property
    def fitting_text(self) -> float:
        """The size at which the longest number fits into its cell; 0 where not even a zero does."""
        if self.decimals is None:
            return 0
        if self._size_of_text(width_of(self._zero)) < SMALLEST_TEXT:
            return 0
        return self._size_of_text(max(width_of(text) for row in self.texts for text in row))

    def _size_of_text(self, width: float) -> float:
        wished = max(self.text, self.cell_height * 0.28)
        across = (self.cell_width - BESIDE_TEXT) / width if width else math.inf
        return min(wished, self.cell_height * self.share_of_text, across)

    @property
    def share_of_text(self) -> float:
        return self.writing.share_of_low_row if self.is_low else self.writing.share_of_row


@dataclass(frozen=True)
class FittedBoard:
    """All matrices of a figure, for one size of cell."""

    matrices: Sequence[FittedMatrix]
    bars: Sequence[ColorBar]
    scales: Mapping[str, theme.Themed]
    cell: float
    width: float
    height: float

    def named(self, name: str) -> FittedMatrix | None:
        return next((m for m in self.matrices if m.name == name), None)

    @cached_property
    def text_size(self) -> float:
        """The one size of all numbers that are written; 0 where none is."""
        sizes = [m.fitting_text for m in self.matrices if m.fitting_text >= SMALLEST_TEXT]
        return min(sizes, default=0)

    def writes_numbers(self, matrix: FittedMatrix) -> bool:
        return matrix.fitting_text >= SMALLEST_TEXT


def board_at(
    figure: Figure,
    arrangement: Arrangement,
    cell: float,
    writing: Writing = ON_A_PAGE,
    high: float | None = None,
) -> FittedBoard:
    """The figure in this arrangement, in cells of this width; as high as wide, or `high`."""
    text = figure.cells.text or USUAL_TEXT
    matrices = [
        FittedMatrix(heatmap, place, cell, figure.decimals, text, writing, high)
        for heatmap, place in zip(figure.heatmaps, arrangement.places, strict=True)
    ]
    size = arrangement.width.at(cell), arrangement.height.at(cell if high is None else high)
    return FittedBoard(matrices, arrangement.bars, figure.scales, cell, *size)


def readable_cell(figure: Figure, size: float = READABLE_TEXT) -> float:
    """The smallest cell in which every number can be read, at a size; 0 where none is written."""
    if not (across := width_of_numbers(figure, size)):
        return 0
    matrices = board_at(figure, figure.arrangements[0], 1).matrices
    return max(across, *(_cell_of_low_row(matrix, size) for matrix in matrices))


def width_of_numbers(figure: Figure, size: float, write: Callable[[str], str] = str) -> float:
    """The width that a cell needs for every number, at a size; 0 where none is written."""
    if figure.decimals is None or figure.count > MOST_WRITTEN:
        return 0
    matrices = board_at(figure, figure.arrangements[0], 1).matrices
    texts = [
        m.full_text(*place) for m in matrices for place in product(range(m.rows), range(m.columns))
    ]
    widest = max(width_of(write(text)) for text in [*texts, figure.cells.widest])
    return widest * size + BESIDE_TEXT


def on_screen(figure: Figure, room: Room) -> FittedBoard:
    """The board as a page of this width and height shows it."""
    cells = _cells_with_room(figure)
    chosen, readable = _choice(figure, cells, room)
    down = chosen.height.cell_in(room[1] * SHARE_OF_SCREEN)
    wished = min(chosen.width.cell_in(room[0]), max(cells.preferred, down))  # where all is seen
    whole = math.floor(wished) if wished >= LARGE_CELLS else wished
    smallest = cells.least if whole >= cells.preferred else _smallest(cells, readable)
    return board_at(figure, chosen, min(max(whole, smallest), cells.most))


def means_of_visible(values: FloatArray, down: int, across: int) -> FloatArray:
    """The mean of each block of cells, of those that are visible; NaN where none is."""
    if down * across == 1:
        return values
    rows, columns = values.shape
    padded = np.full((-rows % down + rows, -columns % across + columns), np.nan)
    padded[:rows, :columns] = values
    blocks = padded.reshape(padded.shape[0] // down, down, -1, across).swapaxes(1, 2)
    is_seen = ~np.isnan(blocks)
    count = is_seen.sum(axis=(2, 3))
    total = np.where(is_seen, blocks, 0).sum(axis=(2, 3))
    means: FloatArray = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return means


def width_of(text: str) -> float:
    """The width of a number's text, in font sizes."""
    return len(text) * LETTER - (LETTER - POINT if "." in text else 0)


def _cells_with_room(figure: Figure) -> CellSizes:
    """The sizes of cells; where a figure says how large its numbers are, with room for them."""
    cells = figure.cells
    if not cells.text:
        return cells
    preferred = max(cells.preferred, math.ceil(readable_cell(figure, cells.text)))
    return replace(cells, preferred=preferred, most=max(cells.most, preferred))


def _choice(figure: Figure, cells: CellSizes, room: Room) -> tuple[Arrangement, float]:
    """The arrangement that suits the room best, and the cell whose numbers can be read in it."""
    every = figure.arrangements

    def with_cells(least: float) -> Arrangement:
        return next((each for each in every if each.width.cell_in(room[0]) >= least), every[-1])

    if cells.enough:
        return with_cells(cells.enough), 0
    readable = readable_cell(figure)
    wanted = readable_cell(figure, cells.text) if cells.text else readable
    preferred = cells.preferred
    comfortable = COMFORTABLE * preferred if wanted > preferred else _smallest(cells, wanted)
    large = with_cells(comfortable)
    of_large = min(preferred, large.width.cell_in(room[0]))
    if large.height.at(of_large) <= SCREENS * room[1] or cells.text:
        return large, readable
    return with_cells(cells.least), 0


def _smallest(cells: CellSizes, readable: float) -> float:
    """The smallest cell: its numbers can be read, where it has room for them."""
    wanted = math.ceil(readable)
    return float(max(cells.least, wanted) if wanted <= cells.preferred else cells.least)


def _cell_of_low_row(matrix: FittedMatrix, size: float) -> float:
    return size / matrix.share_of_text / matrix.matrix.row_height if matrix.is_low else 0
