"""A sheet to fill in, and the words on the answers."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.marking import Diagnosis, Marked, Verdict, check_answers
from mha_core.worksheets.sheet import Worksheet, make_exercise
from ui.blocks.exercise.sheet_html import sheet_html
from ui.controls.answer_sheet import answer_sheet, answers_reported
from ui.controls.fragment import fragment
from ui.edits.exercise_answers import Report, report_of
from ui.machine.budget import TURNS
from ui.state.exercise_shown import ExerciseShown

SEVERAL: Final = 64  # sheets that are kept ready: a class works on few, one visitor on one
MANY_BLANKS: Final = 128
LETTERS: Final[dict[Verdict, str]] = {
    "right": "r",
    "right from yours": "y",
    "wrong": "w",
    "unreadable": "u",
    "empty": "e",
}
ALL_RIGHT: Final = say("All correct.")


def marked_sheet(shown: ExerciseShown) -> None:
    """The sheet. Answers run only this fragment."""
    _marked_sheet(shown, shown.exercise)


@fragment
def _marked_sheet(shown: ExerciseShown, exercise: Exercise) -> None:
    if shown.exercise != exercise:  # Back or Forward has led to another
        st.rerun()
    worksheet = worksheet_of(exercise)
    report = report_of(answers_reported(), worksheet, shown.query)
    with _turn(shown, worksheet):
        said = as_json(report, check_answers(worksheet, report.answers))
    # A browser that reports answers has the sheet: its 13 to 300 kB are sent once, not per mark.
    html = "" if report.number else _html_of(exercise)
    solution = list(map(worksheet.answer, worksheet.blanks)) if shown.is_solved else []
    answer_sheet(html, shown.query, said, solution, shown.to_put, shown.visit)


def _turn(shown: ExerciseShown, worksheet: Worksheet) -> AbstractContextManager[None]:
    """Marking a large sheet, all of it wrong, takes 0.3 s of the processor: it waits its turn."""
    return TURNS.turn(shown.use) if len(worksheet.blanks) > MANY_BLANKS else nullcontext()


@lru_cache(SEVERAL)
def worksheet_of(exercise: Exercise) -> Worksheet:
    return make_exercise(exercise)


@lru_cache(SEVERAL)
def _html_of(exercise: Exercise) -> str:
    return sheet_html(worksheet_of(exercise))


def as_json(report: Report, marked: Marked) -> str:
    """What the browser is told of a report: a letter for each blank, in the order of the page."""
    return json.dumps(
        {
            "number": report.number,
            "verdicts": "".join(LETTERS[mark.verdict] for mark in marked.marks.values()),
            "why": {n: mark.why for n, mark in enumerate(marked.marks.values()) if mark.why},
            "points": marked.points,
            "of": marked.of,
            "words": " ".join(filter(None, [_words(marked), report.note])),
            "mistakes": {each.first_wrong.matrix: each.sentence for each in _worth_saying(marked)},
        }
    )


def _worth_saying(marked: Marked) -> list[Diagnosis]:
    """The first, and all others with a known mistake: these may not follow from the first."""
    return [each for n, each in enumerate(marked.diagnoses) if n == 0 or each.mistake]


def _words(marked: Marked) -> str:
    """The first mistake, and the first known one; or, at the end, that all is right."""
    if said := _worth_saying(marked):
        is_known = bool(said[0].mistake)
        return " ".join(each.sentence for each in said[: 1 if is_known else 2])
    return ALL_RIGHT if marked.points == marked.of else ""
