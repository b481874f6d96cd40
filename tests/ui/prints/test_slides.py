"""Slides, read again by python-pptx and by a reader of PDF; formulas; packs.

Takes long: whole decks are written, read again, and one of them is too large.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pypdfium2
import pytest
from pptx import Presentation
from pptx.shapes.group import GroupShape

from mha_core import Trace, attend
from mha_core.examples import EXAMPLES, load_example
from mha_core.guide.screens import screens_of
from mha_core.layer.equations import equations
from mha_core.layer.trace import STEPS
from ui.edits.entries import with_head_count
from ui.figures.drawing import Look
from ui.figures.grounds import GROUNDS
from ui.figures.marks import Lines, Sheet, Text
from ui.figures.walkthrough import is_of_one_head
from ui.number_format import MINUS, format_number
from ui.prints.album import album_of
from ui.prints.fonts import REGULAR
from ui.prints.fonts import width_of as width
from ui.prints.formula import formula_of
from ui.prints.pack import PackWish, slides_file
from ui.prints.pdf import pdf_of
from ui.prints.sizes import SIZES, box_of
from ui.prints.slides import in_words, sheets_of, slides_of, wrapped

LINK = "https://example.org/?example=causal"
CAUSAL = load_example("causal")
NUMBER = re.compile(rf"{MINUS}?\d+\.\d+")


def wish(trace: Trace, **other: Any) -> PackWish:
    pictures = [*album_of(trace, ("masked_scores", "weights"), "A title").values()][:3]
    made = PackWish(
        trace,
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


def texts_on(slide: Any) -> list[str]:
    return [shape.text_frame.text for shape in _shapes(slide.shapes) if shape.has_text_frame]


def _shapes(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if isinstance(shape, GroupShape):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def test_a_deck_has_a_title_and_a_slide_for_each_operation() -> None:
    trace = attend(CAUSAL)
    deck = Presentation(io.BytesIO(slides_file(wish(trace), "pptx")))
    assert len(deck.slides) == 1 + len(screens_of(CAUSAL))
    assert texts_on(deck.slides[0])[:2] == ["A title", in_words(CAUSAL)]
    assert LINK in deck.slides[0].notes_slide.notes_text_frame.text
    for slide, screen in zip(list(deck.slides)[1:], screens_of(CAUSAL), strict=True):
        which = ", head 1" if is_of_one_head(trace, screen) else ""
        assert screen.title + which in texts_on(slide)
        assert slide.notes_slide.notes_text_frame.text == screen.why


def test_each_number_of_a_slide_is_a_shape_that_can_be_edited() -> None:
    trace = attend(CAUSAL)
    deck = Presentation(io.BytesIO(slides_file(wish(trace), "pptx")))
    titles = [screen.name for screen in screens_of(CAUSAL)]
    slide = deck.slides[1 + titles.index("softmax" if "softmax" in titles else titles[-4])]
    weights = [format_number(w, 2) for w in trace.weights[0][trace.mask]]
    found = texts_on(slide)
    assert all(found.count(number) >= weights.count(number) for number in set(weights))
    groups = [shape for shape in slide.shapes if isinstance(shape, GroupShape)]
    assert [len(group.shapes) for group in groups]


def test_slides_as_pdf_say_the_same() -> None:
    document = pypdfium2.PdfDocument(slides_file(wish(attend(CAUSAL)), "pdf"))
    try:
        assert len(document) == 1 + len(screens_of(CAUSAL))
        for page, screen in zip(list(document)[1:], screens_of(CAUSAL), strict=True):
            text = " ".join(page.get_textpage().get_text_range().split())
            assert screen.title in text
            assert screen.why in text
            assert page.get_width() / page.get_height() == pytest.approx(16 / 9, rel=1e-3)
    finally:
        document.close()


@pytest.mark.parametrize("name", ["two-tokens", "translation", "positions", "pizza", "long"])
def test_nothing_runs_off_a_slide(name: str) -> None:
    trace = attend(load_example(name))
    slides = slides_of(trace, EXAMPLES[name].title, LINK, 0, Look())
    for size in ("slide", "slide43"):
        for sheet in sheets_of(slides, SIZES[size], GROUNDS["dark"]):
            box = box_of(sheet.marks)
            assert min(box.left, box.top) >= 0, sheet.title
            assert box.right <= sheet.width, sheet.title
            assert box.bottom <= sheet.height, sheet.title


def test_words_of_a_slide_are_large_enough_for_the_back_of_a_room() -> None:
    slides = slides_of(attend(load_example("two-tokens")), "Two tokens", LINK, 0, Look())
    for slide, sheet in zip(
        slides, sheets_of(slides, SIZES["slide"], GROUNDS["light"]), strict=True
    ):
        said = {*slide.sentence.split(), *slide.title.split()}
        sizes = [m.size for m in sheet.parts if isinstance(m, Text) and said & {*m.text.split()}]
        assert min(sizes) * 720 / sheet.height >= 20


@pytest.mark.parametrize("heads", [2, 4])
def test_numbers_of_a_slide_can_be_read_from_the_back_of_a_room(heads: int) -> None:
    trace = attend(with_head_count(load_example("pizza"), heads))
    slides = slides_of(trace, "Pizza", LINK, 0, Look())
    for sheet in sheets_of(slides[1:], SIZES["slide"], GROUNDS["light"]):
        sizes = [m.size for m in sheet.parts if isinstance(m, Text) and NUMBER.fullmatch(m.text)]
        assert min(sizes) * 720 / sheet.height >= 18, sheet.title


@pytest.mark.parametrize("size", ["slide", "slide43"])
@pytest.mark.parametrize("name", ["two-tokens", "translation", "pizza"])
def test_the_picture_of_a_slide_leaves_its_words_free(name: str, size: str) -> None:
    slides = slides_of(attend(load_example(name)), "A title", LINK, 0, Look())[1:]
    for slide, sheet in zip(slides, sheets_of(slides, SIZES[size], GROUNDS["light"]), strict=True):
        said = {*slide.sentence.split(), *slide.title.split()}
        texts = [m for m in sheet.parts if isinstance(m, Text)]
        words = [m for m in texts if said & {*m.text.split()}]
        numbers = [m for m in texts if NUMBER.fullmatch(m.text)]
        assert words
        assert numbers
        for word, number in product(words, numbers):
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
    sheets = sheets_of(slides, SIZES["slide"], GROUNDS["light"])
    from ui.prints.powerpoint import pptx_of

    deck = Presentation(io.BytesIO(pptx_of(sheets, [slide.notes for slide in slides])))
    assert any("<script>\ufffd & title" in text for text in texts_on(deck.slides[0]))
    assert "=1+1" in texts_on(deck.slides[1])


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
    text = "Each token gets a blend of the values of those that it looks at."
    lines = wrapped(text, 20, 200)
    assert " ".join(lines) == text
    assert all(width(line, 20, REGULAR) <= 200 for line in lines)


def test_a_page_of_a_pdf_is_as_large_as_its_paper() -> None:
    sheet = Sheet(100, 50, [], "#ffffff", "Empty", scale=2)
    document = pypdfium2.PdfDocument(pdf_of([sheet]))
    assert document[0].get_size() == pytest.approx((150, 75))  # points
    document.close()
