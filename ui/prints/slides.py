"""Slides: a title, then one operation of the forward pass on each, with formula and sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mha_core import Scenario, Trace
from mha_core.guide.screens import Screen, screens_of
from ui.figures.drawing import Look
from ui.figures.heatmap import Figure
from ui.figures.walkthrough import is_of_one_head, screen_figure, shapes_of
from ui.number_format import counted
from ui.prints.fonts import BOLD, REGULAR, width_of
from ui.prints.formula import Formula, formula_of
from ui.prints.grounds import Ground
from ui.prints.marks import Box, Mark, Sheet, Text, moved, scaled
from ui.prints.sizes import SIZES, Size, box_of, fitted_marks, letters_missing

EDGE: Final = 56  # pixels of a slide that stay free
TITLE: Final = 34
COVER: Final = 54
FORMULA: Final = 28
WORDS: Final = 24  # the smallest text that is read from the back of a room
FLAT: Final = 0.55  # widths of a cell that is as high as its number
BESIDE: Final = 340  # pixels of the words beside a picture
LINE: Final = 1.35  # font sizes from line to line


@dataclass(frozen=True)
class Slide:
    """One slide: what it says above and below its pictures, and what the speaker says."""

    title: str
    formulas: Sequence[str]  # LaTeX
    shapes: str
    sentence: str
    notes: str
    figures: Sequence[Figure] = ()  # side by side; none on a title


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
    figure = screen_figure(trace, screen, head, "when asked", look, height=FLAT)
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
    """The title above; the other words above and below the picture, or beside it.

    Whichever leaves the picture larger.
    """
    y = EDGE + 0.4 * TITLE
    for line in wrapped(slide.title, TITLE, page.width - 2 * EDGE, bold=True):
        yield Text(EDGE, y, line, TITLE, ground.text, bold=True)
        y += LINE * TITLE
    top = y - 0.6 * TITLE
    pictures = [fitted_marks(figure, SIZES["slide"], ground)[0] for figure in slide.figures]
    around = _words_around(slide, page, top, ground)
    beside = _words_beside(slide, page, top, ground)
    words, place = max(around, beside, key=lambda each: _smallest(pictures, each[1]))
    yield from words
    for picture, part in zip(pictures, _beside(place, len(pictures)), strict=True):
        yield from _filling(picture, part)


def _words_around(slide: Slide, page: Size, top: float, ground: Ground) -> tuple[list[Mark], Box]:
    """Formulas and shapes in one line above the picture, the sentence below; and its place."""
    room = page.width - 2 * EDGE
    above = _formula_line(slide, room, ground)
    marks = above.at(EDGE, top + above.ascent)
    lines = wrapped(slide.sentence, WORDS, room)
    bottom = (page.height or 0) - EDGE - LINE * WORDS * (len(lines) - 1)
    marks += _lines(lines, EDGE, bottom, WORDS, ground.text)
    start = top + above.ascent + above.descent + 0.5 * WORDS
    return marks, Box(EDGE, start, EDGE + room, bottom - 1.4 * WORDS)


def _words_beside(slide: Slide, page: Size, top: float, ground: Ground) -> tuple[list[Mark], Box]:
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
    bottom = (page.height or 0) - 0.6 * EDGE
    return marks, Box(EDGE + BESIDE + WORDS, top, page.width - EDGE, bottom)


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


def _smallest(pictures: Sequence[Sequence[Mark]], place: Box) -> float:
    """How many times as large as it is the smallest of them is."""
    parts = _beside(place, len(pictures))
    return min(_times(picture, part) for picture, part in zip(pictures, parts, strict=True))


def _times(marks: Sequence[Mark], place: Box) -> float:
    """How many times as large as they are marks fill a place."""
    box = box_of(marks)
    across = (place.right - place.left) / (box.right - box.left)
    return min(across, (place.bottom - place.top) / (box.bottom - box.top))


def _filling(marks: Sequence[Mark], place: Box) -> list[Mark]:
    """Marks as large as the place allows, in its middle."""
    times = _times(marks, place)
    box = box_of(marks)
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
