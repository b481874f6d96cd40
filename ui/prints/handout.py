"""A handout as sheets of paper: each operation with its formula, its matrices, and one number.

It says what the slides say, dense enough to print, with the derivation of one number beside each
picture. All lengths are in millimetres until a page is finished.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final

from mha_core import Trace
from mha_core.io.latex.lesson import Lesson
from mha_core.language import say
from mha_core.scenario.given_arrays import GIVEN
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.grounds import GROUNDS
from ui.figures.marks import Lines, Mark, Sheet, Text, moved, scaled
from ui.prints.blocks import PAPERS, Block, above, in_pages, lines_block, room_below, sheet_of
from ui.prints.formula import formula_of
from ui.prints.from_far import ReadFromFar, smallest_text
from ui.prints.sizes import LEAST_TEXT, MM, box_of
from ui.prints.slides import Slide, slides_of, wrapped

WIDTH: Final = 184.0  # between the margins
BESIDE: Final = 66.0  # of the words
GAP: Final = 6.0
HEAD: Final = 7.0  # of the line that each page begins with
MOST_PAGES: Final = 4
HEIGHTS: Final = range(62, 23, -2)  # that a picture may have, until the pages are few
LARGEST_TEXT: Final = 11.0  # pixels of the smallest letters of a picture
INK: Final = "#000000"
PALE: Final = "#555555"
TITLE: Final = 6.0
OPERATION: Final = 3.9
FORMULA: Final = 3.9
INDEX: Final = 2.6  # at least
WORDS: Final = 3.2
SMALL: Final = 2.7
PEN: Final = 0.15


def handout_sheets(
    trace: Trace, title: str, link: str, look: Look, paper: str = "A4"
) -> list[Sheet]:
    """The pages. Pictures are made lower until there are few of them."""
    cover, *slides = slides_of(trace, title, link, 0, look)
    lesson = Lesson(trace, title, look.decimals, None, {})
    size = PAPERS[paper]
    room = room_below(HEAD, size)
    numbers = [_number(lesson, slide.step) for slide in slides]

    def pages_with(height: int) -> list[list[Mark]]:
        rows = [_row(slide, one, height) for slide, one in zip(slides, numbers, strict=True)]
        return in_pages([_beginning(cover), *rows], room)

    pages = pages_with(HEIGHTS[0])
    if len(pages) > MOST_PAGES:
        lower = bisect_left(HEIGHTS, -MOST_PAGES, 1, key=lambda height: -len(pages_with(height)))
        pages = pages_with(HEIGHTS[min(lower, len(HEIGHTS) - 1)])
    return [_sheet(page, number, len(pages), title, size) for number, page in enumerate(pages, 1)]


def _number(lesson: Lesson, step: str) -> str:
    """Where one number of a step comes from; "" for given arrays, and for all heads at once."""
    if not step or step in GIVEN:
        return ""
    return lesson.derivation(getattr(Trace, step)).write("text", decimals=lesson.decimals)


def _sheet(
    marks: Sequence[Mark], number: int, of: int, title: str, size: tuple[float, float]
) -> Sheet:
    page = say("{page} of {count}").format(page=number, count=of)
    head = [Text(0, SMALL, title, SMALL, PALE), Text(WIDTH, SMALL, page, SMALL, PALE, anchor="end")]
    return sheet_of(Block(WIDTH, HEAD, head), marks, title, size)


def _beginning(cover: Slide) -> Block:
    """The title, what is shown, what to look for, and the link."""
    what, *said = cover.sentence.split("\n")
    parts = [
        lines_block(wrapped(cover.title, TITLE, WIDTH, bold=True), TITLE, INK, bold=True),
        lines_block(wrapped(what, WORDS, WIDTH), WORDS, PALE),
        *(lines_block(wrapped(line, WORDS, WIDTH), WORDS, INK) for line in said),
        lines_block(wrapped(cover.notes, SMALL, WIDTH), SMALL, PALE),
    ]
    whole = reduce(above, parts)
    return Block(WIDTH, whole.height + GAP, whole.marks)


def _row(slide: Slide, number: str, height: float) -> Block:
    """The words at the left, the picture at the right, and a line above both."""
    words = reduce(above, _words(slide, number))
    picture = _picture(slide.figures[0], height)
    line = Lines([[(0, 0), (WIDTH, 0)]], PALE, PEN)
    marks = [line, *moved(words.marks, 0, 1.5), *moved(picture.marks, BESIDE + GAP, 2.5)]
    return Block(WIDTH, max(words.height + 1.5, picture.height + 2.5) + GAP / 2, marks)


def _words(slide: Slide, number: str) -> Iterator[Block]:
    yield lines_block(wrapped(slide.title, OPERATION, BESIDE, bold=True), OPERATION, INK, bold=True)
    for latex in slide.formulas:
        made = formula_of(latex, FORMULA, INK, INDEX)
        times = min(1, BESIDE / made.width)
        ascent = made.ascent + 0.25 * FORMULA
        yield Block(
            BESIDE, ascent + made.descent, moved(scaled(made.marks, times), 0, times * ascent)
        )
    yield lines_block(wrapped(slide.sentence, WORDS, BESIDE), WORDS, INK)
    one = number and say("One number: {number}").format(number=number)
    for text in filter(None, (slide.shapes, one)):
        yield lines_block(wrapped(text, SMALL, BESIDE), SMALL, PALE)


def _picture(figure: Figure, height: float) -> Block:
    """The picture in the room beside the words, but no larger than it has to be."""
    room = (WIDTH - BESIDE - GAP) * MM, height * MM
    marks = ReadFromFar(figure, GROUNDS["light"], LEAST_TEXT).in_room(*room)
    marks = scaled(marks, min(1, LARGEST_TEXT / smallest_text(marks)) / MM)
    box = box_of(marks)
    return Block(box.right, box.bottom, marks)
