"""Where the matrices of a grid stand, in lengths that grow with the cell.

Every length is `fixed + cells * cell` pixels, so that whoever knows the screen can choose the cell:
here for a picture of its own, in the browser for a page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

LABEL_CHARS: Final = 14
SLANT: Final = 45  # of the labels above a matrix, in degrees

CHAR: Final = 7  # width of a letter at the label size, on the wide side
SMALL_CHAR: Final = 6  # and of one in the corner
GAP: Final = 20
CORNER_LINE: Final = 16
HEADING: Final = 24
EDGE: Final = 6  # for the outline of a picked cell in the last row
CAPTION: Final = 22
BAR_GAP: Final = 18
COLOR_BAR: Final = 66  # the bar and the numbers beside it
NARROWEST: Final = 30  # pixels that a cell has on most screens


class Sheet(Protocol):
    """What the layout has to know of a matrix."""

    @property
    def row_labels(self) -> Sequence[str]: ...
    @property
    def column_labels(self) -> Sequence[str]: ...
    @property
    def heading(self) -> str: ...
    @property
    def caption(self) -> str: ...
    @property
    def row_title(self) -> str: ...
    @property
    def axes(self) -> Sequence[str]: ...
    @property
    def scale(self) -> str: ...
    @property
    def across(self) -> int: ...
    @property
    def down(self) -> int: ...


class Length(NamedTuple):
    """A length of `fixed + cells * cell` pixels.

    >>> Length(10, cells=3).at(20)
    70
    """

    fixed: float
    cells: int = 0

    def plus(self, fixed: float = 0, cells: int = 0) -> Length:
        return Length(self.fixed + fixed, self.cells + cells)

    def at(self, cell: float) -> float:
        return self.fixed + self.cells * cell


@dataclass(frozen=True)
class Place:
    """The left upper corner of a matrix, its heading's top, and which of its labels are written."""

    left: Length
    top: Length
    heading_top: Length
    writes_row_labels: bool
    writes_column_labels: bool


@dataclass(frozen=True)
class Grid:
    """The places in the order of the matrices, the colour bars' edges, the size of the whole."""

    places: tuple[Place, ...]
    bar_lefts: tuple[Length, ...]
    width: Length
    height: Length


def place_in_grid(rows: Sequence[Sequence[Sheet]], n_bars: int = 0) -> Grid:
    """Put the matrices where their rows say; neighbours show shared labels once.

    `n_bars` colour bars stand to the right, side by side.
    """
    lefts, right = _lefts(rows)
    places: list[Place] = []
    top = Length(0)
    for number, row in enumerate(rows):
        above = rows[number - 1] if number else ()
        labelled = [
            not any(other.column_labels == sheet.column_labels for other in above[column:][:1])
            for column, sheet in enumerate(row)
        ]
        slanted = [_slanted(sheet) for sheet, has in zip(row, labelled, strict=True) if has]
        lines = bool(row[0].row_title) + (len(row[0].axes) if slanted else 0)
        corner = 8 + CORNER_LINE * lines
        heading = HEADING if any(sheet.heading for sheet in row) else 0
        heading_top = top.plus(GAP if number and (slanted or heading) else 0)
        top = heading_top.plus(heading + max([*slanted, corner]))
        places += [
            Place(
                lefts[column],
                top,
                heading_top,
                _writes_row_labels(row, column),
                labelled[column],
            )
            for column in range(len(row))
        ]
        caption = CAPTION if any(sheet.caption for sheet in row) else EDGE
        top = top.plus(caption, cells=max(sheet.down for sheet in row))
    # The last slanted label leans out over the right edge, above the colour bars.
    leans = max(_longest(row[-1].column_labels) for row in rows) * math.cos(math.radians(SLANT))
    bar_lefts = tuple(right.plus(BAR_GAP + i * COLOR_BAR) for i in range(n_bars))
    width = right.plus(max(leans, BAR_GAP + n_bars * COLOR_BAR if n_bars else EDGE))
    return Grid(tuple(places), bar_lefts, width, top)


def short_label(label: str) -> str:
    """A label that fits beside an axis; the full one is shown on hover.

    >>> short_label("incomprehensibilities")
    'incomprehensi…'
    """
    return label if len(label) <= LABEL_CHARS else label[: LABEL_CHARS - 1] + "…"


def _lefts(rows: Sequence[Sequence[Sheet]]) -> tuple[list[Length], Length]:
    """The left edge of each column of the grid, and the right edge of the last."""
    lefts: list[Length] = []
    right = Length(0)
    for column in range(max(len(row) for row in rows)):
        tall = [row for row in rows if column < len(row)]
        labels = [_gutter(row[column]) for row in tall if _writes_row_labels(row, column)]
        left = right.plus((GAP if column else 0) + max(labels, default=0))
        lefts.append(left)
        right = left.plus(
            max(_overhang(row[column]) for row in tall),
            cells=max(row[column].across for row in tall),
        )
    return lefts, right


def _gutter(sheet: Sheet) -> float:
    """Room left of a matrix: for its row labels, and in the corner above them for its axes."""
    corner = max(SMALL_CHAR * max(map(len, sheet.axes)), CHAR * len(sheet.row_title))
    return max(_longest(sheet.row_labels), corner) + 8


def _overhang(sheet: Sheet) -> float:
    """What a heading is longer than its matrix is wide."""
    return max(0, CHAR * len(sheet.heading) + 10 - NARROWEST * sheet.across)


def _writes_row_labels(row: Sequence[Sheet], column: int) -> bool:
    return column == 0 or row[column - 1].row_labels != row[column].row_labels


def _slanted(sheet: Sheet) -> float:
    return math.sin(math.radians(SLANT)) * _longest(sheet.column_labels) + 16


def _longest(labels: Sequence[str]) -> float:
    return CHAR * max(len(short_label(label)) for label in labels)
