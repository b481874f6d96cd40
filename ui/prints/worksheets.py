"""Worksheets and their answer keys as sheets of paper, in the arrangement of the printed page.

Everything is in millimetres until a page is finished. Blocks are put beside each other while there
is room, then in a new row. The end of a page cuts no row. It cuts a section only if that saves a
page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final, Literal

from mha_core.language import say
from mha_core.worksheets.layout import (
    BLANK,
    GAP,
    GIVEN,
    LABEL,
    WIDTH,
    Corner,
    Placed,
    blocks_of,
    room_for_working,
)
from mha_core.worksheets.sheet import Piece, SheetSection, Worksheet
from ui.figures.marks import Lines, Mark, Rect, Sheet, Text, moved
from ui.prints.blocks import (
    LINE,
    PAPERS,
    Block,
    above,
    in_pages,
    in_rows,
    lines_block,
    room_below,
    sheet_of,
)
from ui.prints.fonts import REGULAR, width_of
from ui.prints.formula import formula_of, side_by_side
from ui.prints.slides import wrapped

HEAD: Final = 10.0  # of the lines that each page begins with
INK: Final = "#000000"
PALE: Final = "#666666"
SHADE: Final = "#f1f1f4"  # of given numbers
NUMBER: Final = 3.5
SMALL: Final = 2.7
WORDS: Final = 3.5
TITLE: Final = 5.5
SECTION: Final = 4.4
THIN: Final = 0.15
THICK: Final = 0.35
SYMBOL: Final = 5.5  # room of the symbol above or below a matrix
COLUMN_LABELS: Final = 4.0

Pair = tuple[float, float]
Pages = Literal["sheets", "keys", "both"]


def worksheet_sheets(
    worksheets: Sequence[Worksheet], paper: str = "A4", pages: Pages = "both", of: int = 0
) -> Iterator[Sheet]:
    """The pages of all sheets, then those of all answer keys, one after the other.

    `of` is how many the whole set has, if these are only the first of them.
    """
    count = of or len(worksheets)
    for is_key in (False, True):
        if pages in ("both", "keys" if is_key else "sheets"):
            for number, worksheet in enumerate(worksheets, start=1):
                says = say("Sheet {number} of {count}, seed {seed}")
                said = says.format(number=number, count=count, seed=worksheet.exercise.seed)
                yield from _Paper(worksheet, PAPERS[paper], said, is_key).sheets()


class _Paper:
    """Lays out one worksheet, or its key, page by page."""

    def __init__(self, worksheet: Worksheet, size: Pair, said: str, is_key: bool) -> None:
        self.worksheet, self.size, self.said, self.is_key = worksheet, size, said, is_key
        self.room = room_below(HEAD, size)

    def sheets(self) -> list[Sheet]:
        whole, cut = (in_pages(each, self.room) for each in (self._sections(), self._rows()))
        head = self._head()
        return [sheet_of(head, m, self.said, self.size) for m in min(whole, cut, key=len)]

    def _head(self) -> Block:
        """The name and the points, or that this is the key."""
        marks: list[Mark] = []
        if self.is_key:
            marks += [Text(0, WORDS, say("Answer key"), WORDS, INK, bold=True)]
            marks += [Text(26, WORDS, self.said, WORDS, INK)]
        else:
            of = say("of {points}").format(points=self.worksheet.points)
            fields = (
                (0, self.said),
                (46, say("Name")),
                (114, say("Date")),
                (146, say("Points")),
                (170, of),
            )
            marks += [Text(x, WORDS, text, WORDS, INK) for x, text in fields]
            ways = [[(57, 4.5), (111, 4.5)], [(123, 4.5), (143, 4.5)], [(158, 4.5), (168, 4.5)]]
            marks.append(Lines(ways, PALE, THIN))
        return Block(WIDTH, HEAD, marks)

    def _sections(self) -> Iterator[Block]:
        """The beginning and each section in one piece, where a page has room for it."""
        yield reduce(above, self._beginning())
        for section in self.worksheet.sections:
            rows = [*self._rows_of(section)]
            whole = reduce(above, rows)
            yield from [whole] if whole.height <= self.room else rows

    def _rows(self) -> Iterator[Block]:
        yield from self._beginning()
        for section in self.worksheet.sections:
            yield from self._rows_of(section)

    def _rows_of(self, section: SheetSection) -> Iterator[Block]:
        """The heading stays with the instructions and the first matrices."""
        heading = _words(section.title, SECTION, bold=True, before=3, after=1)
        first, *rows = self._matrices(section)
        yield reduce(above, [heading, *self._instructions(section), first])
        yield from rows

    def _beginning(self) -> Iterator[Block]:
        yield _words(self.worksheet.title, TITLE, bold=True, after=1.5)
        yield self._powers()
        for note in self.worksheet.notes:
            yield _words(f"• {note}", WORDS)

    def _powers(self) -> Block:
        """The table of powers, at the right beside the title."""
        marks: list[Mark] = []
        x = WIDTH - BLANK[0] * len(self.worksheet.table)
        for row, (symbol, texts) in enumerate(self.worksheet.powers):
            y = row * GIVEN[1] - 9
            made = formula_of(symbol, NUMBER, INK)
            marks += made.at(x - made.width - 2, y + 4)
            for column, text in enumerate(texts):
                marks += _cell(x + column * BLANK[0], y, (BLANK[0], GIVEN[1]), text)
        return Block(WIDTH, 4, marks)

    def _instructions(self, section: SheetSection) -> Iterator[Block]:
        """What to do, with its equations: once on a sheet, for the first head."""
        for instruction, formulas in section.instructions(of_all_heads=False).items():
            yield _instruction(instruction, formulas)

    def _matrices(self, section: SheetSection) -> Iterator[Block]:
        blocks = [
            self._corner(each) if isinstance(each, Corner) else self._matrix(Placed(each))
            for each in blocks_of(section)
        ]
        room = room_for_working(section)
        if room and not self.is_key:
            blocks.append(_working(room))
        yield from in_rows(blocks, WIDTH, GAP)

    def _corner(self, corner: Corner) -> Block:
        """Each result where the rows of the left factor meet the columns of the upper one."""
        columns = [[self._matrix(placed) for placed in column] for column in corner.columns()]
        above = max(column[0].height for column in columns[-len(corner.pairs) :])
        marks: list[Mark] = []
        x = height = 0.0
        for column in columns:
            width = max(block.width for block in column)
            *upper, lower = column
            for block in upper:
                marks += moved(block.marks, x + width - block.width, above - block.height)
            marks += moved(lower.marks, x + width - lower.width, above)
            height = max(height, above + lower.height)
            x += width + GAP
        return Block(x - GAP, height + GAP, marks)

    def _matrix(self, placed: Placed) -> Block:
        """One matrix with its symbol, its labels where no neighbour has the same."""
        piece, is_below = placed.piece, placed.is_lower
        size = (BLANK if placed.is_wide else GIVEN)[0], (BLANK if placed.is_tall else GIVEN)[1]
        rows, columns = piece.rows.labels, piece.columns.labels
        x = LABEL if placed.has_row_labels else 0.0
        y = 0.0 if is_below else SYMBOL + COLUMN_LABELS
        width, height = x + size[0] * len(columns), y + size[1] * len(rows)
        marks: list[Mark] = []
        if placed.has_row_labels:
            for row, label in enumerate(rows):
                at = x - 1, y + (row + 0.5) * size[1] + 0.35 * SMALL
                marks.append(Text(*at, _cut(label, LABEL + 1), SMALL, PALE, anchor="end"))
        if not is_below:
            for column, label in enumerate(columns):
                at = x + (column + 0.5) * size[0], y - 1
                marks.append(Text(*at, _cut(label, size[0]), SMALL, PALE, anchor="middle"))
        for row in range(len(rows)):
            for column in range(len(columns)):
                corner = x + column * size[0], y + row * size[1]
                marks += self._number(piece, row, column, corner, size)
        symbol = formula_of(piece.latex, NUMBER, INK)
        marks += symbol.at(x, height + 4.2 if is_below else SYMBOL - 1.2)
        return Block(max(width, x + symbol.width), height + SYMBOL * is_below, marks)

    def _number(self, piece: Piece, row: int, column: int, corner: Pair, size: Pair) -> list[Mark]:
        at = piece.place_of(row, column)
        text, is_blank = piece.texts[at[0]][at[1]], bool(piece.blanks[at])
        shown = "" if is_blank and not self.is_key else text
        return _cell(*corner, size, shown, is_blank=is_blank)


def _cell(x: float, y: float, size: Pair, text: str, *, is_blank: bool = False) -> list[Mark]:
    """A number in its box: a blank is white with a strong line, a given one shaded."""
    width, height = size
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    marks: list[Mark] = [] if is_blank else [Rect(x, y, width, height, SHADE)]
    marks.append(Lines([corners], INK if is_blank else PALE, THICK if is_blank else THIN))
    if text:
        place = x + width / 2, y + height / 2 + 0.35 * NUMBER
        marks.append(Text(*place, text, NUMBER, INK, bold=is_blank, anchor="middle"))
    return marks


def _words(
    text: str, size: float, *, bold: bool = False, before: float = 0, after: float = 0
) -> Block:
    lines = lines_block(wrapped(text, size, WIDTH - 50, bold=bold), size, INK, bold=bold)
    return Block(WIDTH, before + lines.height + after, moved(lines.marks, 0, before))


def _instruction(text: str, formulas: Sequence[str]) -> Block:
    """The equations, then what to do; on a second line where both are too long for one."""
    equations = side_by_side([formula_of(latex, WORDS, INK) for latex in formulas], 2)
    x, y = equations.width + 3, equations.ascent
    marks = equations.at(0, y)
    height = y + equations.descent + 1
    for number, line in enumerate(wrapped(text, WORDS, WIDTH - x)):
        marks.append(Text(x, y + LINE * WORDS * number, line, WORDS, INK))
        height = max(height, y + LINE * WORDS * number + 2)
    return Block(WIDTH, height + 0.6, marks)


def _working(room: float) -> Block:
    """A frame for what is worked out by hand."""
    width, height = WIDTH / 2, float(room)
    corners = [(0.0, 3.0), (width, 3.0), (width, height), (0.0, height), (0.0, 3.0)]
    words = Text(1.5, 6.5, say("Room for working"), SMALL, PALE)
    return Block(width, height + GAP, [Lines([corners], PALE, THIN), words])


def _cut(label: str, room: float) -> str:
    """A label with as many of its letters as there is room for."""
    for count in range(len(label), 0, -1):
        shown = label if count == len(label) else f"{label[:count]}…"
        if width_of(shown, SMALL, REGULAR) <= room:
            return shown
    return "…"
