"""Where the matrices of a board stand, in lengths that grow with the cell.

Every length is `fixed + cells * cell` pixels: the browser knows the screen and chooses the cell.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, NamedTuple

from ui.figures.matrix import Matrix

LABEL_CHARS: Final = 14  # the same as in ui/plot/js/board/arrangement.js
SLANT: Final = 45  # of the labels above a matrix, in degrees

CHAR: Final = 7  # width of a letter at the label size, on the wide side
SMALL_CHAR: Final = 6  # and of one in the corner
GAP: Final = 20  # between rows of matrices
BETWEEN: Final = 14  # and between columns of them
CORNER_LINE: Final = 16
HEADING: Final = 24
NOTE: Final = 16  # more, for the words below a heading
NOTE_LINE: Final = 13  # and for each further line of them
ABOVE: Final = 8  # right above a matrix, for the colours of its heads
EDGE: Final = 6  # for the outline of a picked cell in the last row
CAPTION: Final = 22
BAR_GAP: Final = 18
COLOR_BAR: Final = 66  # the bar and the numbers beside it
LEAST: Final = 18  # pixels of a cell with a number, on a narrow screen
NARROWEST: Final = 30  # pixels that a cell has on most screens
MOST_KEPT: Final = 256  # boards

Rows = Sequence[Sequence[Matrix | None]]  # None leaves a place empty


class Length(NamedTuple):
    """A length of `fixed + cells * cell` pixels.

    >>> Length(10, cells=3).at(20)
    70
    """

    fixed: float
    cells: float = 0

    def plus(self, fixed: float = 0, cells: float = 0) -> Length:
        return Length(self.fixed + fixed, self.cells + cells)

    def at(self, cell: float) -> float:
        return self.fixed + self.cells * cell

    def cell_in(self, pixels: float) -> float:
        """The size of a cell at which it takes so many pixels."""
        return (pixels - self.fixed) / self.cells


class Spacing(NamedTuple):
    """How far apart the matrices of a board stand, in pixels."""

    gap: float = GAP
    between: float = BETWEEN
    bar_gap: float = BAR_GAP
    color_bar: float = COLOR_BAR
    corner_beside_heading: bool = False  # the words in the corner: all of them, not only the lower
    all_in_sight: bool = False  # so the same labels are not said again below them
    least_cell: float | None = None  # that headings have room above, if it is less than usual
    headings_over_labels: bool = False  # those of rows, in the next column


USUAL: Final = Spacing()
TIGHT: Final = Spacing(gap=4, corner_beside_heading=True)  # where letters are large
PRESENTED: Final = Spacing(gap=TIGHT.gap, all_in_sight=True)
NARROW: Final = Spacing(between=8, bar_gap=12, color_bar=60)
DENSE: Final = NARROW._replace(gap=8, corner_beside_heading=True)  # for many tokens


@dataclass(frozen=True)
class Place:
    """The left upper corner of a matrix, its heading's top, and which of its labels are written."""

    left: Length
    top: Length
    heading_top: Length
    writes_row_labels: bool
    writes_column_labels: bool


class FreePlace(NamedTuple):
    """Where nothing stands: below the first matrix, and left of the labels beside that place."""

    left: Length
    top: Length
    right: Length
    bottom: Length


@dataclass(frozen=True)
class Board:
    """The place of each matrix, of each colour bar, and the size of the whole.

    A colour bar is named after its group of colours. It stands beside the first row that uses them,
    right of all matrices that have a bar.
    """

    places: dict[Matrix, Place]
    bars: dict[str, BarPlace]
    width: Length
    height: Length
    free: FreePlace | None


@dataclass(frozen=True)
class BarPlace:
    """The left upper corner of a colour bar, and whether it needs a title.

    It is as high as the matrix that it stands beside.
    """

    left: Length
    top: Length
    has_title: bool  # where another bar stands beside it


class _Plan(NamedTuple):
    """A board without its matrices: their places in the order of the rows."""

    places: tuple[Place, ...]
    bars: dict[str, BarPlace]
    width: Length
    height: Length
    free: FreePlace | None


_kept: Final[dict[Hashable, _Plan]] = {}  # the last boards, of all visitors


def board_of(
    rows: Rows, *, has_bars: bool = True, row_title_chars: int = 0, spacing: Spacing = USUAL
) -> Board:
    """Put the matrices where their rows say; neighbours show shared labels once.

    `row_title_chars` keeps room for a row title of so many letters, whatever stands there. A change
    of numbers alone keeps the board.
    """
    options = (has_bars, row_title_chars, spacing)
    key = (*(tuple(each and each.outline for each in row) for row in rows), options)
    plan = _kept.get(key)
    if plan is None:
        if len(_kept) >= MOST_KEPT:
            _kept.clear()
        _kept[key] = plan = _plan_of(rows, *options)
    places = dict(zip(in_rows(rows), plan.places, strict=True))
    return Board(places, plan.bars, plan.width, plan.height, plan.free)


def _plan_of(rows: Rows, has_bars: bool, row_title_chars: int, spacing: Spacing) -> _Plan:
    lefts, right, right_of_barred = _lefts(rows, row_title_chars, spacing, has_bars=has_bars)
    places: dict[Matrix, Place] = {}
    top = Length(0)
    for number, row in enumerate(rows):
        labelled = _writes_column_labels(row, rows[:number], all_in_sight=spacing.all_in_sight)
        heading = _height_of_headings(row)
        beside = heading if spacing.corner_beside_heading else _further_lines(row)
        head = _head_of_row(row, labelled, beside_heading=beside)
        begins_anew = any(labelled) or heading
        heading_top = top.plus(spacing.gap if number and begins_anew else 0)
        top = heading_top.plus(heading + head)
        for column, matrix in enumerate(row):
            if matrix:
                writes = _writes_row_labels(row, column, rows), labelled[column]
                left = lefts[column]
                if matrix.is_left_factor and in_row(row[column + 1 :]):
                    standing = [each[column] for each in rows if column < len(each)]
                    left = _beside_product(left, matrix, standing, spacing)
                places[matrix] = Place(left, top, heading_top, *writes)
        caption = CAPTION if any(matrix.caption for matrix in in_row(row)) else EDGE
        top = top.plus(caption, cells=max(matrix.down for matrix in in_row(row)))
    bars = _bars(rows, places, right_of_barred, spacing) if has_bars else {}
    width = right.plus(_beside(rows, bars, right, spacing))
    free = _free_place(rows, places, row_title_chars)
    return _Plan(tuple(places.values()), bars, width, top, free)


def _free_place(
    rows: Rows, places: Mapping[Matrix, Place], row_title_chars: int
) -> FreePlace | None:
    first, *below = rows
    beside = [row[1:] for row in takewhile(lambda row: row[0] is None, below)]
    neighbours = [row[0] for row in beside if row and row[0]]
    if not first[0] or not beside or len(neighbours) < len(beside):
        return None
    gutter = max(_gutter(matrix, row_title_chars) for matrix in neighbours)
    last = in_row(beside[-1])
    return FreePlace(
        left=Length(0),
        top=places[first[0]].top.plus(CAPTION if first[0].caption else EDGE, cells=first[0].down),
        right=places[neighbours[0]].left.plus(-gutter),
        bottom=places[last[0]].top.plus(cells=max(matrix.down for matrix in last)),
    )


def _height_of_headings(row: Sequence[Matrix | None]) -> float:
    heading = HEADING if any(matrix.heading for matrix in in_row(row)) else 0
    has_notes = any(matrix.notes for matrix in in_row(row))
    return heading + (NOTE if has_notes else 0) + _further_lines(row)


def _further_lines(row: Sequence[Matrix | None]) -> float:
    """The height of the notes from their second line on: words in the corner may stand beside."""
    return NOTE_LINE * max(0, *(len(matrix.notes) - 1 for matrix in in_row(row)))


def in_row(row: Sequence[Matrix | None]) -> list[Matrix]:
    """The matrices of a row, without its empty places."""
    return [matrix for matrix in row if matrix]


def in_rows(rows: Rows) -> list[Matrix]:
    return [matrix for row in rows for matrix in in_row(row)]


def exchanged(rows: Rows, new: Mapping[Matrix, Matrix]) -> Rows:
    """The same rows with other matrices in their places."""
    return [[matrix and new[matrix] for matrix in row] for row in rows]


def short_label(label: str) -> str:
    """A label that fits beside an axis; the full one is shown on hover.

    >>> short_label("incomprehensibilities")
    'incomprehensi…'
    """
    return label if len(label) <= LABEL_CHARS else label[: LABEL_CHARS - 1] + "…"


def _lefts(
    rows: Rows, row_title_chars: int, spacing: Spacing, *, has_bars: bool
) -> tuple[list[Length], Length, Length]:
    """Where the columns of the board begin and where the last ends; and the last with a bar."""
    lefts: list[Length] = []
    right = right_of_barred = Length(0)
    over = 0.0  # the last column: what its headings need right of it
    count, last_barred = max(len(row) for row in rows), _last_barred(rows)
    for column in range(count):
        standing = [(row, row[column]) for row in rows if column < len(row)]
        labels = [
            _gutter(matrix, row_title_chars) - _room_beside(row, column, rows)
            for row, matrix in standing
            if matrix and _writes_row_labels(row, column, rows)
        ]
        left = right.plus(max(over, (spacing.between if column else 0) + max([0, *labels])))
        lefts.append(left)
        matrices = [matrix for _, matrix in standing if matrix]
        over = max(_overhang(matrix, spacing) for matrix in matrices)
        right = left.plus(cells=max(matrix.across for matrix in matrices))
        if not spacing.headings_over_labels or column + 1 == count:
            right, over = right.plus(over), 0
        if column == last_barred:
            right_of_barred = right
            if has_bars and column + 1 < count:
                right = right.plus(spacing.bar_gap + spacing.color_bar)
    return lefts, right, right_of_barred


def _last_barred(rows: Rows) -> int:
    """The last column of the board with a matrix whose colours a bar explains; -1 without one."""
    places = [
        column
        for row in rows
        for column, matrix in enumerate(row)
        if matrix and not matrix.has_own_range
    ]
    return max(places, default=-1)


def _beside_product(
    left: Length, matrix: Matrix, column: Sequence[Matrix | None], spacing: Spacing
) -> Length:
    """The left edge of a matrix that ends where its column of the board ends."""
    matrices = in_row(column)
    overhang = max(_overhang(m, spacing) for m in matrices) - _overhang(matrix, spacing)
    return left.plus(overhang, cells=max(m.across for m in matrices) - matrix.across)


def _gutter(matrix: Matrix, row_title_chars: int) -> float:
    """Room left of a matrix: for its row labels, and in the corner above them for its axes."""
    title = CHAR * max(row_title_chars, len(matrix.row_title)) if matrix.row_title else 0
    axes = SMALL_CHAR * max(map(len, matrix.axes), default=0)
    return max(_longest([*matrix.row_labels, *matrix.row_room]), axes, title) + 8


def _overhang(matrix: Matrix, spacing: Spacing) -> float:
    """By how much the heading, or the words below it, are wider than the matrix."""
    wider = max(CHAR * len(matrix.heading), SMALL_CHAR * matrix.longest_note) + 10
    cell = spacing.least_cell or (LEAST if matrix.notes else NARROWEST)
    return max(0, wider - cell * matrix.across)


def _head_of_row(
    row: Sequence[Matrix | None], labelled: Sequence[bool], *, beside_heading: float
) -> float:
    """Room above the matrices of a row: for slanted labels, and for the words in the corner."""
    slanted = [_slanted(m) for m, has in zip(row, labelled, strict=True) if m and has]
    corners = [
        bool(m.row_title) + (len(m.axes) if has else 0)
        for m, has in zip(row, labelled, strict=True)
        if m and (m.row_title or m is in_row(row)[0])
    ]
    lines = max(corners, default=0)
    return max([*slanted, ABOVE, ABOVE + CORNER_LINE * lines - beside_heading])


def _room_beside(row: Sequence[Matrix | None], column: int, rows: Rows) -> float:
    """Pixels for labels in the empty places left of a matrix, at their least width."""
    if column == 0 or row[column - 1] is not None:
        return 0
    room = LEAST * _across_column(rows, column - 1)
    return room + _room_beside(row, column - 1, rows)


def _across_column(rows: Rows, column: int) -> int:
    return max(m.across for row in rows if column < len(row) and (m := row[column]))


def _writes_row_labels(row: Sequence[Matrix | None], column: int, rows: Rows) -> bool:
    matrix = row[column]
    if matrix is None or matrix.is_whole:
        return False
    neighbour = _left_neighbour(row, column, rows)
    if matrix.repeats_row_labels:
        return True
    return neighbour is None or neighbour.row_labels != matrix.row_labels


def _left_neighbour(row: Sequence[Matrix | None], column: int, rows: Rows) -> Matrix | None:
    """What stands left of a place; beyond an empty place where that is too narrow for labels."""
    if column == 0:
        return None
    if row[column - 1] is None and _across_column(rows, column - 1) == 1:
        return _left_neighbour(row, column - 1, rows)
    return row[column - 1]


def _writes_column_labels(
    row: Sequence[Matrix | None], above: Rows, *, all_in_sight: bool
) -> list[bool]:
    """For each place of a row, whether its columns differ from those of the matrix above.

    If all stand in one column, as on a phone, the labels above may be out of sight: so labels stand
    below every heading, unless all are in sight.
    """
    may_be_far = not all_in_sight and all(len(each) == 1 for each in (row, *above))
    return [
        matrix is not None
        and not matrix.is_whole
        and (
            (may_be_far and bool(matrix.heading))
            or _has_other_columns(matrix, _nearest(above, column))
        )
        for column, matrix in enumerate(row)
    ]


def _has_other_columns(matrix: Matrix, above: Matrix | None) -> bool:
    if above is None or above.across != matrix.across:
        return True
    return above.column_labels != matrix.column_labels


def _nearest(above: Rows, column: int) -> Matrix | None:
    """The lowest matrix in a column of these rows."""
    column_of = [row[column] for row in above if column < len(row)]
    return next((matrix for matrix in reversed(column_of) if matrix), None)


def _slanted(matrix: Matrix) -> float:
    return math.sin(math.radians(SLANT)) * _longest_above(matrix) + 16


def _longest_above(matrix: Matrix) -> float:
    return _longest([*matrix.column_labels, *matrix.column_room])


def _longest(labels: Sequence[str]) -> float:
    """Pixels of the longest label, as `short_label` writes it."""
    return CHAR * min(LABEL_CHARS, max(map(len, labels)))


def _bars(
    rows: Rows, places: dict[Matrix, Place], right: Length, spacing: Spacing
) -> dict[str, BarPlace]:
    bars: dict[str, BarPlace] = {}
    for row in ([m for m in in_row(each) if not m.has_own_range] for each in rows):
        new = {matrix.group: matrix for matrix in reversed(row) if matrix.group not in bars}
        in_order = [group for group in dict.fromkeys(m.group for m in row) if group in new]
        for slot, group in enumerate(in_order):
            left = right.plus(spacing.bar_gap + slot * spacing.color_bar)
            top = places[new[group]].top
            bars[group] = BarPlace(left, top, has_title=len(in_order) > 1)
    return bars


def _beside(rows: Rows, bars: dict[str, BarPlace], right: Length, spacing: Spacing) -> float:
    """Room right of the last matrix: for colour bars, and for a slanted label that leans out."""
    last = [in_row(row)[-1] for row in rows]
    leans = max([0, *(_longest_above(matrix) for matrix in last if not matrix.is_whole)])
    leans *= math.cos(math.radians(SLANT))
    outside = [bar.left for bar in bars.values() if bar.left.cells == right.cells]
    ends = [left.fixed - right.fixed + spacing.color_bar for left in outside]
    return max([leans, EDGE, *ends])
