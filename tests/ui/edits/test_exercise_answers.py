"""What a browser may report of a sheet, and what of it is taken."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.marking import check_answers
from mha_core.worksheets.sheet import make_exercise
from tests.draws import draws
from ui.edits.exercise_answers import NO_TEXTS, NOTHING_REPORTED, report_of

SHEET = make_exercise(Exercise(n_tokens=2, d_model=2, n_heads=1, difficulty="scores_given"))
NAME = "seed=3"
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def sent(texts: Any, number: Any = 1, sheet: Any = NAME) -> dict[str, Any]:
    return {"number": number, "sheet": sheet, "texts": texts}


def test_the_texts_stand_in_the_order_of_the_page() -> None:
    texts = [str(number) for number in range(len(SHEET.blanks))]
    report = report_of(sent(texts, 5), SHEET, NAME)
    assert (report.number, report.note) == (5, "")
    assert list(report.answers) == list(SHEET.blanks)
    assert list(report.answers.values()) == texts


@pytest.mark.parametrize(
    "reported",
    [
        *(None, 3, "text", [], {}, sent([], sheet="seed=4"), sent([], sheet=None)),
        *(sent([], number=number) for number in (0, -1, True, 1.5, "1", 2**53, None)),
    ],
)
def test_what_is_no_report_of_this_sheet_is_left_alone(reported: Any) -> None:
    assert report_of(reported, SHEET, NAME) == NOTHING_REPORTED


def test_more_texts_than_blanks_are_not_read_and_that_is_said() -> None:
    report = report_of(sent(["1"] * 100_000), SHEET, NAME)
    assert len(report.answers) == len(SHEET.blanks)
    assert report.note.startswith("100,000 answers came, and the sheet has")


def test_a_long_text_is_cut_and_its_mark_says_how_long_it_may_be() -> None:
    report = report_of(sent(["9" * 1_000_000]), SHEET, NAME)
    assert len(report.answers[SHEET.blanks[0]]) == 61
    mark = check_answers(SHEET, report.answers).marks[SHEET.blanks[0]]
    assert (mark.verdict, mark.why) == ("unreadable", "A number has at most 60 characters.")


@pytest.mark.parametrize("texts", [None, "12", {"0": "1"}, 5])
def test_what_is_no_list_is_said(texts: Any) -> None:
    assert report_of(sent(texts), SHEET, NAME) == (1, {}, NO_TEXTS)


@draws(25)
@given(st.builds(sent, st.lists(JSON) | JSON))
def test_any_report_is_marked(reported: Any) -> None:
    marked = check_answers(SHEET, report_of(reported, SHEET, NAME).answers)
    assert list(marked.marks) == list(SHEET.blanks)
    assert marked.of == SHEET.points
