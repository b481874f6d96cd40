"""Slides: a title, then one operation of the forward pass on each, with formula and sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from mha_core import Scenario, Trace
from mha_core.guide.screens import Screen, screens_of
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.grounds import Ground
from ui.figures.marks import Box, Mark, Sheet, Text, moved, scaled
from ui.figures.presented import operation_figure
from ui.figures.walkthrough import is_of_one_head, shapes_of
from ui.number_format import counted
from ui.prints.fonts import BOLD, REGULAR, width_of
from ui.prints.formula import Formula, formula_of
from ui.prints.sizes import SIZES, DrawnOnce, Size, box_of, letters_missing

EDGE: Final = 56  # pixels of a slide that stay free
TITLE: Final = 34
COVER: Final = 54
FORMULA: Final = 28
WORDS: Final = 24  # the smallest text that is read from the back of a room
FLAT: Final = 0.55  # widths of a cell that is as high as its number
BESIDE: Final = 340  # pixels of the words beside a picture
LINE: Final = 1.35  # font sizes from line to line
SMALLER: Final = 0.97  # times as large, until a picture leaves words free


@dataclass(frozen=True)
class Slide:
    """One slide: what it says above and below its pictures, and what the speaker says."""

    title: str
    formulas: Sequence[str]  # LaTeX
    shapes: str
    sentence: str
    notes: str
    figures: Sequence[Figure] = ()  # side by side; none on a title
    names: Sequence[str] = ()  # of the figures, above each


class Words(NamedTuple):
    """What a slide says below its title, and the place that it leaves for pictures."""

    marks: list[Mark]
    place: Box


class Laid(NamedTuple):
    """All of a slide below its title, and how many times as large as it is a picture is."""

    marks: list[Mark]
    times: float


def slides_of(trace: Trace, title: str, link: str, head: int, look: Look) -> list[Slide]:
    """A title, then a slide for each screen of the walkthrough that has something to do."""
    s = trace.scenario
    cover = Slide(title, [], "", in_words(s), f"Open it in the explorer: {link}")
    return [cover, *(_slide(trace, screen, head, look) for screen in screens_of(s))]


def in_words(s: Scenario) -> str:
    """What a scenario is, in one line."""
    heads = counted(s.n_heads, "head")
    shared = f" that share {s.n_kv_heads} of keys and values" if s.n_kv_heads < s.n_heads else ""
    tokens = counted(s.n_q, "token")
    if s.context is not None:
        tokens = f"{counted(s.n_q, 'query token')} and {counted(s.n_k, 'key token')}"
    columns = counted(s.d_model, "column")
    rules = " and ".join(rule.name.replace("_", " ") for rule in s.mask.rules)
    mask = "no mask" if s.mask.hides_nothing else f"{rules} mask" if rules else "a drawn mask"
    return f"{tokens}, {columns}, {heads}{shared}, {mask}"


def sheets_of(slides: Sequence[Slide], size: Size, ground: Ground) -> list[Sheet]:
    """Each slide on paper."""
    return [_sheet(slide, size, ground) for slide in slides]


def _slide(trace: Trace, screen: Screen, head: int, look: Look) -> Slide:
    s = trace.scenario
    taken, given = shapes_of(trace, screen, head)
    shapes = " → ".join(", ".join(part) for part in (taken, given) if part)
    shapes = shapes.replace(": ", ":\N{NO-BREAK SPACE}").replace(
        " × ", "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
    )
    of_head = f", head {head + 1}" if s.n_heads > 1 and is_of_one_head(trace, screen) else ""
    formulas = [equation.latex for equation in screen.equations(s, lambda _, latex: latex)]
    figure = operation_figure(trace, screen, head, look, FLAT)
    return Slide(screen.title + of_head, formulas, shapes, screen.why, screen.why, [figure])


def _sheet(slide: Slide, size: Size, ground: Ground) -> Sheet:
    height = size.height or SIZES["slide"].height or 0
    page = Size(size.name, size.width, height)
    marks = [*(_with_figure(slide, page, ground) if slide.figures else _cover(slide, page, ground))]
    return Sheet(page.width, height, marks, ground.paper, slide.title, letters_missing(marks))


def _cover(slide: Slide, page: Size, ground: Ground) -> Iterator[Mark]:
    y = (page.height or 0) * 0.4
    for line in wrapped(slide.title, COVER, page.width - 2 * EDGE, bold=True):
        yield Text(EDGE, y, line, COVER, ground.text, bold=True)
        y += LINE * COVER
    for line in wrapped(slide.sentence, WORDS, page.width - 2 * EDGE):
        yield Text(EDGE, y, line, WORDS, ground.quiet)
        y += LINE * WORDS


def _with_figure(slide: Slide, page: Size, ground: Ground) -> Iterator[Mark]:
    """The title above. The other words where they leave the picture largest."""
    y = EDGE + 0.4 * TITLE
    for line in wrapped(slide.title, TITLE, page.width - 2 * EDGE, bold=True):
        yield Text(EDGE, y, line, TITLE, ground.text, bold=True)
        y += LINE * TITLE
    top = y - 0.6 * TITLE
    around, beside = (
        _words_around(slide, page, top, ground),
        _words_beside(slide, page, top, ground),
    )
    corner = Words(beside.marks, _below(page, top))
    figures = [DrawnOnce(figure, ground) for figure in slide.figures]
    ways = (_laid(figures, slide.names, words, ground) for words in (around, beside))
    best = max(ways, key=lambda way: way.times)
    if len(figures) == 1:
        best = _laid_around(figures[0], corner, best.times) or best
    yield from best.marks


def _laid(figures: Sequence[DrawnOnce], names: Sequence[str], words: Words, ground: Ground) -> Laid:
    """Pictures beside each other, as large as their place allows all of them to be."""
    place = words.place
    named: list[Mark] = []
    if names:
        place = Box(place.left, place.top + LINE * WORDS, place.right, place.bottom)
        for name, part in zip(names, _beside(place, len(names)), strict=True):
            named.append(
                Text(part.left, words.place.top + WORDS, name, WORDS, ground.text, bold=True)
            )
    parts = _beside(place, len(figures))
    pictures = [_fitted(*each) for each in zip(figures, parts, strict=True)]
    times = min(_times(*each) for each in zip(pictures, parts, strict=True))
    is_one = len(parts) == 1
    put = [_put(*each, times, is_one) for each in zip(pictures, parts, strict=True)]
    return Laid([*words.marks, *named, *chain(*put)], times)


def _laid_around(figure: DrawnOnce, words: Words, least: float) -> Laid | None:
    """A picture whose empty corner has the words, as large as it can be beside them.

    A product has such a corner: left of the upper factor, above the other. None where the picture
    would be no larger than it is without that.
    """
    picture = _fitted(figure, words.place)
    times = _times(picture, words.place)
    if times <= least:
        return None
    marks, box = box_of(words.marks), box_of(picture)
    taken = Box(marks.left, marks.top, marks.right + WORDS, marks.bottom + WORDS)
    boxes = [box_of([mark]) for mark in picture]

    def right_below(times: float) -> tuple[float, float]:
        return words.place.right - times * box.right, words.place.bottom - times * box.bottom

    def is_free(times: float) -> bool:
        x, y = right_below(times)
        return not any(_meet(_moved(each, times, x, y), taken) for each in boxes)

    while not is_free(times):
        times *= SMALLER
        if times <= least:
            return None
    return Laid([*words.marks, *moved(scaled(picture, times), *right_below(times))], times)


def _fitted(figure: DrawnOnce, place: Box) -> list[Mark]:
    return figure.marks(place.right - place.left, place.bottom - place.top)


def _moved(box: Box, times: float, x: float, y: float) -> Box:
    left, top, right, bottom = (times * side for side in box)
    return Box(left + x, top + y, right + x, bottom + y)


def _meet(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom


def _words_around(slide: Slide, page: Size, top: float, ground: Ground) -> Words:
    """Formulas and shapes in one line above the picture, the sentence below; and its place."""
    room = page.width - 2 * EDGE
    above = _formula_line(slide, room, ground)
    marks = above.at(EDGE, top + above.ascent)
    lines = wrapped(slide.sentence, WORDS, room)
    bottom = (page.height or 0) - EDGE - LINE * WORDS * (len(lines) - 1)
    marks += _lines(lines, EDGE, bottom, WORDS, ground.text)
    start = top + above.ascent + above.descent + 0.5 * WORDS
    return Words(marks, Box(EDGE, start, EDGE + room, bottom - 1.4 * WORDS))


def _words_beside(slide: Slide, page: Size, top: float, ground: Ground) -> Words:
    """All words in a column left of the picture; and its place."""
    marks: list[Mark] = []
    y = top + WORDS
    for latex in slide.formulas:
        made = formula_of(latex, FORMULA, ground.text)
        times = min(1, BESIDE / made.width)
        marks += moved(scaled(made.marks, times), EDGE, y + times * made.ascent)
        y += times * (made.ascent + made.descent) + 0.6 * WORDS
    y += WORDS
    for text, fill in ((slide.sentence, ground.text), (slide.shapes, ground.quiet)):
        lines = wrapped(text, WORDS, BESIDE)
        marks += _lines(lines, EDGE, y + WORDS, WORDS, fill)
        y += LINE * WORDS * len(lines) + WORDS
    below = _below(page, top)
    return Words(marks, Box(EDGE + BESIDE + WORDS, below.top, below.right, below.bottom))


def _below(page: Size, top: float) -> Box:
    """All of a slide below its title."""
    return Box(EDGE, top, page.width - EDGE, (page.height or 0) - 0.6 * EDGE)


def _lines(lines: Sequence[str], x: float, y: float, size: float, fill: str) -> list[Mark]:
    return [Text(x, y + LINE * size * i, line, size, fill) for i, line in enumerate(lines)]


def _formula_line(slide: Slide, room: float, ground: Ground) -> Formula:
    """The formulas beside each other, then the shapes; smaller where they would be too wide."""
    made = [formula_of(latex, FORMULA, ground.text) for latex in slide.formulas]
    width = 0.0
    marks: list[Mark] = []
    for formula in made:
        marks += formula.at(width, 0)
        width += formula.width + 1.5 * FORMULA
    if slide.shapes:
        marks.append(Text(width, 0, slide.shapes, WORDS, ground.quiet))
        width += width_of(slide.shapes, WORDS, REGULAR)
    times = min(1, room / width) if width else 1
    ascent = max((formula.ascent for formula in made), default=0.72 * WORDS)
    descent = max((formula.descent for formula in made), default=0.22 * WORDS)
    return Formula(scaled(marks, times), width * times, ascent * times, descent * times)


def _beside(place: Box, count: int) -> list[Box]:
    """The place in so many parts, with room between them."""
    width = (place.right - place.left + EDGE) / count
    lefts = [place.left + number * width for number in range(count)]
    return [Box(left, place.top, left + width - EDGE, place.bottom) for left in lefts]


def _times(marks: Sequence[Mark], place: Box) -> float:
    """How many times as large as they are marks fill a place."""
    box = box_of(marks)
    across = (place.right - place.left) / (box.right - box.left)
    return min(across, (place.bottom - place.top) / (box.bottom - box.top))


def _put(marks: Sequence[Mark], place: Box, times: float, is_one: bool) -> list[Mark]:
    """Marks so many times as large in the middle of their place; one of several at its top left."""
    box = box_of(marks)
    if not is_one:
        return moved(
            scaled(marks, times), place.left - box.left * times, place.top - box.top * times
        )
    x = (place.left + place.right - (box.left + box.right) * times) / 2
    y = (place.top + place.bottom - (box.top + box.bottom) * times) / 2
    return moved(scaled(marks, times), x, y)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The text in lines that are no wider than the room, where its words allow that."""
    face = BOLD if bold else REGULAR
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, face) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
