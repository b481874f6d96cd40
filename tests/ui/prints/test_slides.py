"""Slides, read again by python-pptx and by a reader of PDF; formulas; packs.

Takes long: whole decks are written, read again, and one of them is too large.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from typing import Any

import pypdfium2
import pytest
from pptx import Presentation
from pptx.shapes.group import GroupShape

from mha_core import Trace, attend
from mha_core.changing.changes import with_tokens
from mha_core.changing.layers import as_stack
from mha_core.examples import EXAMPLES, load_example
from mha_core.guide.screens import screens_of
from mha_core.layer.equations import equations
from mha_core.layer.trace import STEPS
from mha_core.reading.sentences import all_readings
from ui.edits.entries import with_head_count
from ui.figures.drawing import LOW, Look
from ui.figures.grounds import GROUNDS
from ui.figures.marks import Grid, Image, Lines, Sheet, Text
from ui.figures.presented import short_equation_figure
from ui.figures.walkthrough import is_of_one_head
from ui.number_format import MINUS, format_number
from ui.prints.album import album_of
from ui.prints.fonts import REGULAR
from ui.prints.fonts import width_of as width
from ui.prints.formula import formula_of
from ui.prints.pack import PackWish, slides_file
from ui.prints.pdf import pdf_of
from ui.prints.sizes import SIZES, box_of
from ui.prints.slides import FLAT, OF_ALL_HEADS, Slide, in_words, sheets_of, slides_of, wrapped

LINK = "https://example.org/?example=causal"
CAUSAL = load_example("causal")
NUMBER = re.compile(rf"{MINUS}?\d+\.\d+")


def wish(trace: Trace, **other: Any) -> PackWish:
    pictures = [*album_of(trace, ("masked_scores", "weights"), "A title").values()][:3]
    made = PackWish(
        attend(as_stack(trace.scenario)),
        0,
        "A title",
        LINK,
        pictures,
        ["svg"],
        SIZES["slide"],
        GROUNDS["light"],
        Look(),
        0,
    )
    return replace(made, **other)


# What several tests read is made once.


@cache
def deck_of_causal() -> bytes:
    return slides_file(wish(attend(CAUSAL)), "pptx")


@cache
def slides_in(name: str) -> list[Slide]:
    return slides_of(attend(load_example(name)), EXAMPLES[name].title, LINK, 0, Look())


@cache
def sheets_in(name: str, size: str) -> list[Sheet]:
    return sheets_of(slides_in(name), SIZES[size], GROUNDS["light"])


def texts_on(slide: Any) -> list[str]:
    return [shape.text_frame.text for shape in _shapes(slide.shapes) if shape.has_text_frame]


def _shapes(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if isinstance(shape, GroupShape):
            yield from _shapes(shape.shapes)
        else:
            yield shape


OF_ALL = {"mask": "Masked scores of both heads", "weights": "Weights of both heads"}


def expected_slides(trace: Trace) -> Iterator[tuple[str, str]]:
    """The title and the sentence of each slide after the first."""
    for screen in screens_of(trace.scenario):
        which = ", head 1" if is_of_one_head(trace, screen) else ""
        yield screen.title + which, screen.why
        if screen.name in OF_ALL:
            yield OF_ALL[screen.name], OF_ALL_HEADS[screen.result]


def test_a_deck_has_a_title_a_slide_for_each_operation_and_two_of_all_heads() -> None:
    trace = attend(CAUSAL)
    deck = Presentation(io.BytesIO(deck_of_causal()))
    expected = [*expected_slides(trace)]
    assert len(deck.slides) == 1 + len(screens_of(CAUSAL)) + len(OF_ALL) == 1 + len(expected)
    assert LINK in deck.slides[0].notes_slide.notes_text_frame.text
    for slide, (title, sentence) in zip(list(deck.slides)[1:], expected, strict=True):
        assert title in texts_on(slide)
        assert slide.notes_slide.notes_text_frame.text == sentence


def test_the_first_slide_says_what_is_shown_and_what_to_look_for() -> None:
    deck = Presentation(io.BytesIO(deck_of_causal()))
    title, what, tokens, how, *heads = texts_on(deck.slides[0])
    assert (title, what) == ("A title", in_words(CAUSAL))
    assert tokens == "SHE, READS, THE, NEXT, WORD"
    assert how == "Multi-head attention, one operation after another. Look for:"
    readings = all_readings(attend(CAUSAL))
    assert heads == [f"Head {n}: {reading.sentence}" for n, reading in enumerate(readings, 1)]
    two = slides_in("translation")[0]
    assert "BEBO, CAFÉ, NEGRO, which look at I, DRINK, BLACK, COFFEE" in two.sentence
    many = slides_in("long")[0].sentence
    assert many.split("\n")[1].endswith(", …")


def test_scores_and_weights_are_shown_of_all_heads_and_of_one_only_once() -> None:
    four = slides_in("four-heads")
    shown = {slide.title: slide.figures for slide in four}
    for title in ("Scaled scores of all 4 heads", "Weights of all 4 heads"):
        (figure,) = shown[title]
        assert [each.matrix.heading for each in figure.heatmaps] == [
            f"Head {number}" for number in (1, 2, 3, 4)
        ]
    one = slides_in("one-head")
    assert not any("heads" in slide.title for slide in one if slide.title.startswith("Weights of"))


# On the narrow slide less has room.
WITH_LETTERS = (
    *[("two-tokens", "slide"), ("two-tokens", "slide43"), ("translation", "slide43")],
    *[("pizza", "slide"), ("positions", "slide"), ("four-heads", "slide43")],
)
ALMOST_WITHOUT = (("long", "slide"), ("long", "slide43"), ("pizza-1024", "slide43"))


@pytest.mark.parametrize(("name", "size"), [*WITH_LETTERS, *ALMOST_WITHOUT])
def test_no_text_of_a_slide_is_below_18_points_and_nothing_runs_off_it(
    name: str, size: str
) -> None:
    for sheet in sheets_in(name, size):
        sizes = [m.size * 0.75 * sheet.scale for m in sheet.parts if isinstance(m, Text)]
        assert min(sizes) >= 18 - 0.01, sheet.title
        box = box_of(sheet.marks)
        assert min(box.left, box.top) >= 0, sheet.title
        assert box.right <= sheet.width, sheet.title
        assert box.bottom <= sheet.height, sheet.title


def test_powerpoint_has_these_sizes_too() -> None:
    deck = Presentation(io.BytesIO(deck_of_causal()))
    texts = [shape for s in deck.slides for shape in _shapes(s.shapes) if shape.has_text_frame]
    runs = [run for text in texts for p in text.text_frame.paragraphs for run in p.runs]
    assert min(run.font.size.pt for run in runs) >= 18


def test_each_matrix_of_a_slide_keeps_its_heading_free() -> None:
    slides = slides_in("four-heads")
    joined = next(slide for slide in slides if slide.title == "The heads are joined")
    (sheet,) = sheets_of([joined], SIZES["slide43"], GROUNDS["light"])
    bold = [m for m in sheet.parts if isinstance(m, Text) and m.bold]
    headings = [m.text for m in bold if m.text != joined.title]
    assert headings == ["head₁", "head₂", "head₃", "head₄", "concat"]
    boxes = sorted(box_of([m]) for m in bold if m.text in headings)
    assert all(one.right < other.left for one, other in pairwise(boxes))


def test_each_number_of_a_slide_is_a_shape_that_can_be_edited() -> None:
    trace = attend(CAUSAL)
    deck = Presentation(io.BytesIO(deck_of_causal()))
    slide = next(s for s in deck.slides if "Each row is divided by its sum, head 1" in texts_on(s))
    weights = [format_number(w, 2) for w in trace.weights[0][trace.mask]]
    found = texts_on(slide)
    assert all(found.count(number) >= weights.count(number) for number in set(weights))
    groups = [shape for shape in slide.shapes if isinstance(shape, GroupShape)]
    assert [len(group.shapes) for group in groups]


def test_slides_as_pdf_say_the_same() -> None:
    document = pypdfium2.PdfDocument(slides_file(wish(attend(CAUSAL)), "pdf"))
    try:
        expected = expected_slides(attend(CAUSAL))
        for page, (title, sentence) in zip(list(document)[1:], expected, strict=True):
            text = " ".join(page.get_textpage().get_text_range().split())
            assert title in text
            assert sentence in text
            assert page.get_width() / page.get_height() == pytest.approx(16 / 9, rel=1e-3)
    finally:
        document.close()


def test_words_of_a_slide_are_large_enough_for_the_back_of_a_room() -> None:
    for slide, sheet in zip(slides_in("two-tokens"), sheets_in("two-tokens", "slide"), strict=True):
        said = {*slide.sentence.split(), *slide.title.split()}
        sizes = [m.size for m in sheet.parts if isinstance(m, Text) and said & {*m.text.split()}]
        assert min(sizes) * 720 / sheet.height >= 20


@pytest.mark.parametrize(("height", "count"), [*product([LOW, FLAT], [5, 12])])
def test_numbers_that_are_not_whole_are_never_written_as_if_they_were(
    height: float, count: int
) -> None:
    """A row of weights would read as 0, 1, 0: without room for a decimal, colours say it alone."""
    words = [
        "she",
        "reads",
        "the",
        "old",
        "book",
        "that",
        "he",
        "has",
        "read",
        "to",
        "her",
        "twice",
    ]
    trace = attend(with_tokens(load_example("the-cat"), words[:count]))
    figure = short_equation_figure(trace, 0, Look(), height)
    slide = Slide("A tour", (), "", "One head, number by number.", "", (figure,))
    (sheet,) = sheets_of([slide], SIZES["slide"], GROUNDS["light"])
    written = [text for mark in sheet.marks if isinstance(mark, Grid) for text in texts_of(mark)]
    assert all("." in text for text in written)
    assert bool(written) == (count == 5)


@pytest.mark.parametrize("name", ["the-cat", "heads-apart"])
def test_six_tokens_and_four_heads_have_numbers_and_all_labels_but_where_heads_are_cut(
    name: str,
) -> None:
    """Cells are as wide as numbers ask, and rows as high as the room allows."""
    for slide, sheet in zip(slides_in(name)[1:], sheets_in(name, "slide")[1:], strict=True):
        if slide.step == "v_heads":
            continue  # six matrices of six rows: no slide has that room
        grids = [mark for mark in sheet.marks if isinstance(mark, Grid)]
        assert all(texts_of(grid) for grid in grids), sheet.title
        texts = [mark.text for mark in sheet.marks if isinstance(mark, Text)]
        tokens = load_example(name).tokens
        assert all(texts.count(word) >= tokens.count(word) for word in tokens), sheet.title


@pytest.mark.parametrize("size", ["slide", "slide43"])
def test_a_picture_without_letters_stays_in_its_place(size: str) -> None:
    """Rows of 128 tokens have no labels: what is left stands above the sentence."""
    for slide, sheet in zip(slides_in("long")[1:], sheets_in("long", size)[1:], strict=True):
        words = [m for m in sheet.marks if isinstance(m, Text) and m.text in slide.sentence]
        for word, image in product(words, [m for m in sheet.marks if isinstance(m, Image)]):
            one, other = box_of([word]), box_of([image])
            is_beside = one.right <= other.left or other.right <= one.left
            assert is_beside or one.bottom <= other.top or other.bottom <= one.top, sheet.title


def texts_of(grid: Grid) -> list[str]:
    return [text for row in grid.texts for text in row if text]


@pytest.mark.parametrize("heads", [2, 4])
def test_numbers_of_a_slide_can_be_read_from_the_back_of_a_room(heads: int) -> None:
    trace = attend(with_head_count(load_example("pizza"), heads))
    slides = slides_of(trace, "Pizza", LINK, 0, Look())
    for sheet in sheets_of(slides[1:], SIZES["slide"], GROUNDS["light"]):
        sizes = [m.size for m in sheet.parts if isinstance(m, Text) and NUMBER.fullmatch(m.text)]
        assert min(sizes) * 720 / sheet.height >= 24 - 0.01, sheet.title


@pytest.mark.parametrize(("name", "size"), WITH_LETTERS)
def test_the_picture_of_a_slide_leaves_its_words_free(name: str, size: str) -> None:
    slides, sheets = slides_in(name)[1:], sheets_in(name, size)[1:]
    for slide, sheet in zip(slides, sheets, strict=True):
        said = {*slide.sentence.split(), *slide.title.split()}
        texts = [m for m in sheet.parts if isinstance(m, Text)]
        words = [m for m in texts if said & {*m.text.split()}]
        of_the_picture = [m for m in texts if NUMBER.fullmatch(m.text) or m.angle or m.bold]
        of_the_picture = [m for m in of_the_picture if m not in words]
        assert words
        assert of_the_picture
        for word, number in product(words, of_the_picture):
            one, other = box_of([word]), box_of([number])
            is_beside = one.right <= other.left or other.right <= one.left
            assert is_beside or one.bottom <= other.top or other.bottom <= one.top, sheet.title


def test_a_layer_of_one_is_said_in_the_singular() -> None:
    s = load_example("two-tokens")
    one = replace(s, tokens=s.tokens[:1], x=s.x[:1])
    assert in_words(one) == "1 token, 4 columns, 2 heads, no mask"
    words = "3 query tokens and 4 key tokens, 6 columns, 2 heads, no mask"
    assert in_words(load_example("translation")) == words


def test_hostile_words_stay_words() -> None:
    s = replace(CAUSAL, tokens=("<b>", "\x00\x0b", "=1+1", "שלום", "😀"))
    slides = slides_of(attend(s), "<script>\x07 & title", LINK, 0, Look())
    sheets = sheets_of(slides[:2], SIZES["slide"], GROUNDS["light"])
    from ui.prints.powerpoint import pptx_of

    deck = Presentation(io.BytesIO(pptx_of(sheets, [slide.notes for slide in slides[:2]])))
    assert any("<script>\ufffd & title" in text for text in texts_on(deck.slides[0]))
    assert "=1+1" in texts_on(deck.slides[1])


def test_each_slide_has_the_title_that_powerpoint_lists() -> None:
    from ui.prints.powerpoint import pptx_of

    slides = slides_in("causal")[:4]
    titles, notes = [slide.title for slide in slides], [slide.notes for slide in slides]
    deck = Presentation(io.BytesIO(pptx_of(sheets_in("causal", "slide")[:4], notes)))
    for slide, title in zip(deck.slides, titles, strict=True):
        assert slide.shapes.title is not None
        assert title.startswith(slide.shapes.title.text_frame.text)
        assert len(list(slide.placeholders)) == 1


# ---- formulas ----


def test_every_formula_of_every_example_can_be_set() -> None:
    for name in EXAMPLES:
        for equation in equations(load_example(name), [step.name for step in STEPS]):
            made = formula_of(equation.latex, 20, "#000000")
            assert made.width > 5
            box = box_of(made.marks)
            assert box.left >= -1
            assert box.right <= made.width + 1


def test_an_index_is_small_and_low_an_exponent_small_and_high() -> None:
    letters = {m.text: m for m in formula_of("a_i^n", 20, "#000000").marks if isinstance(m, Text)}
    assert letters["i"].size == letters["n"].size == 14
    assert letters["n"].y < 0 < letters["i"].y


def test_a_fraction_has_a_line_between_its_parts_and_a_root_one_above() -> None:
    fraction = formula_of(r"\frac{a}{b}", 20, "#000000").marks
    line = next(mark for mark in fraction if isinstance(mark, Lines))
    above, below = (m.y for m in fraction if isinstance(m, Text))
    assert above < line.ways[0][0][1] < below
    root = formula_of(r"\sqrt{d}", 20, "#000000").marks
    assert any(isinstance(mark, Lines) for mark in root)


def test_a_minus_before_a_number_stands_close() -> None:
    assert formula_of("-1", 20, "#000000").width < formula_of("a-1", 20, "#000000").width - 10


def test_a_text_is_cut_into_lines_that_fit() -> None:
    text = "Each token gets a blend of the values that it looks at."
    lines = wrapped(text, 20, 200)
    assert " ".join(lines) == text
    assert all(width(line, 20, REGULAR) <= 200 for line in lines)


def test_a_word_that_is_wider_than_its_line_is_cut() -> None:
    lines = wrapped(f"Open it: {LINK}{LINK}", 20, 200)
    assert "".join(lines) == f"Open it:{LINK}{LINK}"
    assert all(width(line, 20, REGULAR) <= 200 for line in lines)


def test_a_page_of_a_pdf_is_as_large_as_its_paper() -> None:
    sheet = Sheet(100, 50, [], "#ffffff", "Empty", scale=2)
    document = pypdfium2.PdfDocument(pdf_of([sheet]))
    assert document[0].get_size() == pytest.approx((150, 75))  # points
    document.close()


@pytest.mark.parametrize("first", ["שלום", "hello"])
def test_tokens_keep_their_order_whatever_direction_they_are_read_in(first: str) -> None:
    """Two Hebrew tokens beside each other change places in a line that does not keep them apart."""
    tokens = (first, "עולם", "world", "again")
    slides = slides_of(attend(with_tokens(CAUSAL, tokens)), "Order", LINK, 0, Look())
    document = pypdfium2.PdfDocument(
        pdf_of(sheets_of(slides[:1], SIZES["slide"], GROUNDS["light"]))
    )
    try:
        page = document[0].get_textpage()
        text = page.get_text_range()
        lefts = [page.get_charbox(text.index(letters))[0] for letters in ("ל", "ע", "wor", "aga")]
        assert lefts == sorted(lefts)
    finally:
        document.close()
