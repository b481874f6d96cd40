"""Worksheets as PDF: everything of the sheet is on its pages, and nothing runs off them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest

from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.sheet import make_exercise
from mha_core.worksheets.stages import STAGES
from tests.core.worksheets.all_exercises import class_set
from ui.figures.marks import Box, Sheet, Text
from ui.prints.blocks import PAPERS
from ui.prints.pdf import pdf_of
from ui.prints.sizes import MM, box_of
from ui.prints.worksheets import SECTION, worksheet_sheets

EXERCISES = [
    Exercise(),
    Exercise(n_tokens=2, d_model=2, n_heads=1, mask="none", difficulty="scores_given"),
    Exercise(n_tokens=5, d_model=8, n_heads=4, base="2", mask="padding"),
    Exercise(n_tokens=4, d_model=4, n_heads=1, difficulty="queries_given", scale="1/sqrt(d_k)"),
    Exercise(n_tokens=3, d_model=6, n_heads=3, difficulty="first_row_given", scale="none"),
]


def texts_of(sheets: list[Sheet]) -> list[str]:
    return [mark.text for sheet in sheets for mark in sheet.parts if isinstance(mark, Text)]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("exercise", EXERCISES, ids=str)
def test_nothing_runs_off_the_paper(exercise: Exercise, paper: str) -> None:
    width, height = (side * MM for side in PAPERS[paper])
    for sheet in worksheet_sheets([make_exercise(exercise)], paper):
        box = box_of(sheet.marks)
        assert (sheet.width, sheet.height) == (width, height)
        assert min(box.left, box.top) >= 8 * MM
        assert box.right <= width - 8 * MM
        assert box.bottom <= height - 8 * MM


@pytest.mark.parametrize("exercise", EXERCISES, ids=str)
def test_a_key_has_each_answer_and_a_sheet_none_of_them(exercise: Exercise) -> None:
    worksheet = make_exercise(exercise)
    sheets = texts_of([*worksheet_sheets([worksheet], pages="sheets")])
    keys = texts_of([*worksheet_sheets([worksheet], pages="keys")])
    answers = [worksheet.answer(cell) for cell in worksheet.blanks]
    for answer in set(answers):
        assert keys.count(answer) - sheets.count(answer) == answers.count(answer)


@pytest.mark.parametrize("exercise", EXERCISES, ids=str)
def test_there_is_a_box_for_each_blank_large_enough_to_write_in(exercise: Exercise) -> None:
    worksheet = make_exercise(exercise)
    boxes = [
        size for sheet in worksheet_sheets([worksheet], pages="sheets") for size in blanks(sheet)
    ]
    assert len(boxes) == len(worksheet.blanks)
    assert all(width >= 11 - 1e-6 and height >= 8 - 1e-6 for width, height in boxes)


def blanks(sheet: Sheet) -> list[tuple[float, float]]:
    """The sizes of the blanks, in mm."""
    boxes = boxes_of_blanks(sheet)
    return [((box.right - box.left) / MM, (box.bottom - box.top) / MM) for box in boxes]


def boxes_of_blanks(sheet: Sheet) -> list[Box]:
    """The boxes with a strong line."""
    found: list[Any] = [m for m in sheet.marks if getattr(m, "stroke", "") == "#000000"]
    return [box_of([mark]) for mark in found if len(mark.ways[0]) == 5 and mark.width > 0.3 * MM]


def matrices_before_the_first_heading(sheet: Sheet) -> int:
    """How many stand beside each other where a page goes on with what another has begun."""
    headings = [m.y for m in sheet.parts if isinstance(m, Text) and m.size == SECTION * MM]
    above = [box for box in boxes_of_blanks(sheet) if box.top < min(headings, default=math.inf)]
    columns = sorted({(round(box.left), round(box.right)) for box in above})
    return bool(columns) + sum(one[1] + MM < other[0] for one, other in pairwise(columns))


@pytest.mark.parametrize("pages", ["sheets", "keys"])
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("exercise", [stage.exercise for stage in STAGES], ids=str)
def test_no_matrix_stands_alone_on_the_next_page(
    exercise: Exercise, paper: str, pages: Any
) -> None:
    sheets = [*worksheet_sheets([make_exercise(exercise)], paper, pages)]
    assert 1 not in [matrices_before_the_first_heading(sheet) for sheet in sheets]


def test_a_section_stays_whole_unless_that_takes_a_page_more() -> None:
    two_heads, whole_way = (
        [*worksheet_sheets([make_exercise(stage.exercise)], pages="sheets")] for stage in STAGES[2:]
    )
    assert [matrices_before_the_first_heading(sheet) for sheet in two_heads] == [0, 0]
    assert [matrices_before_the_first_heading(sheet) for sheet in whole_way] == [0, 2]


def test_a_class_set_has_a_sheet_for_each_then_the_keys() -> None:
    sheets = class_set(Exercise(difficulty="scores_given", seed=4), 3)
    document = pypdfium2.PdfDocument(pdf_of([*worksheet_sheets(sheets)]))
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    said = [f"Sheet {number} of 3, seed {number + 3}" for number in (1, 2, 3)]
    assert [any(words in text for text in texts[: len(texts) // 2]) for words in said] == [True] * 3
    assert ["Answer key" in text for text in texts] == sorted("Answer key" in t for t in texts)
