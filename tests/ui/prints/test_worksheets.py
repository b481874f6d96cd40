"""Worksheets as PDF: everything of the sheet is on its pages, and nothing runs off them."""

from __future__ import annotations

from typing import Any

import pypdfium2
import pytest

from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.sheet import make_exercise
from tests.core.worksheets.all_exercises import class_set
from ui.figures.marks import Sheet, Text
from ui.prints.pdf import pdf_of
from ui.prints.sizes import MM, box_of
from ui.prints.worksheets import PAPERS, worksheet_sheets

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
    """The boxes with a strong line, in mm."""
    found: list[Any] = [m for m in sheet.marks if getattr(m, "stroke", "") == "#000000"]
    boxes = [box_of([mark]) for mark in found if len(mark.ways[0]) == 5 and mark.width > 0.3 * MM]
    return [((box.right - box.left) / MM, (box.bottom - box.top) / MM) for box in boxes]


def test_a_class_set_has_a_sheet_for_each_then_the_keys() -> None:
    sheets = class_set(Exercise(difficulty="scores_given", seed=4), 3)
    document = pypdfium2.PdfDocument(pdf_of([*worksheet_sheets(sheets)]))
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    said = [f"Sheet {number} of 3, seed {number + 3}" for number in (1, 2, 3)]
    assert [any(words in text for text in texts[: len(texts) // 2]) for words in said] == [True] * 3
    assert ["Answer key" in text for text in texts] == sorted("Answer key" in t for t in texts)
