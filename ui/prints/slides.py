"""Slides: a title, then one operation of the forward pass on each, with formula and sentence.

After that come the results of all heads. No letter of a slide is smaller than 18 points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple
from unicodedata import bidirectional

from mha_core import Scenario, StackTrace, Trace
from mha_core.guide.screens import Screen, screens_of
from mha_core.language import say, say_number
from mha_core.layer.unchanged import without_sinks
from mha_core.reading.head_orders import grouped, listed_heads
from mha_core.reading.sentences import all_readings
from ui.figures.board import PRESENTED
from ui.figures.drawing import Look
from ui.figures.figure import Figure
from ui.figures.grounds import Ground
from ui.figures.marks import Box, Mark, Sheet, Text, moved
from ui.figures.pictures import step_figure
from ui.figures.presented import operation_figure
from ui.figures.walkthrough import is_of_one_head, shapes_of
from ui.prints.fonts import BOLD, REGULAR, width_of
from ui.prints.formula import Formula, formula_of, side_by_side
from ui.prints.from_far import ReadFromFar, count_of_digits, smallest_text
from ui.prints.sizes import SIZES, Size, box_of, letters_missing

EDGE: Final = 44  # pixels of a slide that stay free
TITLE: Final = 34
COVER: Final = 54
FORMULA: Final = 32
WORDS: Final = 24  # 18 points: the smallest text that is read from the back of a room
FLAT: Final = 0.55  # widths of a cell that is as high as its number
BESIDE: Final = 340  # pixels of the words beside a picture
LINE: Final = 1.35  # font sizes from line to line
SMALLER: Final = 0.95  # times as large, until a picture leaves words free
SMALLEST: Final = 0.5  # times its place
MOST_TOKENS: Final = 12  # that a title names
MOST_READINGS: Final = 4
LEFT_TO_RIGHT: Final = "\N{LEFT-TO-RIGHT MARK}"
# Slides show how these come about for one head, and the results for all heads.
OF_ALL_HEADS: Final = {
    "masked_scores": say(
        "Each head compares the tokens in its own way. Where a score is large, the "
        "weight will be large."
    ),
    "weights": say("Each row shows how much a token looks at each token; a row adds up to 1."),
}
WEIGHTS_AND_SINK: Final = say(
    "Each row shows how much a token looks at each token. It adds up to 1 with the share of its "
    "head's sink."
)


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
    step: str = ""  # that it shows coming about, if it is one operation
    quiet_lines: int = 2  # of the sentence of a title, which say what it is about


class Words(NamedTuple):
    """What a slide says below its title, and the place that it leaves for pictures."""

    marks: list[Mark]
    place: Box


class Laid(NamedTuple):
    """All of a slide below its title, and how well its pictures can be read."""

    marks: list[Mark]
    is_clear: bool  # no letter of a picture is too small
    digits: int  # that are written into cells
    size: float  # of the pictures, in square pixels

    @property
    def merit(self) -> tuple[bool, int, float]:
        return self.is_clear, self.digits, self.size


def slides_of(trace: Trace, title: str, link: str, head: int, look: Look) -> list[Slide]:
    """A title, a slide for each screen of the walkthrough that has something to do, and all heads.

    Operations are shown for one head; after it, scores and weights for all.
    """
    slides = [_title_slide(trace, title, link)]
    for screen in screens_of(trace.scenario):
        slides.append(_slide(trace, screen, head, look))
        slides += _of_all_heads(trace, screen, look)
    return slides


def slides_of_layers(
    traces: StackTrace, title: str, link: str, head: int, look: Look
) -> list[Slide]:
    """The slides of each layer, one after the other; a head that a layer lacks is its first."""
    if len(traces.layers) == 1:
        return slides_of(traces.layers[0], title, link, head, look)
    slides: list[Slide] = []
    for number, trace in enumerate(traces.layers, 1):
        says = say("{title}, layer {layer}").format(title=title, layer=number)
        own = head if head < trace.scenario.n_heads else 0
        slides += slides_of(trace, says, link, own, look)
    return slides


def _title_slide(trace: Trace, title: str, link: str) -> Slide:
    """What is shown, of what tokens, and what to look for."""
    s = trace.scenario
    heads = grouped(range(s.n_heads), all_readings(trace))[:MOST_READINGS]
    said = [f"{listed_heads(alike)}: {reading.sentence}" for reading, alike in heads]
    lines = [
        in_words(s),
        _tokens(s),
        say("Multi-head attention, one operation after another. Look for:"),
        *said,
    ]
    notes = say("Open it in the explorer: {link}").format(link=link)
    return Slide(title, [], "", "\n".join(lines), notes)


def _tokens(s: Scenario) -> str:
    """The tokens themselves, or the first of them."""
    tokens = _named(s.tokens)
    if s.context is None:
        return tokens
    says = say("{tokens}, which look at {other_tokens}")
    return says.format(tokens=tokens, other_tokens=_named(s.context_tokens))


def _named(tokens: Sequence[str]) -> str:
    named = [*map(_in_its_place, tokens[:MOST_TOKENS]), *["…"] * (len(tokens) > MOST_TOKENS)]
    return ", ".join(named)


def _in_its_place(token: str) -> str:
    """A token that is read from right to left does not take its neighbours with it."""
    turns = any(bidirectional(letter) in ("R", "AL") for letter in token)
    return f"{token}{LEFT_TO_RIGHT}" if turns else token


def _of_all_heads(trace: Trace, screen: Screen, look: Look) -> Iterator[Slide]:
    """What a screen has computed, for all heads at once; only for OF_ALL_HEADS."""
    s = trace.scenario
    last = {getattr(Trace, name).computed_by(s).name: said for name, said in OF_ALL_HEADS.items()}
    if s.n_heads == 1 or screen.result not in last:
        return
    name = getattr(Trace, screen.result).title
    figure = step_figure(trace, screen.result, range(s.n_heads), look, spacing=PRESENTED)
    said = last[screen.result]
    if screen.result == "weights" and not without_sinks(s):
        said = WEIGHTS_AND_SINK
    title = (
        say("{matrix} of both heads") if s.n_heads == 2 else say("{matrix} of all {count} heads")
    )
    yield Slide(title.format(matrix=name, count=s.n_heads), [], "", said, said, [figure])


def in_words(s: Scenario) -> str:
    """What a scenario is, in one line."""
    columns = say_number("{count} column", "{count} columns", s.d_model).format(count=s.d_model)
    return ", ".join([_count_of_tokens(s), columns, _count_of_heads(s), _mask(s)])


def _count_of_tokens(s: Scenario) -> str:
    if s.context is None:
        return say_number("{count} token", "{count} tokens", s.n_q).format(count=s.n_q)
    queries = say_number("{count} query token", "{count} query tokens", s.n_q).format(count=s.n_q)
    keys = say_number("{count} key token", "{count} key tokens", s.n_k).format(count=s.n_k)
    return say("{queries} and {keys}").format(queries=queries, keys=keys)


def _count_of_heads(s: Scenario) -> str:
    if s.n_kv_heads < s.n_heads:
        says = say("{count} heads that share {shared} of keys and values")
    else:
        says = say_number("{count} head", "{count} heads", s.n_heads)
    return says.format(count=s.n_heads, shared=s.n_kv_heads)


def _mask(s: Scenario) -> str:
    if s.mask.hides_nothing:
        return say("no mask")
    rules = say(" and ").join(rule.name.replace("_", " ") for rule in s.mask.rules)
    return say("{rules} mask").format(rules=rules) if rules else say("a drawn mask")


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
    formulas = [equation.latex for equation in screen.equations(s, lambda _, latex: latex)]
    figure = operation_figure(trace, screen, head, look, FLAT)
    title = screen.title
    if s.n_heads > 1 and is_of_one_head(trace, screen):
        title = say("{operation}, head {head}").format(operation=title, head=head + 1)
    return Slide(title, formulas, shapes, screen.why, screen.why, [figure], step=screen.result)


def _sheet(slide: Slide, size: Size, ground: Ground) -> Sheet:
    height = size.height or SIZES["slide"].height or 0
    page = Size(size.name, size.width, height)
    marks = [*(_with_figure(slide, page, ground) if slide.figures else _cover(slide, page, ground))]
    return Sheet(page.width, height, marks, ground.paper, slide.title, letters_missing(marks))


def _cover(slide: Slide, page: Size, ground: Ground) -> Iterator[Mark]:
    room, bottom = page.width - 2 * EDGE, (page.height or 0) - EDGE
    y = (page.height or 0) * 0.25
    for line in wrapped(slide.title, COVER, room, bold=True):
        yield Text(EDGE, y, line, COVER, ground.text, bold=True)
        y += LINE * COVER
    for number, words in enumerate(slide.sentence.split("\n")):
        lines = wrapped(words, WORDS, room)
        if y + LINE * WORDS * (len(lines) - 1) > bottom:
            return
        fill = ground.quiet if number < slide.quiet_lines else ground.text
        yield from _lines(lines, EDGE, y, WORDS, fill)
        y += LINE * WORDS * len(lines) + 0.4 * WORDS


def _with_figure(slide: Slide, page: Size, ground: Ground) -> Iterator[Mark]:
    """The title on top. The other words stand where they leave the picture largest."""
    y = EDGE + 0.4 * TITLE
    for line in wrapped(slide.title, TITLE, page.width - 2 * EDGE, bold=True):
        yield Text(EDGE, y, line, TITLE, ground.text, bold=True)
        y += LINE * TITLE
    top = y - 0.6 * TITLE
    around = _words_around(slide, page, top, ground)
    beside = _words_beside(slide, page, top, ground)
    figures = [ReadFromFar(figure, ground, WORDS) for figure in slide.figures]
    ways = [_laid(figures, slide.names, words, ground) for words in (around, beside) if words]
    if len(figures) == 1 and beside:
        ways += _laid_around(figures[0], Words(beside.marks, _below(page, top)))
    yield from max(ways, key=lambda way: way.merit).marks


def _laid(
    figures: Sequence[ReadFromFar], names: Sequence[str], words: Words, ground: Ground
) -> Laid:
    """Pictures beside each other, each as large as its part of the place allows."""
    place = words.place
    named: list[Mark] = []
    if names:
        parts = _beside(place, len(names))
        lines = [
            wrapped(name, WORDS, part.right - part.left, bold=True)
            for name, part in zip(names, parts, strict=True)
        ]
        for part, own in zip(parts, lines, strict=True):
            named += _lines(own, part.left, place.top + WORDS, WORDS, ground.text, bold=True)
        top = place.top + LINE * WORDS * max(map(len, lines))
        place = Box(place.left, top, place.right, place.bottom)
    pictures = [
        _put(figure, part, in_the_middle=len(figures) == 1)
        for figure, part in zip(figures, _beside(place, len(figures)), strict=True)
    ]
    return _judged([*words.marks, *named], [*chain(*pictures)])


def _laid_around(figure: ReadFromFar, words: Words) -> Iterator[Laid]:
    """A picture whose empty corner has the words, as large as it can be beside them.

    A product has such a corner: left of the upper factor, above the other.
    """
    marks = box_of(words.marks)
    taken = Box(marks.left, marks.top, marks.right + WORDS, marks.bottom + WORDS)
    width, height = _size(words.place)
    share = 1.0
    while share > SMALLEST:
        picture = figure.in_room(share * width, share * height)
        box = box_of(picture)
        picture = moved(picture, words.place.right - box.right, words.place.bottom - box.bottom)
        if not any(_meet(box_of([each]), taken) for each in picture):
            yield _judged(words.marks, picture)
            return
        share *= SMALLER


def _judged(words: Sequence[Mark], picture: Sequence[Mark]) -> Laid:
    across, down = _size(box_of(picture))
    is_clear = smallest_text(picture) >= WORDS - 0.01
    return Laid([*words, *picture], is_clear, count_of_digits(picture), across * down)


def _size(box: Box) -> tuple[float, float]:
    return box.right - box.left, box.bottom - box.top


def _meet(one: Box, other: Box) -> bool:
    across = one.left < other.right and other.left < one.right
    return across and one.top < other.bottom and other.top < one.bottom


def _words_around(slide: Slide, page: Size, top: float, ground: Ground) -> Words:
    """Formulas and shapes in one line above the picture, the sentence below; and its place."""
    room = page.width - 2 * EDGE
    marks: list[Mark] = []
    y = top
    for line in _lines_of_formulas(slide, room, ground):
        marks += line.at(EDGE, y + line.ascent)
        y += line.ascent + line.descent + 0.5 * WORDS
    lines = wrapped(slide.sentence, WORDS, room)
    bottom = (page.height or 0) - EDGE - LINE * WORDS * (len(lines) - 1)
    marks += _lines(lines, EDGE, bottom, WORDS, ground.text)
    return Words(marks, Box(EDGE, y, EDGE + room, bottom - 1.4 * WORDS))


def _words_beside(slide: Slide, page: Size, top: float, ground: Ground) -> Words | None:
    """All words in a column left of the picture; and its place. None where they have no room."""
    marks: list[Mark] = []
    y = top + WORDS
    for latex in slide.formulas:
        made = _formula(latex, BESIDE, ground)
        if made.width > BESIDE:
            return None
        marks += made.at(EDGE, y + made.ascent)
        y += made.ascent + made.descent + 0.6 * WORDS
    y += WORDS
    for text, fill in ((slide.sentence, ground.text), (slide.shapes, ground.quiet)):
        lines = wrapped(text, WORDS, BESIDE) if text else []
        marks += _lines(lines, EDGE, y + WORDS, WORDS, fill)
        y += LINE * WORDS * len(lines) + WORDS
    below = _below(page, top)
    if y - WORDS > (page.height or 0):
        return None
    return Words(marks, Box(EDGE + BESIDE + WORDS, below.top, below.right, below.bottom))


def _below(page: Size, top: float) -> Box:
    """All of a slide below its title."""
    return Box(EDGE, top, page.width - EDGE, (page.height or 0) - 0.6 * EDGE)


def _lines(
    lines: Sequence[str], x: float, y: float, size: float, fill: str, *, bold: bool = False
) -> list[Mark]:
    return [
        Text(x, y + LINE * size * i, line, size, fill, bold=bold) for i, line in enumerate(lines)
    ]


def _formula(latex: str, room: float, ground: Ground) -> Formula:
    """A formula, smaller where it would be too wide; but it can always be read."""
    made = formula_of(latex, FORMULA, ground.text, WORDS)
    if made.width <= room:
        return made
    return formula_of(latex, max(WORDS, FORMULA * room / made.width), ground.text, WORDS)


def _lines_of_formulas(slide: Slide, room: float, ground: Ground) -> Iterator[Formula]:
    """The formulas, then the shapes, beside each other as long as there is room."""
    made = [_formula(latex, room, ground) for latex in slide.formulas]
    for words in wrapped(slide.shapes, WORDS, room) if slide.shapes else []:
        text = Text(0, 0, words, WORDS, ground.quiet)
        made.append(Formula([text], width_of(words, WORDS, REGULAR), 0.72 * WORDS, 0.22 * WORDS))
    line: list[Formula] = []
    for formula in made:
        if line and side_by_side([*line, formula], FORMULA).width > room:
            yield side_by_side(line, FORMULA)
            line = []
        line.append(formula)
    if line:
        yield side_by_side(line, FORMULA)


def _beside(place: Box, count: int) -> list[Box]:
    """The place in so many parts, with room between them."""
    width = (place.right - place.left + EDGE) / count
    lefts = [place.left + number * width for number in range(count)]
    return [Box(left, place.top, left + width - EDGE, place.bottom) for left in lefts]


def _put(figure: ReadFromFar, place: Box, *, in_the_middle: bool) -> list[Mark]:
    """A picture as large as its place; in its middle, or at its left top."""
    width, height = _size(place)
    picture = figure.in_room(width, height)
    x, y = place.left, place.top
    if in_the_middle:
        across, down = _size(box_of(picture))
        x, y = x + (width - across) / 2, y + (height - down) / 2
    return moved(picture, x, y)


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The text in lines no wider than the room. A word that is wider, as a link is, is cut."""
    face = BOLD if bold else REGULAR
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, face) <= room:
            lines[-1] = longer
        else:
            lines += _cut(word, lambda part: width_of(part, size, face) <= room)
    return lines


def _cut(word: str, fits: Callable[[str], bool]) -> list[str]:
    """Parts of a word, each as long as fits; one letter at least."""
    parts = [""]
    for letter in word:
        if parts[-1] and not fits(parts[-1] + letter):
            parts.append("")
        parts[-1] += letter
    return parts
