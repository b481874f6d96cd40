"""A figure that is read from the back of a room: no letter of it is smaller than a least size.

It is laid out in a small room, as on a page, and then made as large as its place: letters, lines
and cells alike, as the page does where it is presented (`ui/plot/js/presenting/on_screen.js`).
Cells are as wide as numbers ask, and rows as high as the room allows. Numbers without room get
fewer decimals. Either all numbers are written, or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ui.figures.figure import Arrangement, Figure
from ui.figures.fitted import MOST_WRITTEN, FittedBoard, Writing, board_at, width_of_numbers
from ui.figures.grounds import Ground
from ui.figures.ink import SMALL, frame_of, marks_of
from ui.figures.marks import Grid, Mark, Text, moved, scaled
from ui.number_format import without_zero
from ui.prints.sizes import box_of, cell_of_a_page, largest_arrangement, length_of

OF_A_ROW: Final = 0.95  # for its number: a digit is lower than its size
LEAST_ROW: Final = SMALL / OF_A_ROW  # pixels of one that has room for its number and its label
CLOSE: Final = Writing(OF_A_ROW, OF_A_ROW, label_spacing=LEAST_ROW, easy_text=SMALL)
LEAST_CELL: Final = 2.0  # pixels of a cell without a number
WIDEST: Final = 1.7  # times its height is a cell wide, unless its number asks for more
CLOSER: Final = 0.998  # of its room, so that what it needs is found soon
TRIALS: Final = 4  # until what stands around the cells has the room that it takes
ROUNDING: Final = 1e-6


class Size(NamedTuple):
    """A width and a height, in pixels; of cells too, where a low row is lower."""

    wide: float
    high: float


class ReadFromFar:
    """A figure on a ground, tried in several places. Each arrangement is drawn once."""

    def __init__(self, figure: Figure, ground: Ground, least: float) -> None:
        self.figure, self.ground, self.least = figure, ground, least
        self.usual: dict[Arrangement, list[Mark]] = {}
        self.widths: dict[int | None, tuple[float, float]] = {}

    def in_room(self, width: float, height: float) -> list[Mark]:
        """Marks that fill a room, with letters as large as they have to be."""
        usual = self._usual(width, height)
        if self._is_read(usual, _times(_size(usual), width, height)):
            return filling(usual, width, height)
        large = next(self._with_large_letters(width, height), None)
        return large or _without_letters(filling(usual, width, height))

    def _usual(self, width: float, height: float) -> list[Mark]:
        """Cells have room for their numbers, whatever size that leaves to letters."""
        cell = cell_of_a_page(self.figure)
        best = largest_arrangement(self.figure, cell, width, height)
        if best not in self.usual:
            self.usual[best] = marks_of(board_at(self.figure, best, cell), self.ground)
        return self.usual[best]

    def _with_large_letters(self, width: float, height: float) -> Iterator[list[Mark]]:
        """The ways in which it can be read: with all decimals, with fewer, without numbers."""
        for decimals, heading in product(self._decimals(), (_whole, _symbol)):
            heatmaps = tuple(
                h.saying(heading=heading(h.matrix.heading)) for h in self.figure.heatmaps
            )
            figure = replace(self.figure, decimals=decimals, heatmaps=heatmaps)
            found: list[tuple[float, FittedBoard | None]] = [(0.0, None)]
            for each in sorted(figure.arrangements, key=_count_of_cells):
                found += self._arranged(figure, each, width, height, best=found[-1][0])
            if board := found[-1][1]:
                yield filling(marks_of(board, self.ground), width, height)

    def _decimals(self) -> list[int | None]:
        most = self.figure.decimals
        if most is None or self.figure.count > MOST_WRITTEN:
            return [None]
        least = 0 if all(_are_whole(h.values) for h in self.figure.heatmaps) else 1
        return [*range(most, least - 1, -1), None]

    def _arranged(
        self, figure: Figure, arrangement: Arrangement, width: float, height: float, best: float
    ) -> Iterator[tuple[float, FittedBoard]]:
        """How large cells are on paper, and a board in an arrangement, where it can be read.

        Each is larger than the `best` before it: to look whether others can be read takes time.
        What stands around cells is known when it is drawn. Then cells get the rest of the room.
        """
        across, down = (CLOSER * side * SMALL / self.least for side in (width, height))
        asked, least = self._widths(figure)
        cells = Size(least, LEAST_ROW / _lowest(figure) if asked else LEAST_CELL)
        if arrangement.width.cells * least > across or arrangement.height.cells * cells.high > down:
            return
        for _ in range(TRIALS):
            if width * height <= best * _count_of_cells(arrangement):
                return
            if min(cells) < LEAST_CELL or cells.wide < least:
                return
            board = board_at(figure, arrangement, cells.wide, CLOSE, cells.high)
            frame = frame_of(board, self.ground)
            box = _size(frame)
            times = _times(box, width, height)
            size = cells.wide * cells.high * times**2
            is_written = size > best and self._is_written(board, asked)
            if is_written and self._is_read(frame, times):
                best = size
                yield best, board
            free = Size(
                (across - box.wide) / arrangement.width.cells + cells.wide,
                (down - box.high) / arrangement.height.cells + cells.high,
            )
            cells = _filling_cells(figure, free, asked)

    def _widths(self, figure: Figure) -> tuple[float, float]:
        """Of a cell in which every number can be read: as it is written, and at least."""
        if figure.decimals not in self.widths:
            asked, least = (width_of_numbers(figure, SMALL, write) for write in (str, without_zero))
            self.widths[figure.decimals] = asked, max(LEAST_CELL, least)
        return self.widths[figure.decimals]

    def _is_written(self, board: FittedBoard, asked: float) -> bool:
        return not asked or all(each.fitting_text >= SMALL for each in board.matrices)

    def _is_read(self, marks: Sequence[Mark], times: float) -> bool:
        """Whether marks can be read when they are enlarged."""
        is_large = smallest_text(marks) * times >= self.least - ROUNDING
        return is_large and not _headings_meet(marks)


def _filling_cells(figure: Figure, free: Size, asked: float) -> Size:
    """Cells that fill what is free, or less of it.

    A row is at most as high as its cells are wide. Without numbers it may be so high that the
    widest matrix is a square.
    """
    matrices = [each.matrix for each in figure.heatmaps]
    shape = max(m.across for m in matrices) / max(m.down for m in matrices)
    highest = 1 / _lowest(figure)
    high = min(free.high, free.wide * (highest if asked else max(highest, shape)))
    return Size(min(free.wide, max(asked, WIDEST * _lowest(figure) * high)), high)


def _count_of_cells(arrangement: Arrangement) -> float:
    """Of a board as large as the cells of this arrangement side by side."""
    return arrangement.width.cells * arrangement.height.cells


def _lowest(figure: Figure) -> float:
    """The height of the lowest row, in heights of a cell."""
    return min(each.matrix.row_height for each in figure.heatmaps)


def _are_whole(values: ArrayLike) -> bool:
    """Else no number is written without decimals: a row of weights would read as 0, 1, 0."""
    numbers = np.asarray(values, float)
    return bool((numbers == np.round(numbers))[np.isfinite(numbers)].all())


def _without_letters(marks: Sequence[Mark]) -> list[Mark]:
    """The colours alone, from (0, 0) on."""
    kept = [mark for mark in marks if not isinstance(mark, Text)]
    bare = [replace(mark, texts=[]) if isinstance(mark, Grid) else mark for mark in kept]
    box = box_of(bare)
    return moved(bare, -box.left, -box.top)


def _whole(heading: str) -> str:
    return heading


def _symbol(heading: str) -> str:
    """A heading without the shape, where there is no room for it."""
    return heading.partition(":")[0]


def _headings_meet(marks: Sequence[Mark]) -> bool:
    """Whether the heading of a matrix runs into that of its neighbour, or the mark before it."""
    bold = sorted((m.y, m.x, m) for m in marks if isinstance(m, Text) and m.bold)
    return any(
        one.y == other.y and one.x + length_of(one) + one.size > other.x
        for (_, _, one), (_, _, other) in pairwise(bold)
        if other.anchor == one.anchor == "start"
    )


def _size(marks: Sequence[Mark]) -> Size:
    box = box_of(marks)
    return Size(box.right - box.left, box.bottom - box.top)


def filling(marks: Sequence[Mark], width: float, height: float) -> list[Mark]:
    """Marks from (0, 0) on, as large as a room allows."""
    box = box_of(marks)
    times = _times(Size(box.right - box.left, box.bottom - box.top), width, height)
    return moved(scaled(marks, times), -box.left * times, -box.top * times)


def _times(size: Size, width: float, height: float) -> float:
    """How much larger it is if it fills a room."""
    return min(width / size.wide, height / size.high)


def smallest_text(marks: Sequence[Mark]) -> float:
    """The size of the smallest letters, those of cells too; endless where there are none."""
    sizes = (
        mark.size
        for mark in marks
        if isinstance(mark, Text) or (isinstance(mark, Grid) and count_of_digits([mark]))
    )
    return min(sizes, default=float("inf"))


def count_of_digits(marks: Sequence[Mark]) -> int:
    """How much is written into cells: the more, the more can be read."""
    grids = [mark for mark in marks if isinstance(mark, Grid)]
    return sum(len(text) for grid in grids for row in grid.texts for text in row)
