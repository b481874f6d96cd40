"""A fitted board as marks: what `ui/plot/js/ink.js` and `cells.js` draw, on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from ui.prints.fitted import FittedBoard, FittedMatrix, at
from ui.prints.grounds import Ground
from ui.prints.marks import Gradient, Image, Lines, Mark, Rect, Text, mixed
from ui.prints.shades import Channels, Colors, hex_of

LABEL: Final = 12  # pixels of a label
SMALL: Final = 11
HEADING: Final = 13
LABEL_SPACING: Final = 13  # pixels that a label needs for itself
SLANTED_SPACING: Final = 17  # pixels that a slanted label needs
SLANT: Final = -45  # degrees
LABEL_LETTER: Final = 7.5  # pixels of a letter of a label, at most on average
CAPTION_LETTER: Final = 6  # and of one of a caption
ZOOM_HINT: Final = "; drag to zoom in"
NARROW_BAND: Final = 6  # pixels of a band that touches its neighbours
HATCH: Final = 6 * math.sqrt(2)  # pixels from one line to the next, along a row
MOST_CELLS: Final = 2**14  # that are drawn one by one; more are an image
SHARP: Final = 2  # dots a pixel, of cells that are an image


def marks_of(board: FittedBoard, ground: Ground) -> list[Mark]:
    """Everything that the board shows, from the ground up."""
    is_image = count_of(board) > MOST_CELLS
    marks: list[Mark] = []
    for matrix in board.matrices:
        marks += _around(matrix, board, ground)
        colors = colors_of(matrix, board, ground)
        marks += _image(matrix, colors) if is_image else _cells(matrix, colors)
        marks += _hatching(matrix, ground)
        if board.writes_numbers(matrix):
            marks += _numbers(matrix, colors, board.text_size, ground)
    for bar in board.bars:
        marks += _color_bar(bar, board, ground)
    return marks


def notes_of(board: FittedBoard) -> list[str]:
    """What a reader has to know of it."""
    notes = []
    count = count_of(board)
    if count > MOST_CELLS:
        notes.append(f"Its {count:,} cells are an image.")
    if any(matrix.dots != (1, 1) for matrix in board.matrices):
        notes.append("A dot is the mean of several cells.")
    return notes


def count_of(board: FittedBoard) -> int:
    return sum(matrix.z.size for matrix in board.matrices)


# ---- around the cells ----


def _around(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    yield from _heading(matrix, ground)
    yield from _feeds(matrix, board, ground)
    yield from _corner(matrix, ground)
    yield from _caption(matrix, ground)
    yield from _bands(matrix)
    yield from _row_labels(matrix, ground)
    yield from _column_labels(matrix, ground)


def _heading(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    """That of a head that is off is grey, and says so."""
    meta, x, top = matrix.meta, matrix.x, matrix.heading_top
    if not meta["heading"]:
        return
    is_off = bool(meta["head"] and meta["head"]["is_off"])
    if meta["color"]:
        yield Rect(x, top, 4, 15, ground.quiet if is_off else meta["color"], radius=1.5)
        x += 10
    fill = ground.quiet if is_off else ground.text
    yield Text(x, top + 12, meta["heading"], HEADING, fill, bold=not is_off)


def _feeds(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    """From an input to its products in the same row, above the headings."""
    found = [board.named(name) for name in matrix.meta["feeds"]]
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
    """Left above the matrix, from below: what its axes are, then the title of its row."""
    corner = matrix.meta["corner"]
    lines = [(text, SMALL, ground.quiet, False) for text in reversed(corner["axes"])]
    if corner["title"]:
        lines.append((corner["title"], HEADING, ground.text, True))
    for number, (text, size, fill, bold) in enumerate(lines):
        place = matrix.x - 6, matrix.y - 7 - number * 15
        yield Text(*place, text, size, fill, bold=bold, anchor="end")


def _caption(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    words = matrix.meta["caption"]
    if not words:
        return
    with_dots = f"{words}; {_words_of_dots(matrix)}"
    room = matrix.width - CAPTION_LETTER * len(ZOOM_HINT)  # the page says this too
    if matrix.dots != (1, 1) and CAPTION_LETTER * len(with_dots) <= room:
        words = with_dots
    place = matrix.x + matrix.width / 2, matrix.y + matrix.height + 15
    yield Text(*place, words, LABEL, ground.quiet, anchor="middle")


def _bands(matrix: FittedMatrix) -> Iterator[Mark]:
    for start, stop, fill in matrix.meta["bands"]:
        left, right = matrix.left(start), matrix.left(stop)
        apart = 1 if right - left > NARROW_BAND else 0
        yield Rect(left + apart, matrix.y - 6, right - left - 2 * apart, 4, fill, radius=1.5)


def _row_labels(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    ticks = matrix.meta["row_ticks"]
    step = math.ceil(LABEL_SPACING / matrix.cell_height)
    for row in range(0, len(ticks), step):
        if ticks[row]:
            place = matrix.x - 6, matrix.top(row + 0.5) + 4
            yield Text(*place, ticks[row], LABEL, ground.text, anchor="end")


def _column_labels(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    """Slanted, unless every label is as narrow as its column."""
    ticks = matrix.meta["column_ticks"]
    longest = max(map(len, ticks), default=0)
    is_narrow = longest * LABEL_LETTER <= matrix.cell_width - 4
    y = matrix.y - (11 if matrix.meta["bands"] else 6)
    for column in range(0, len(ticks), math.ceil(SLANTED_SPACING / matrix.cell_width)):
        if not ticks[column]:
            continue
        place = matrix.left(column + 0.5), y
        if is_narrow:
            yield Text(*place, ticks[column], LABEL, ground.text, anchor="middle")
        else:
            yield Text(*place, ticks[column], LABEL, ground.text, angle=SLANT)


# ---- cells ----


def colors_of(matrix: FittedMatrix, board: FittedBoard, ground: Ground) -> Colors:
    scale = tuple((stop, color) for stop, color in _scale(board, matrix.meta["scale"], ground))
    return Colors(scale, matrix.low, matrix.high, ground.lost)


def _scale(board: FittedBoard, name: str, ground: Ground) -> Sequence[Sequence[Any]]:
    scale: Sequence[Sequence[Any]] = board.scales[name][ground.theme]
    return scale


def _cells(matrix: FittedMatrix, colors: Colors) -> Iterator[Mark]:
    """A rectangle a cell. The lines between cells are gaps, so that any ground shines through."""
    found = colors.of(matrix.drawn, matrix.is_lost)
    gap = matrix.gap
    across, down = matrix.cell_width - gap, matrix.cell_height - gap
    for row, column in np.argwhere(~matrix.is_empty):
        fill, _ = hex_of(*map(int, found[row, column]))
        yield Rect(matrix.left(column) + gap / 2, matrix.top(row) + gap / 2, across, down, fill)


def _image(matrix: FittedMatrix, colors: Colors) -> Iterator[Mark]:
    """All cells as one image: where a cell is narrower than a pixel, a dot for several."""
    down, across = matrix.dots
    values, is_lost = matrix.drawn_in_dots
    opacity = np.where(np.isnan(values) & ~is_lost, 0, 255).astype(np.uint8)
    pixels = np.concatenate([colors.of(values, is_lost), opacity[..., None]], axis=-1)
    width = values.shape[1] * across * matrix.cell_width
    height = values.shape[0] * down * matrix.cell_height
    sharp = [max(1, math.ceil(SHARP * size)) for size in (matrix.cell_height, matrix.cell_width)]
    pixels = pixels.repeat(sharp[0], axis=0).repeat(sharp[1], axis=1)
    yield Image(matrix.x, matrix.y, width, height, pixels)


def _words_of_dots(matrix: FittedMatrix) -> str:
    count = math.prod(matrix.dots)
    cells = f"the visible cells among {count}" if matrix.meta["masked"] else f"{count} cells"
    return f"a dot is the mean of {cells}"


# ---- what is hidden ----


def _hatching(matrix: FittedMatrix, ground: Ground) -> Iterator[Mark]:
    """Slanted lines over what is hidden, on a shade that tells it from the ground."""
    hidden = matrix.is_hatched
    if not hidden.any():
        return
    gap = matrix.gap
    if not matrix.colors_hidden:
        shade = mixed(ground.text, ground.under, 0.05)
        for row, start, stop in _runs(hidden, longest=1 if gap else hidden.shape[1]):
            place = matrix.left(start) + gap / 2, matrix.top(row) + gap / 2
            size = (stop - start) * matrix.cell_width - gap, matrix.cell_height - gap
            yield Rect(*place, *size, shade)
    ways = [*(_slanted_in_cells(matrix, hidden) if gap else _slanted(matrix, hidden))]
    yield Lines(ways, ground.pale(0.3), 1.2)


def _runs(hidden: BoolArray, longest: int) -> Iterator[tuple[int, int, int]]:
    """Row, start and stop of hidden cells side by side."""
    for row, cells in enumerate(hidden):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]])))
        for start, stop in edges.reshape(-1, 2):
            for first in range(start, stop, longest):
                yield row, int(first), int(min(first + longest, stop))


def _slanted_in_cells(matrix: FittedMatrix, hidden: BoolArray) -> Iterator[list[Any]]:
    """Lines from the right top to the left bottom of each hidden cell, as far as they are in it."""
    gap = matrix.gap
    for row, column in np.argwhere(hidden):
        left, top = matrix.left(column) + gap / 2, matrix.top(row) + gap / 2
        right, bottom = left + matrix.cell_width - gap, top + matrix.cell_height - gap
        first = math.ceil((left + top) / HATCH)
        for number in range(first, math.floor((right + bottom) / HATCH) + 1):
            total = number * HATCH  # x + y on this line
            start = min(right, total - top)
            stop = max(left, total - bottom)
            if start - stop > 0.1:
                yield [(start, total - start), (stop, total - stop)]


def _slanted(matrix: FittedMatrix, hidden: BoolArray) -> Iterator[list[Any]]:
    """The same over cells without gaps: lines go on through all hidden cells that touch."""
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


# ---- numbers and colour bars ----


def _numbers(matrix: FittedMatrix, colors: Colors, size: float, ground: Ground) -> Iterator[Mark]:
    found: Channels = colors.of(matrix.drawn, matrix.is_lost)
    for row, texts in enumerate(matrix.texts):
        y = matrix.top(row + 0.5) + size * 0.35
        for column, text in enumerate(texts):
            if text:
                _, fill = hex_of(*map(int, found[row, column]))
                x = matrix.left(column + 0.5)
                yield Text(x, y, text, size, fill, anchor="middle")


def _color_bar(bar: Mapping[str, Any], board: FittedBoard, ground: Ground) -> Iterator[Mark]:
    top = at(bar["top"], board.cell)
    beside = next(
        m
        for m in board.matrices
        if m.meta["group"] == bar["group"] and at(m.meta["top"], board.cell) == top
    )
    x, y, height = at(bar["left"], board.cell), beside.y, beside.height
    scale = _scale(board, bar["scale"], ground)
    yield Gradient(x, y, 10, height, [(stop, color) for stop, color in scale])
    ticks, (low, high) = bar["ticks"], bar["range"]
    is_low = len(ticks) > 2 and height < 3 * LABEL_SPACING
    for value, text in [ticks[0], ticks[-1]] if is_low else ticks:
        share = (value - low) / (high - low)
        # The labels at the ends stay within the length of the bar.
        yield Text(x + 15, y + 9 + (height - 10) * (1 - share), text, SMALL, ground.text)
    if bar["title"]:
        yield Text(x, y - 7, bar["title"], SMALL, ground.quiet)
