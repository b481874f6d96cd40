"""A figure in a room: its matrices in their places, each with the numbers that are painted.

The rules are those of the page (`layout.js`, `arrangement.js`, `matrix.js`, `board.js` in
`ui/plot/js`), for a picture without zoom. A test draws figures here and in a browser, and compares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.layer.written import in_powers_of_ten
from ui.figures.board import short_label
from ui.figures.heatmap import Figure
from ui.number_format import MINUS, format_number

SMALLEST_TEXT: Final = 7.5  # pixels of a number that is written into its cell
READABLE_TEXT: Final = 9  # pixels of one that a person reads with ease
USUAL_TEXT: Final = 13  # pixels of one with much room
HEIGHT_OF_TEXT: Final = 0.6  # of the height of its cell, at most
IN_LOW_ROWS: Final = 0.7  # of it, where cells are lower than wide
BESIDE_TEXT: Final = 2.5  # pixels of a cell that its text leaves free
LETTER: Final = 0.52  # the width of a digit and of a minus, in font sizes
POINT: Final = 0.26  # the width of a point
MOST_WRITTEN: Final = 4096  # numbers; no more are written into cells
LARGE_CELLS: Final = 4  # pixels from which on cells have whole sizes
SHARE_OF_SCREEN: Final = 0.6  # of its height, for a figure that grows
COMFORTABLE: Final = 0.65  # of the preferred size of a cell whose number cannot be read anyway
SCREENS: Final = 2.5  # that a figure may be high, for the sake of large cells

Room = tuple[float, float]  # width and height of a screen, in pixels
Two = Sequence[float]  # the `fixed` and `cells` of a length


@dataclass(frozen=True)
class FittedMatrix:
    """One heatmap in its place, in pixels."""

    meta: Mapping[str, Any]
    z: FloatArray  # NaN where a cell is hidden, or where its number is none
    low: float
    high: float
    cell: float
    decimals: int | None  # None where no numbers are written into the cells
    text: float = USUAL_TEXT  # the size that numbers have where there is room for it

    @property
    def rows(self) -> int:
        return int(self.z.shape[0])

    @property
    def columns(self) -> int:
        return int(self.z.shape[1])

    # ---- places ----

    @property
    def x(self) -> float:
        return at(self.meta["left"], self.cell)

    @property
    def y(self) -> float:
        """Low rows begin and end at whole pixels, as all others do."""
        y = at(self.meta["top"], self.cell)
        return float(math.floor(y + 0.5)) if self.is_low else y

    @property
    def heading_top(self) -> float:
        return at(self.meta["heading_top"], self.cell)

    @property
    def width(self) -> float:
        return float(self.meta["across"] * self.cell)

    @property
    def height(self) -> float:
        if self.is_low:
            return float(self.rows * max(1, math.floor(self.meta["row_height"] * self.cell)))
        return float(self.meta["down"] * self.cell)

    @property
    def cell_width(self) -> float:
        return self.width / self.columns

    @property
    def cell_height(self) -> float:
        return self.height / self.rows

    @property
    def is_low(self) -> bool:
        return bool(self.meta["row_height"] < 1)

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
    def lost(self) -> BoolArray:
        """Which cells are no finite numbers, though nothing hides them."""
        return self._lost(self.z, self.meta.get("lost"))

    @cached_property
    def hidden(self) -> BoolArray:
        if not self.meta["masked"]:
            return np.zeros(self.z.shape, bool)
        return np.isnan(self.z) & ~self.lost

    @cached_property
    def before(self) -> FloatArray | None:
        """Other numbers, where it shows by how much they have moved."""
        before = self.meta.get("before")
        return None if before is None else np.asarray(before, float)

    @cached_property
    def drawn(self) -> FloatArray:
        """The numbers, or by how much they have moved."""
        if self.before is None:
            return self.z
        compared = np.where(self.hidden, 0, self.z) if self.colors_hidden else self.z
        with np.errstate(invalid="ignore"):  # of two infinities; it is lost
            return np.asarray(compared - self.before)

    @cached_property
    def is_lost(self) -> BoolArray:
        """Which of what is painted is no finite number."""
        lost = self.lost
        if self.before is not None:
            lost = lost | self._lost(self.before, self.meta.get("before_lost"))
        return lost & ~np.isfinite(self.drawn)

    @cached_property
    def is_empty(self) -> BoolArray:
        """Where no colour is."""
        return np.isnan(self.drawn) & ~self.is_lost

    @property
    def is_hatched(self) -> BoolArray:
        if not self.meta["masked"]:
            return self.hidden
        return self.hidden if self.colors_hidden else self.is_empty

    @property
    def colors_hidden(self) -> bool:
        """In a mask a hidden cell is a 0, which may have been more: hatching lies on its colour."""
        return self.before is not None and bool(self.meta["zero_where_masked"])

    def _lost(self, values: FloatArray, places: Sequence[int] | None) -> BoolArray:
        lost = np.zeros(values.size, bool)
        lost[list(places or [])] = True
        found: BoolArray = lost.reshape(values.shape) | np.isinf(values)
        return found

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
        """What is written into a cell: with fewer decimals where it would not fit else."""
        text, value = self.full_text(row, column), float(self.drawn[row, column])
        if self.decimals is None or not math.isfinite(value) or not self._is_too_wide(text):
            return text
        if self._is_too_wide(format_number(0, self.decimals)):  # no number is written
            return text
        for decimals in range(self.decimals - 1, -1, -1):
            shorter = self._signed(format_number(value, decimals))
            if not self._is_too_wide(shorter):
                return shorter
        return self._signed(in_powers_of_ten(value, 0, "text"))

    def full_text(self, row: int, column: int) -> str:
        if self.is_empty[row, column] or self.decimals is None:
            return ""
        value = float(self.drawn[row, column])
        if self.is_lost[row, column]:
            return format_number(math.nan if self.before is not None else value, self.decimals)
        return self._signed(format_number(value, self.decimals))

    def _signed(self, text: str) -> str:
        if self.before is None or text.startswith(MINUS) or not text.strip("0."):
            return text
        return f"+{text}"

    def _is_too_wide(self, text: str) -> bool:
        return width_of(text) * SMALLEST_TEXT + BESIDE_TEXT > self.cell_width

    @cached_property
    def texts(self) -> list[list[str]]:
        columns = range(self.columns)
        return [[self.cell_text(row, column) for column in columns] for row in range(self.rows)]

    @cached_property
    def fitting_text(self) -> float:
        """The size at which the longest number fits into its cell; 0 where not even a zero does."""
        if self.decimals is None:
            return 0
        if self._size_of_text(width_of(format_number(0, self.decimals))) < SMALLEST_TEXT:
            return 0
        return self._size_of_text(max(width_of(text) for row in self.texts for text in row))

    def _size_of_text(self, width: float) -> float:
        wished = max(self.text, self.cell_height * 0.28)
        across = (self.cell_width - BESIDE_TEXT) / width if width else math.inf
        return min(wished, self.cell_height * self.share_of_text, across)

    @property
    def share_of_text(self) -> float:
        return IN_LOW_ROWS if self.is_low else HEIGHT_OF_TEXT


@dataclass(frozen=True)
class FittedBoard:
    """All matrices of a figure, for one size of cell."""

    matrices: Sequence[FittedMatrix]
    bars: Sequence[Mapping[str, Any]]
    scales: Mapping[str, Any]
    cell: float
    width: float
    height: float

    def named(self, name: str) -> FittedMatrix | None:
        return next((m for m in self.matrices if m.meta["name"] == name), None)

    @cached_property
    def text_size(self) -> float:
        """The one size of all numbers that are written; 0 where none is."""
        sizes = [m.fitting_text for m in self.matrices if m.fitting_text >= SMALLEST_TEXT]
        return min(sizes, default=0)

    def writes_numbers(self, matrix: FittedMatrix) -> bool:
        return matrix.fitting_text >= SMALLEST_TEXT


@dataclass(frozen=True)
class Arrangement:
    """The matrices of a figure in as many columns as it says, and how large its cells may be."""

    figure: Figure
    number: int  # 0 is the one with most columns

    @cached_property
    def meta(self) -> Mapping[str, Any]:
        meta: Mapping[str, Any] = self.figure["layout"]["meta"]
        return meta["others"][self.number - 1] if self.number else meta

    def board(self, cell: float) -> FittedBoard:
        layout = self.figure["layout"]["meta"]
        text = layout["cell"]["text"] or USUAL_TEXT
        matrices = [
            FittedMatrix(
                meta=meta,
                z=np.asarray(trace["z"], float),
                low=trace["zmin"],
                high=trace["zmax"],
                cell=cell,
                decimals=layout["decimals"],
                text=text,
            )
            for trace, meta in self._traces()
        ]
        size = at(self.meta["width"], cell), at(self.meta["height"], cell)
        return FittedBoard(matrices, self.meta["bars"], layout["scales"], cell, *size)

    def cell_in(self, width: float) -> float:
        """The cell with which it is so wide."""
        fixed, cells = self.meta["width"]
        return float((width - fixed) / cells)

    def height_at(self, cell: float) -> float:
        return at(self.meta["height"], cell)

    def width_at(self, cell: float) -> float:
        return at(self.meta["width"], cell)

    def _traces(self) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
        """Each trace with what is said of its matrix here."""
        traces = self.figure["data"]
        if not self.number:
            return ((trace, trace["meta"]) for trace in traces)
        places = self.meta["places"]
        return ((t, _placed(t["meta"], p)) for t, p in zip(traces, places, strict=True))


def arrangements(figure: Figure) -> list[Arrangement]:
    """All of them, from the one with most columns to the one with fewest."""
    others = figure["layout"]["meta"]["others"]
    return [Arrangement(figure, number) for number in range(1 + len(others))]


def readable_cell(figure: Figure, size: float = READABLE_TEXT) -> float:
    """The smallest cell in which every number can be read, at a size; 0 where none is written."""
    meta = figure["layout"]["meta"]
    count = sum(np.size(trace["z"]) for trace in figure["data"])
    if meta["decimals"] is None or count > MOST_WRITTEN:
        return 0
    matrices = Arrangement(figure, 0).board(1).matrices
    sizes = [_readable_cell_of(matrix, size) for matrix in matrices]
    return max(*sizes, width_of(meta["cell"]["widest"]) * size + BESIDE_TEXT)


def on_screen(figure: Figure, room: Room) -> FittedBoard:
    """The board as a page of this width and height shows it."""
    cells = _cells_with_room(figure)
    chosen, readable = _choice(figure, cells, room)
    least, preferred, most = (cells[name] for name in ("least", "preferred", "most"))
    down = (room[1] * SHARE_OF_SCREEN - chosen.meta["height"][0]) / chosen.meta["height"][1]
    wished = min(chosen.cell_in(room[0]), max(preferred, down))  # larger only where all is seen
    whole = math.floor(wished) if wished >= LARGE_CELLS else wished
    smallest = least if whole >= preferred else _smallest(cells, readable)
    return chosen.board(min(max(whole, smallest), most))


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


def at(length: Two, cell: float) -> float:
    """A length of `fixed + cells * cell` pixels."""
    fixed, cells = length
    return float(fixed + cells * cell)


def _cells_with_room(figure: Figure) -> dict[str, Any]:
    """The sizes of cells; where a figure says how large its numbers are, with room for them."""
    cells = dict(figure["layout"]["meta"]["cell"])
    if cells["text"]:
        preferred = max(cells["preferred"], math.ceil(readable_cell(figure, cells["text"])))
        cells |= {"preferred": preferred, "most": max(cells["most"], preferred)}
    return cells


def _choice(figure: Figure, cells: Mapping[str, Any], room: Room) -> tuple[Arrangement, float]:
    """The arrangement that suits the room best, and the cell whose numbers can be read in it."""
    every = arrangements(figure)
    readable = readable_cell(figure)

    def with_cells(least: float) -> Arrangement:
        return next((each for each in every if each.cell_in(room[0]) >= least), every[-1])

    wanted = readable_cell(figure, cells["text"]) if cells["text"] else readable
    preferred = cells["preferred"]
    comfortable = COMFORTABLE * preferred if wanted > preferred else _smallest(cells, wanted)
    large = with_cells(comfortable)
    of_large = min(preferred, large.cell_in(room[0]))
    if large.height_at(of_large) <= SCREENS * room[1] or cells["text"]:
        return large, readable
    return with_cells(cells["least"]), 0


def _smallest(cells: Mapping[str, Any], readable: float) -> float:
    """The smallest cell: its numbers can be read, where it has room for them."""
    wanted = math.ceil(readable)
    return float(max(cells["least"], wanted) if wanted <= cells["preferred"] else cells["least"])


def _readable_cell_of(matrix: FittedMatrix, size: float) -> float:
    places = product(range(matrix.rows), range(matrix.columns))
    widest = max(width_of(matrix.full_text(*place)) for place in places)
    for_height = size / matrix.share_of_text / matrix.meta["row_height"] if matrix.is_low else 0
    return max(widest * size + BESIDE_TEXT, for_height)


def _placed(meta: Mapping[str, Any], place: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of a matrix, in another place. There, other labels are written beside it."""
    return {
        **meta,
        **place,
        "row_ticks": [*map(short_label, meta["row_labels"])] if place["writes_rows"] else [],
        "column_ticks": [*map(short_label, meta["column_labels"])]
        if place["writes_columns"]
        else [],
    }
