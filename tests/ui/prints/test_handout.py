"""The handout as PDF: few pages, on which everything stands that the slides say."""

from __future__ import annotations

import io
from functools import cache

import pypdfium2
import pytest
from PIL import Image

from mha_core import attend
from mha_core.examples import EXAMPLES, load_example
from mha_core.guide.screens import screens_of
from tests.ui.prints.test_slides import LINK, wish
from ui.figures.drawing import Look
from ui.figures.marks import Sheet, Text
from ui.prints.blocks import PAPERS
from ui.prints.handout import MOST_PAGES, handout_sheets
from ui.prints.pack import handout_file
from ui.prints.pdf import png_of
from ui.prints.sizes import MM, box_of
from ui.prints.slides import OF_ALL_HEADS

LEAST_POINTS = 6.0  # of an index in a formula


@cache
def handout(name: str, paper: str = "A4") -> list[Sheet]:
    return handout_sheets(attend(load_example(name)), EXAMPLES[name].title, LINK, Look(), paper)


def words_of(sheets: list[Sheet]) -> str:
    return " ".join(m.text for sheet in sheets for m in sheet.parts if isinstance(m, Text))


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        *[("causal", "A4"), ("four-heads", "A4"), ("long", "A4")],
        *[("two-tokens", "Letter"), ("pizza-1024", "Letter")],
    ],
)
def test_it_has_two_to_four_pages_and_nothing_runs_off_them(name: str, paper: str) -> None:
    sheets = handout(name, paper)
    assert 2 <= len(sheets) <= MOST_PAGES
    width, height = (side * MM for side in PAPERS[paper])
    for sheet in sheets:
        box = box_of(sheet.marks)
        assert (sheet.width, sheet.height) == (width, height)
        assert min(box.left, box.top) >= 8 * MM
        assert box.right <= width - 8 * MM
        assert box.bottom <= height - 8 * MM


def test_it_has_each_operation_its_sentence_and_all_heads() -> None:
    sheets = handout("causal")
    words = words_of(sheets)
    for screen in screens_of(load_example("causal")):
        assert screen.title in words
        assert screen.why in words
    assert "Weights of both heads" in words
    assert OF_ALL_HEADS["weights"] in words
    assert LINK in words
    assert f"1 of {len(sheets)}" in words


def test_one_number_of_each_operation_is_derived_with_the_numbers_of_the_trace() -> None:
    trace = attend(load_example("causal"))
    words = words_of(handout("causal"))
    assert words.count("One number: ") == len(screens_of(trace.scenario)) - 1  # X is given
    assert f"= {trace.row_sums[0, 4, 0]:.2f}" in words


def test_letters_can_be_read_on_paper() -> None:
    for sheet in handout("four-heads"):
        sizes = [m.size * 0.75 * sheet.scale for m in sheet.parts if isinstance(m, Text)]
        assert min(sizes) >= LEAST_POINTS


def test_its_pages_are_full() -> None:
    *whole, _ = handout("causal")
    for sheet in whole:
        rows = Image.open(io.BytesIO(png_of(sheet, 0.5))).convert("L").point(lambda v: v < 250)
        assert rows.getbbox()[3] > 0.7 * rows.size[1]


def test_the_pdf_has_these_pages() -> None:
    trace = attend(load_example("causal"))
    document = pypdfium2.PdfDocument(handout_file(wish(trace)))
    try:
        pages = [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()
    assert len(pages) == len(handout("causal"))
    assert "Look for:" in pages[0]
    assert "W_O mixes the heads" in pages[-1]
