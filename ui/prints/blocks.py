"""Blocks that stay in one piece on paper, and the pages that they take. Lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ui.figures.marks import Mark, Sheet, Text, moved, scaled
from ui.prints.sizes import MM, letters_missing

PAPERS: Final = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
TOP: Final = 12.0
BOTTOM: Final = 12.0
LINE: Final = 1.35  # sizes of a text from line to line


@dataclass(frozen=True)
class Block:
    """Marks from the left top, at (0, 0), and how much room they take."""

    width: float
    height: float
    marks: Sequence[Mark]


def above(one: Block, other: Block) -> Block:
    """Two of them as one, left aligned."""
    marks = [*one.marks, *moved(other.marks, 0, one.height)]
    return Block(max(one.width, other.width), one.height + other.height, marks)


def in_pages(blocks: Iterable[Block], room: float) -> list[list[Mark]]:
    """The marks of each page. A block goes to the next one where this has no room for it."""
    pages: list[list[Mark]] = []
    left = 0.0  # nothing: the first block begins a page
    for block in blocks:
        if not pages or block.height > left:
            pages.append([])
            left = room
        pages[-1] += moved(block.marks, 0, room - left)
        left -= block.height
    return pages


def room_below(head: float, size: tuple[float, float]) -> float:
    """The height of a page, between its head and the margin below."""
    return size[1] - TOP - head - BOTTOM


def sheet_of(head: Block, marks: Sequence[Mark], title: str, size: tuple[float, float]) -> Sheet:
    """A finished page in the middle of its paper, below a head as wide as the page."""
    left = (size[0] - head.width) / 2
    whole = [*moved(head.marks, left, TOP), *moved(marks, left, TOP + head.height)]
    width, height = (side * MM for side in size)
    return Sheet(width, height, scaled(whole, MM), "#ffffff", title, letters_missing(whole))


def lines_block(lines: Sequence[str], size: float, ink: str, *, bold: bool = False) -> Block:
    """Lines of text below one another."""
    marks = [
        Text(0, size * (1 + LINE * number), line, size, ink, bold=bold)
        for number, line in enumerate(lines)
    ]
    return Block(0, LINE * size * len(lines), marks)


def in_rows(blocks: Sequence[Block], width: float, gap: float) -> Iterator[Block]:
    """Blocks beside each other in as few rows as there is room for, all about as long.

    So the last row is seldom a single matrix, which might begin a page by itself.
    """
    rows = _cut_into_rows(blocks, width, gap)
    narrower = width
    while narrower > 0 and len(fewer := _cut_into_rows(blocks, narrower, gap)) == len(rows):
        rows, narrower = fewer, narrower - gap
    for row in rows:
        yield _beside(row, gap)


def _cut_into_rows(blocks: Sequence[Block], width: float, gap: float) -> list[list[Block]]:
    """As many beside each other as a width has room for; at least one."""
    rows: list[list[Block]] = [[]]
    for block in blocks:
        if rows[-1] and sum(each.width + 2 * gap for each in rows[-1]) + block.width > width:
            rows.append([])
        rows[-1].append(block)
    return rows


def _beside(row: Sequence[Block], gap: float) -> Block:
    marks: list[Mark] = []
    x = 0.0
    for block in row:
        marks += moved(block.marks, x, 0)
        x += block.width + 2 * gap
    return Block(x, max(block.height for block in row) + 2, marks)
