"""A figure that is read from the back of a room: no letter of it is smaller than a least size.

It is laid out in a small room, as on a page, and then made as large as its place: letters, lines
and cells alike, as the page does where it is presented (`ui/plot/js/presenting/on_screen.js`).
Numbers without room get fewer decimals. Either all numbers are written, or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from ui.figures.figure import Arrangement, Figure
from ui.figures.fitted import MOST_WRITTEN, Writing, board_at
from ui.figures.grounds import Ground
from ui.figures.ink import SMALL, marks_of
from ui.figures.marks import Grid, Mark, Text, moved, scaled
from ui.prints.sizes import box_of, cell_of_a_page, largest_arrangement, length_of

CLOSE: Final = Writing(share_of_low_row=0.95, label_spacing=12)  # a digit is lower than its size
LEAST_CELL: Final = 2.0  # pixels of a cell without a number
CLOSER: Final = 0.96  # of its room, until what stands around a board has room too
TRIALS: Final = 8
ROUNDING: Final = 1e-6


class ReadFromFar:
    """A figure on a ground, tried in several places. Each arrangement is drawn once."""

    def __init__(self, figure: Figure, ground: Ground, least: float) -> None:
        self.figure, self.ground, self.least = figure, ground, least
        self.usual: dict[Arrangement, list[Mark]] = {}

    def in_room(self, width: float, height: float) -> list[Mark]:
        """Marks that fill a room, with letters as large as they have to be."""
        usual = filling(self._usual(width, height), width, height)
        if smallest_text(usual) >= self.least - ROUNDING and not _headings_meet(usual):
            return usual
        return next(self._with_large_letters(width, height), None) or _without_letters(usual)

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
            found = [self._arranged(figure, each, width, height) for each in figure.arrangements]
            readable = [(cell, marks) for cell, marks in found if marks]
            if readable:
                yield max(readable, key=lambda each: each[0])[1]

    def _decimals(self) -> list[int | None]:
        most = self.figure.decimals
        if most is None or self.figure.count > MOST_WRITTEN:
            return [None]
        least = 0 if all(_are_whole(h.values) for h in self.figure.heatmaps) else 1
        return [*range(most, least - 1, -1), None]

    def _arranged(
        self, figure: Figure, arrangement: Arrangement, width: float, height: float
    ) -> tuple[float, list[Mark]]:
        """The cell and the marks of an arrangement; no marks, where it cannot be read."""
        room = width * SMALL / self.least, height * SMALL / self.least
        for _ in range(TRIALS):
            cell = min(arrangement.width.cell_in(room[0]), arrangement.height.cell_in(room[1]))
            if cell < LEAST_CELL:
                return 0, []
            board = board_at(figure, arrangement, cell, CLOSE)
            is_read = all(each.fitting_text >= SMALL for each in board.matrices)
            if figure.decimals is not None and not is_read:
                return 0, []
            marks = filling(marks_of(board, self.ground), width, height)
            if smallest_text(marks) >= self.least - ROUNDING:
                return (0, []) if _headings_meet(marks) else (cell, marks)
            room = room[0] * CLOSER, room[1] * CLOSER
        return 0, []


def _are_whole(values: ArrayLike) -> bool:
    """Else no number is written without decimals: a row of weights would read as 0, 1, 0."""
    numbers = np.asarray(values, float)
    return bool((numbers == np.round(numbers))[np.isfinite(numbers)].all())


def _without_letters(marks: Sequence[Mark]) -> list[Mark]:
    """The colours alone."""
    kept = [mark for mark in marks if not isinstance(mark, Text)]
    return [replace(mark, texts=[]) if isinstance(mark, Grid) else mark for mark in kept]


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


def filling(marks: Sequence[Mark], width: float, height: float) -> list[Mark]:
    """Marks from (0, 0) on, as large as a room allows."""
    box = box_of(marks)
    times = min(width / (box.right - box.left), height / (box.bottom - box.top))
    return moved(scaled(marks, times), -box.left * times, -box.top * times)


def texts_in(marks: Sequence[Mark]) -> Iterator[Text]:
    """All texts, those of cells too."""
    for mark in marks:
        parts = mark.parts() if isinstance(mark, Grid) else [mark]
        yield from (part for part in parts if isinstance(part, Text))


def smallest_text(marks: Sequence[Mark]) -> float:
    """The size of the smallest letters; endless where there are none."""
    return min((text.size for text in texts_in(marks)), default=float("inf"))


def count_of_digits(marks: Sequence[Mark]) -> int:
    """How much is written into cells: the more, the more can be read."""
    grids = [mark for mark in marks if isinstance(mark, Grid)]
    return sum(len(text) for grid in grids for row in grid.texts for text in row)
