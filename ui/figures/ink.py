"""A fitted board as marks: what `ui/plot/js/drawing/ink.js` and `cells.js` draw, on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from ui.figures.board import NOTE_LINE
from ui.figures.colors import Colors, hex_of, mixed
from ui.figures.figure import ColorBar
from ui.figures.fitted import FittedBoard, FittedMatrix
from ui.figures.grounds import Ground
from ui.figures.marks import HATCH, HATCH_PEN, Gradient, Grid, Image, Lines, Mark, Rect, Text

LABEL: Final = 12  # pixels of a label
SMALL: Final = 11
HEADING: Final = 13
SLANTED_SPACING: Final = 17  # pixels that a slanted label needs
SLANT: Final = -45  # degrees
LABEL_LETTER: Final = 7.5  # pixels of a letter of a label, at most on average
CAPTION_LETTER: Final = 6  # and of one of a caption
ZOOM_HINT: Final = say("drag to zoom in")
NARROW_BAND: Final = 6  # pixels of a band that touches its neighbours
SHADE: Final = 0.05  # of the colour of text, over what is hidden
MOST_CELLS: Final = 2**14  # that are drawn one by one; more are an image
SHARP: Final = 2  # dots a pixel, of cells that are an image


def marks_of(board: FittedBoard, ground: Ground) -> list[Mark]:
    """Everything that the board shows, from the ground up."""
    marks: list[Mark] = []
    for matrix in board.matrices:
        marks += _around_and_labels(matrix, board, ground)
        colors = colors_of(matrix, board, ground)
        if is_image(matrix, board):
            marks += [_image(matrix, colors), *_hatching(matrix, ground)]
        else:
            marks.append(_grid(matrix, board, colors, ground))
    for bar in board.bars:
        marks += _color_bar(bar, board, ground)
    return marks


def frame_of(board: FittedBoard, ground: Ground) -> list[Mark]:
    """The same without what its cells show: as large, and drawn at once."""
    marks: list[Mark] = []
    for matrix in board.matrices:
        marks += _around_and_labels(matrix, board, ground)
        marks.append(Rect(matrix.x, matrix.y, matrix.width, matrix.height, ground.under))
    for bar in board.bars:
        marks += _color_bar(bar, board, ground)
    return marks


def notes_of(board: FittedBoard) -> list[str]:
    """What a reader has to know about it."""
    notes = []
    if count := sum(matrix.values.size for matrix in board.matrices if is_image(matrix, board)):
        notes.append(say("{count:,} of its cells are an image.").format(count=count))
    if any(matrix.dots != (1, 1) for matrix in board.matrices):
        notes.append(say("A dot is the mean of several cells."))
    return notes


def is_image(matrix: FittedMatrix, board: FittedBoard) -> bool:
    """Whether its cells are too small, or too many, to be drawn one by one."""
    return not matrix.gap or count_of(board) > MOST_CELLS


def count_of(board: FittedBoard) -> int:
    return sum(matrix.values.size for matrix in board.matrices)


# ---- around the cells ----


def _around_and_labels(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    yield from around(matrix, board, ground)
    yield from _row_labels(matrix, ground)
    yield from _column_labels(matrix, ground)


def around(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    """What is written and drawn around its cells, except the labels of its rows and columns."""
    yield from _heading(matrix, ground)
    yield from _feeds(matrix, board, ground)
    yield from _corner(matrix, ground)
    yield from _caption(matrix, ground)
    yield from _bands(matrix)


def _heading(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    """The heading. If its head is off, it is grey and says so."""
    said, x, top = matrix.matrix, matrix.x, matrix.heading_top
    if not said.heading:
        return
    is_off = said.headed is not None and said.headed.is_off
    if said.color:
        yield Rect(x, top, 4, 15, ground.quiet if is_off else said.color, radius=1.5)
        x += 10
    fill = ground.quiet if is_off else ground.text
    yield Text(x, top + 12, said.heading, HEADING, fill, bold=not is_off)
    for number, line in enumerate(filter(None, said.notes)):
        yield Text(matrix.x, top + 28 + NOTE_LINE * number, line, SMALL, ground.quiet)


def _feeds(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    """From an input to its products in the same row, above the headings."""
    found = [board.named(name) for name in matrix.matrix.feeds]
    top = matrix.heading_top
    products = [m for m in found if m and m.heading_top == top and m.x > matrix.x]
    if not products:
        return
    above, below = top - 9, top - 1
    middles = [product.x + product.width / 2 for product in products]
    start = matrix.x + matrix.width / 2
    ways = [[(start, below), (start, above), (max(middles), above)]]
    for middle in middles:
        ways.append([(middle, above), (middle, below)])
        ways.append([(middle - 3, below - 4), (middle, below), (middle + 3, below - 4)])
    yield Lines(ways, ground.pale(0.45), 1.5)


def _corner(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    """Above the matrix at the left, from below: what its axes are, then the title of its row."""
    corner = matrix.corner
    lines = [(text, SMALL, ground.quiet, False) for text in reversed(corner.axes)]
    if corner.title:
        lines.append((corner.title, HEADING, ground.text, True))
    for number, (text, size, fill, bold) in enumerate(lines):
        place = matrix.x - 6, matrix.y - 7 - number * 15
        yield Text(*place, text, size, fill, bold=bold, anchor="end")


def _caption(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    words = matrix.matrix.caption
    if not words:
        return
    with_dots = f"{words}; {_words_of_dots(matrix)}"
    room = matrix.width - CAPTION_LETTER * len(f"; {ZOOM_HINT}")  # the page says this too
    if matrix.dots != (1, 1) and CAPTION_LETTER * len(with_dots) <= room:
        words = with_dots
    place = matrix.x + matrix.width / 2, matrix.y + matrix.height + 15
    yield Text(*place, words, LABEL, ground.quiet, anchor="middle")


def _bands(matrix: FittedMatrix) -> Iterator[Mark]:
    for start, stop, fill in matrix.matrix.bands:
        left, right = matrix.left(start), matrix.left(stop)
        apart = 1 if right - left > NARROW_BAND else 0
        yield Rect(left + apart, matrix.y - 6, right - left - 2 * apart, 4, fill, radius=1.5)


def rows_labelled(matrix: FittedMatrix) -> list[int]:
    """The rows whose labels have room."""
    ticks, step = matrix.row_ticks, math.ceil(matrix.writing.label_spacing / matrix.cell_height)
    return [row for row in range(0, len(ticks), step) if ticks[row]]


def columns_labelled(matrix: FittedMatrix) -> list[int]:
    ticks, step = matrix.column_ticks, math.ceil(SLANTED_SPACING / matrix.cell_width)
    return [column for column in range(0, len(ticks), step) if ticks[column]]


def has_narrow_labels(matrix: FittedMatrix) -> bool:
    """Whether every label is as narrow as its column: else they are slanted."""
    longest = max(map(len, matrix.column_ticks), default=0)
    return longest * LABEL_LETTER <= matrix.cell_width - 4


def _row_labels(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    for row in rows_labelled(matrix):
        place = matrix.x - 6, matrix.top(row + 0.5) + 4
        yield Text(*place, matrix.row_ticks[row], LABEL, ground.text, anchor="end")


def _column_labels(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    is_narrow = has_narrow_labels(matrix)
    y = matrix.y - (11 if matrix.matrix.bands else 6)
    for column in columns_labelled(matrix):
        text, place = matrix.column_ticks[column], (matrix.left(column + 0.5), y)
        if is_narrow:
            yield Text(*place, text, LABEL, ground.text, anchor="middle")
        else:
            yield Text(*place, text, LABEL, ground.text, angle=SLANT)


# ---- cells ----


def colors_of(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Colors:
    heatmap = matrix.heatmap
    scale = tuple(board.scales[heatmap.scale][ground.theme])
    return Colors(scale, heatmap.low, heatmap.high, ground.lost)


def _grid(matrix: FittedMatrix, board: FittedBoard, colors: Colors, ground: Ground) -> Grid:
    """A rectangle for each cell. Hidden cells get a shade that tells them from the ground."""
    looks = [
        [hex_of(*map(int, color)) for color in row]
        for row in colors.of(matrix.drawn, matrix.is_lost)
    ]
    shade = mixed(ground.text, ground.under, SHADE)
    empty = np.where(matrix.is_hatched, shade, "")
    fills = [
        [
            str(empty[row, column]) if matrix.is_empty[row, column] else fill
            for column, (fill, _) in enumerate(look)
        ]
        for row, look in enumerate(looks)
    ]
    return Grid(
        matrix.x,
        matrix.y,
        matrix.width,
        matrix.height,
        matrix.gap,
        fills=fills,
        texts=matrix.texts if board.writes_numbers(matrix) else [],
        inks=[[ink for _, ink in look] for look in looks],
        size=board.text_size,
        hatched=matrix.is_hatched,
        hatch=ground.pale(0.3),
    )


def _image(matrix: FittedMatrix, colors: Colors) -> Image:
    """All cells as one image. If a cell is narrower than a pixel, a dot stands for several."""
    down, across = matrix.dots
    values, is_lost = matrix.drawn_in_dots
    opacity = np.where(np.isnan(values) & ~is_lost, 0, 255).astype(np.uint8)
    pixels = np.concatenate([colors.of(values, is_lost), opacity[..., None]], axis=-1)
    width = values.shape[1] * across * matrix.cell_width
    height = values.shape[0] * down * matrix.cell_height
    sharp = [max(1, math.ceil(SHARP * size)) for size in (matrix.cell_height, matrix.cell_width)]
    pixels = pixels.repeat(sharp[0], axis=0).repeat(sharp[1], axis=1)
    return Image(matrix.x, matrix.y, width, height, pixels)


def _words_of_dots(matrix: FittedMatrix) -> str:
    says = (
        say("a dot is the mean of the visible cells among {count}")
        if matrix.heatmap.may_hide
        else say("a dot is the mean of {count} cells")
    )
    return says.format(count=math.prod(matrix.dots))


# ---- what is hidden ----


def _hatching(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    """Slanted lines over hidden cells of an image, and a shade below them."""
    hidden = matrix.is_hatched
    if not hidden.any():
        return
    if not matrix.colors_hidden:
        shade = mixed(ground.text, ground.under, SHADE)
        for row, start, stop in _runs(hidden):
            size = (stop - start) * matrix.cell_width, matrix.cell_height
            yield Rect(matrix.left(start), matrix.top(row), *size, shade)
    yield Lines([*_slanted(matrix, hidden)], ground.pale(0.3), HATCH_PEN)


def _runs(hidden: BoolArray) -> Iterator[tuple[int, int, int]]:
    """Row, start and stop of hidden cells side by side."""
    for row, cells in enumerate(hidden):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
        for start, stop in edges.reshape(-1, 2):
            yield row, int(start), int(stop)


def _slanted(matrix: FittedMatrix, hidden: BoolArray) -> Iterator[list[Any]]:
    """Lines from the right top to the left bottom, on through all hidden cells that touch."""
    x, y, width, height = matrix.x, matrix.y, matrix.width, matrix.height
    step = max(0.5, min(matrix.cell_width, matrix.cell_height) / 2)
    ys = np.arange(step / 2, height, step)
    rows = np.minimum((ys / matrix.cell_height).astype(int), hidden.shape[0] - 1)
    for number in range(
        math.ceil((x + y) / HATCH), math.floor((x + y + width + height) / HATCH) + 1
    ):
        xs = number * HATCH - (y + ys) - x
        is_inside = (xs >= 0) & (xs < width)
        columns = np.clip((xs / matrix.cell_width).astype(int), 0, hidden.shape[1] - 1)
        on = is_inside & hidden[rows, columns]
        edges = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(int), [0]])))
        for first, end in edges.reshape(-1, 2):
            top, bottom = y + ys[first] - step / 2, y + ys[end - 1] + step / 2
            total = number * HATCH
            yield [(total - top, top), (total - bottom, bottom)]


# ---- colour bars ----


def beside_bar(bar: ColorBar, board: FittedBoard) -> FittedMatrix:
    """The matrix that a colour bar stands beside."""
    of_group = (each for each in board.matrices if each.matrix.group == bar.group)
    return next(each for each in of_group if each.place.top == bar.top)


def _color_bar(bar: ColorBar, board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    beside = beside_bar(bar, board)
    x, y, height = bar.left.at(board.cell), beside.y, beside.height
    yield Gradient(x, y, 10, height, board.scales[bar.scale][ground.theme])
    low, high = bar.range
    is_low = len(bar.ticks) > 2 and height < 3 * beside.writing.label_spacing
    for value, text in [bar.ticks[0], bar.ticks[-1]] if is_low else bar.ticks:
        share = (value - low) / (high - low)
        # The labels at the ends stay within the length of the bar.
        yield Text(x + 15, y + 9 + (height - 10) * (1 - share), text, SMALL, ground.text)
    if bar.title:
        yield Text(x, y - 7, bar.title, SMALL, ground.quiet)
