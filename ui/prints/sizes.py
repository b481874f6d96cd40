"""Sizes of paper, and a figure laid out for one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Final

from mha_core.checks.errors import NumberError
from mha_core.checks.values import is_within
from mha_core.language import say
from ui.figures.figure import Arrangement, Figure
from ui.figures.fitted import FittedBoard, board_at, on_screen, readable_cell
from ui.figures.grounds import GROUNDS, Ground
from ui.figures.ink import LABEL, marks_of, notes_of
from ui.figures.marks import MARGIN, Box, Lines, Mark, Sheet, Text, moved
from ui.prints.fonts import BOLD, ITALIC, REGULAR, Face, width_of, without_font

INCH: Final = 96  # pixels
MM: Final = INCH / 25.4
TALL: Final = 0.6  # of its width is a screen's height
LEAST_TEXT: Final = 9.3  # pixels, 7 points: what a paper prints at least
LEAST_WIDTH: Final = 10  # millimetres
MOST_WIDTH: Final = 2000
DESCENT: Final = 0.25  # font sizes of a text below its baseline
ASCENT: Final = 0.8  # and above it


@dataclass(frozen=True)
class Size:
    """What a picture is made for. Without a height it is as high as it needs to be.

    `label` is how large labels are, in pixels, where there is room.
    """

    name: str
    width: float
    height: float | None = None
    label: float = LABEL


SIZES: Final = {
    "screen": Size(say("As on the page"), 1200),
    "slide": Size(say("Slide, 16:9"), 13.333 * INCH, 7.5 * INCH),
    "slide43": Size(say("Slide, 4:3"), 10 * INCH, 7.5 * INCH),
    "column": Size(say("Column of a paper, 85 mm"), 85 * MM, label=LEAST_TEXT),
    "paper": Size(say("Width of a paper, 170 mm"), 170 * MM, label=LEAST_TEXT),
}


def free_size(millimetres: float) -> Size:
    """A picture of this width."""
    if not is_within(millimetres, LEAST_WIDTH, MOST_WIDTH):
        need = say("must be from {least} to {most} millimetres")
        raise NumberError(
            say("The width of a picture"),
            need.format(least=LEAST_WIDTH, most=MOST_WIDTH),
            repr(millimetres),
            say("Take 85 for a column of a paper, 170 for its width."),
        )
    return Size(say("{width:g} mm").format(width=millimetres), millimetres * MM, label=LEAST_TEXT)


def sheet_of(figure: Figure, title: str, size: Size, ground: Ground = GROUNDS["light"]) -> Sheet:
    """A figure on paper."""
    marks, notes = fitted_marks(figure, size, ground)
    return on_paper(marks, title, size, ground, [*notes, *letters_missing(marks)])


def fitted_marks(figure: Figure, size: Size, ground: Ground) -> tuple[list[Mark], list[str]]:
    """The marks of a figure in the arrangement that suits the paper, and what to say of them."""
    board = _for_a_page(figure, size) if size.height else _for_a_width(figure, size)
    return marks_of(board, ground), notes_of(board)


def letters_missing(marks: Sequence[Mark]) -> list[str]:
    """What to say where no font here has a letter."""
    letters = "".join(mark.text for mark in marks if isinstance(mark, Text))
    missing = without_font(letters)
    if not missing:
        return []
    return [say("No font here has {letters}; an SVG shows them.").format(letters=" ".join(missing))]


def on_paper(
    marks: Sequence[Mark], title: str, size: Size, ground: Ground, notes: Sequence[str] = ()
) -> Sheet:
    """Marks in the middle of a page, or in a tight box of the width that they may have."""
    box = box_of(marks)
    width, height = box.right - box.left, box.bottom - box.top
    if size.height is None:
        scale = min(size.label / LABEL, (size.width - 2 * MARGIN) / width)
        margin = MARGIN / scale
        sheet = Sheet(
            width + 2 * margin, height + 2 * margin, (), ground.paper, title, notes, scale
        )
    else:
        around = 2 * MARGIN
        scale = min((size.width - 2 * around) / width, (size.height - 2 * around) / height)
        whole = size.width / scale, size.height / scale
        sheet = Sheet(*whole, (), ground.paper, title, notes, scale)
    by = (sheet.width - width) / 2 - box.left, (sheet.height - height) / 2 - box.top
    return replace(sheet, marks=moved(marks, *by))


def box_of(marks: Iterable[Mark]) -> Box:
    """The smallest box that holds them."""
    boxes = [_box_of(mark) for mark in marks]
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def face_of(text: Text) -> Face:
    return BOLD if text.bold else ITALIC if text.italic else REGULAR


def length_of(text: Text) -> float:
    """Pixels from its start to its end."""
    return width_of(text.text, text.size, face_of(text))


def _box_of(mark: Mark) -> Box:
    match mark:
        case Lines():
            points = [point for way in mark.ways for point in way]
            xs, ys = [x for x, _ in points], [y for _, y in points]
            return Box(min(xs), min(ys), max(xs), max(ys))
        case Text():
            return _box_of_text(mark)
        case _:
            return Box(mark.x, mark.y, mark.x + mark.width, mark.y + mark.height)


def _box_of_text(text: Text) -> Box:
    length = length_of(text)
    start = {"start": 0.0, "middle": -length / 2, "end": -length}[text.anchor]
    if not text.angle:
        left, y = text.x + start, text.y
        return Box(left, y - ASCENT * text.size, left + length, y + DESCENT * text.size)
    turn = radians(text.angle)
    corners = [
        (text.x + a * cos(turn) - b * sin(turn), text.y + a * sin(turn) + b * cos(turn))
        for a in (start, start + length)
        for b in (-ASCENT * text.size, DESCENT * text.size)
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _for_a_width(figure: Figure, size: Size) -> FittedBoard:
    """As on a screen whose pixels are so small that labels have the wanted size."""
    room = (size.width - 2 * MARGIN) * LABEL / size.label
    return on_screen(figure, (room, TALL * max(room, 1000)))


def _for_a_page(figure: Figure, size: Size) -> FittedBoard:
    """The arrangement that is largest on the page, in cells that have room for their numbers."""
    cell = cell_of_a_page(figure)
    return board_at(figure, largest_arrangement(figure, cell, size.width, size.height or 0), cell)


def cell_of_a_page(figure: Figure) -> float:
    """A cell that has room for its number."""
    cells = figure.cells
    return readable_cell(figure, cells.text or LABEL) or cells.preferred


def largest_arrangement(figure: Figure, cell: float, width: float, height: float) -> Arrangement:
    """The arrangement that is largest in a place of this size."""

    def scale(each: Arrangement) -> float:
        return min(width / each.width.at(cell), height / each.height.at(cell))

    return max(figure.arrangements, key=scale)
