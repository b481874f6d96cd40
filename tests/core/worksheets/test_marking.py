"""Marks: what is right, what follows from own numbers, and which mistake was made first.

Takes long: random sheets are filled in, and every known mistake is looked for in each.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.shapes import FloatArray
from mha_core.layer.attending import attend_from
from mha_core.layer.cells import Cell
from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.marking import (
    NO_KNOWN_MISTAKE,
    Diagnosis,
    Mark,
    Marked,
    check_answers,
    mistakes_of,
)
from mha_core.worksheets.sheet import Worksheet, make_exercise
from tests.core.worksheets.all_exercises import ALL, OF_FEW_TOKENS, answers_from, answers_of
from tests.draws import draws

CAUSAL_E = make_exercise(Exercise(seed=5))
CAUSAL_2 = make_exercise(Exercise(seed=5, base="2"))
WEIGHTS = Exercise(seed=5, difficulty="scores_given")


def is_all_right(marked: Marked) -> bool:
    return marked.count("right") == len(marked.marks)


def verdicts(marked: Marked, step: str) -> set[str]:
    return {mark.verdict for cell, mark in marked.marks.items() if cell.step == step}


@given(st.sampled_from(ALL), st.sampled_from(list(DIFFICULTIES)))
def test_the_answers_of_the_key_are_all_right(exercise: Exercise, difficulty: Any) -> None:
    sheet = make_exercise(replace(exercise, difficulty=difficulty))
    marked = check_answers(sheet, answers_of(sheet))
    assert marked.points == marked.of == sheet.points
    assert is_all_right(marked)
    assert not marked.diagnoses
    assert list(marked.marks) == list(sheet.blanks)


@given(st.sampled_from(ALL))
def test_the_exact_numbers_are_right_too(exercise: Exercise) -> None:
    sheet = make_exercise(exercise)
    assert is_all_right(check_answers(sheet, answers_from(sheet, sheet.trace)))


def test_two_decimals_are_right_where_the_key_has_a_fraction() -> None:
    rounded = {
        cell: text if "∞" in text else f"{float(Fraction(text.replace('−', '-'))):.2f}"
        for cell, text in answers_of(CAUSAL_2).items()
    }
    assert is_all_right(check_answers(CAUSAL_2, rounded))


def test_an_empty_sheet_has_no_points_and_no_mistakes() -> None:
    marked = check_answers(CAUSAL_E, {CAUSAL_E.blanks[0]: "  "})
    assert (marked.points, marked.of) == (0, CAUSAL_E.points)
    assert marked.count("empty") == len(CAUSAL_E.blanks)
    assert not marked.diagnoses


@pytest.mark.parametrize(("sign", "instead"), [("−", "-"), ("−", "–"), (".", ","), ("0.", ".")])
def test_numbers_are_read_as_everywhere_in_the_app(sign: str, instead: str) -> None:
    rewritten = {
        cell: f" {text.replace(sign, instead)} " for cell, text in answers_of(CAUSAL_E).items()
    }
    assert any(rewritten[cell].strip() != CAUSAL_E.answer(cell) for cell in rewritten)
    assert is_all_right(check_answers(CAUSAL_E, rewritten))


@pytest.mark.parametrize("text", ["−∞", "-inf", "-Infinity", "-1e9", "-10000"])
def test_a_hidden_score_may_be_written_in_several_ways(text: str) -> None:
    hidden = next(cell for cell in CAUSAL_E.blanks if CAUSAL_E.answer(cell) == "−∞")
    assert check_answers(CAUSAL_E, {hidden: text}).marks[hidden].verdict == "right"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x", "The answer must hold numbers only."),
        ("nan", "The answer must hold finite numbers or -inf."),
        ("inf", "The answer must hold finite numbers or -inf."),
        ("1/0", "The answer must hold finite numbers. Divide by another number."),
        ("1,234", "must have only one reading"),
        ("1e999", "finite numbers of at most 1e+100 in size"),
        ("1 2", "must have one number in each cell"),
        ("9" * 61, "A number has at most 60 characters."),
    ],
)
def test_what_is_no_number_is_told_why(text: str, why: str) -> None:
    cell = CAUSAL_E.blanks[0]
    mark = check_answers(CAUSAL_E, {cell: text}).marks[cell]
    assert mark.verdict == "unreadable"
    assert why in mark.why
    assert not mark.has_points


@given(st.data())
def test_hostile_answers_never_raise(data: st.DataObject) -> None:
    sheet = data.draw(st.sampled_from([CAUSAL_E, CAUSAL_2]))
    numbers = st.floats(-1e100, 1e100).map(repr)
    junk = st.sampled_from(
        ["-inf", "nan", "1e100", "-1e100", "", "0", "7", "\0", "9" * 100_000, "٣", "1/3", "-0"]
    )
    texts = st.one_of(st.text(max_size=5), junk, numbers)
    answers = data.draw(st.dictionaries(st.sampled_from(sheet.blanks), texts, max_size=60))
    marked = check_answers(sheet, answers | {Cell("q", None, 99, -1): "1"})
    assert list(marked.marks) == list(sheet.blanks)
    assert 0 <= marked.points <= marked.of
    assert (marked.count("wrong") > 0) == bool(marked.diagnoses)


@pytest.mark.parametrize("text", ["-inf", "1e100", "-1e100", "7777", "0"])
@pytest.mark.parametrize("sheet", [CAUSAL_E, CAUSAL_2], ids=["e", "2"])
def test_one_number_everywhere_is_marked_without_an_error(sheet: Worksheet, text: str) -> None:
    marked = check_answers(sheet, dict.fromkeys(sheet.blanks, text))
    assert marked.diagnoses[0].first_wrong.step == "q_heads"


def test_a_slip_costs_its_own_point_and_what_follows_from_it_none() -> None:
    sheet = make_exercise(replace(WEIGHTS, n_heads=1, mask="none"))
    answers = answers_of(sheet)
    slip = Cell("scaled_scores", 0, 2, 1)
    own_scores = sheet.trace.scaled_scores.copy()
    own_scores[0, 2, 1] += 1
    answers[slip] = repr(float(own_scores[0, 2, 1]))
    own = attend_from(sheet.scenario, v_heads=sheet.trace.v_heads, scaled_scores=own_scores)
    answers |= answers_from(sheet, own, first="weights")
    answers |= answers_from(sheet, own, first="head_outputs")
    marked = check_answers(sheet, answers)
    assert marked.marks[slip] == Mark("wrong")
    assert (marked.points, marked.of) == (sheet.points - 1, sheet.points)
    row_of_slip = {
        cell for cell, mark in marked.marks.items() if mark.verdict == "right from yours"
    }
    assert row_of_slip
    assert {cell.row for cell in row_of_slip} == {2}
    assert {cell.step for cell in row_of_slip} == {"weights", "head_outputs"}
    assert marked.diagnoses == (Diagnosis("Scaled scores, head 1", slip),)
    assert marked.diagnoses[0].sentence == f"Scaled scores, head 1: {NO_KNOWN_MISTAKE}"


def test_a_number_that_follows_from_nothing_is_wrong_after_a_slip_too() -> None:
    answers = answers_of(CAUSAL_E)
    answers[Cell("q_heads", 0, 0, 0)] = "50"
    answers[Cell("raw_scores", 0, 0, 0)] = "51"
    marked = check_answers(CAUSAL_E, answers)
    assert [each.first_wrong.step for each in marked.diagnoses] == ["q_heads", "raw_scores"]


# ---- mistakes, each made by plain arithmetic ----------------------------------------------------


def softmax(scores: FloatArray, axis: int, base: float) -> FloatArray:
    powers = base**scores
    shares: FloatArray = powers / powers.sum(axis=axis, keepdims=True)
    return shares


def answered(sheet: Worksheet, step: str, heads: FloatArray) -> Marked:
    """The key, but for one step of every head."""
    answers = answers_of(sheet)
    for cell in sheet.blanks:
        if cell.step == step:
            answers[cell] = repr(float(heads[cell.head, cell.row, cell.column]))
    return check_answers(sheet, answers)


@pytest.mark.parametrize(("sheet", "base"), [(CAUSAL_E, np.e), (CAUSAL_2, 2.0)], ids=["e", "2"])
@pytest.mark.parametrize(
    ("step", "mistake"),
    [
        ("scaled_scores", "The scale was forgotten."),
        ("masked_scores", "The mask was forgotten."),
        ("masked_scores", "Hidden scores were set to 0, not to minus infinity."),
        ("weights", "The mask was applied after the softmax: rows no longer sum to 1."),
        ("weights", "The softmax was taken along columns, not along rows."),
        ("weights", "The exponentials were not divided by the sum of their row."),
    ],
)
def test_a_known_mistake_is_named_where_it_was_made(
    sheet: Worksheet, base: float, step: str, mistake: str
) -> None:
    raw, scaled = sheet.trace.raw_scores, sheet.trace.raw_scores / 2
    sees = np.tri(3, dtype=bool)
    masked = np.where(sees, scaled, -np.inf)
    made = {
        "The scale was forgotten.": raw,
        "The mask was forgotten.": scaled,
        "Hidden scores were set to 0, not to minus infinity.": np.where(sees, scaled, 0),
        "The mask was applied after the softmax: rows no longer sum to 1.": np.where(
            sees, softmax(scaled, -1, base), 0
        ),
        "The softmax was taken along columns, not along rows.": softmax(masked, 1, base),
        "The exponentials were not divided by the sum of their row.": base**masked,
    }
    marked = answered(sheet, step, made[mistake])
    assert {each.mistake for each in marked.diagnoses} == {mistake}
    first = marked.diagnoses[0]
    assert first.first_wrong.step == step
    assert first.sentence == f"{first.title}: {mistake}"
    wrong = [cell for cell, mark in marked.marks.items() if mark.verdict == "wrong"]
    assert marked.points == marked.of - sum(sheet.piece_of(cell).points for cell in wrong)


def test_the_other_base_is_named_on_either_sheet() -> None:
    for sheet, base, mistake in (
        (CAUSAL_E, 2, "Base 2 was taken, not base e."),
        (CAUSAL_2, np.e, "Base e was taken, not base 2."),
    ):
        weights = softmax(sheet.trace.masked_scores, -1, base)
        marked = answered(sheet, "weights", weights)
        assert {each.mistake for each in marked.diagnoses} == {mistake}
        assert "The temperature was forgotten." not in mistakes_of(sheet)


def test_a_mistake_after_a_slip_is_found_from_own_numbers() -> None:
    sheet = make_exercise(Exercise(seed=5, n_heads=1))
    answers = answers_of(sheet)
    scores = sheet.trace.raw_scores[0].copy()
    scores[1, 1] += 2
    for cell in sheet.blanks:
        if cell.step in ("raw_scores", "scaled_scores"):
            answers[cell] = repr(float(scores[cell.row, cell.column]))
    marked = check_answers(sheet, answers)
    assert [each.mistake for each in marked.diagnoses[:2]] == ["", "The scale was forgotten."]


def test_one_wrong_number_alone_says_nothing_of_a_mistake() -> None:
    cell = next(cell for cell in CAUSAL_E.blanks if cell.step == "scaled_scores")
    wrong = {
        each: repr(float(CAUSAL_E.trace.raw_scores[each.head, each.row, each.column]))
        for each in CAUSAL_E.blanks
        if each.step == cell.step and each.head == cell.head
    }
    differing = [c for c, text in wrong.items() if float(text) != 0]
    alone = check_answers(CAUSAL_E, {differing[0]: wrong[differing[0]]})
    two = check_answers(CAUSAL_E, {each: wrong[each] for each in differing[:2]})
    assert [each.mistake for each in alone.diagnoses] == [""]
    assert [each.mistake for each in two.diagnoses] == ["The scale was forgotten."]


def test_what_nobody_can_read_stands_in_no_ones_way() -> None:
    answers = answers_of(CAUSAL_E)
    first = CAUSAL_E.blanks[0]
    answers[first] = "?"
    marked = check_answers(CAUSAL_E, answers)
    assert marked.count("unreadable") == 1
    assert marked.count("right") == len(marked.marks) - 1
    assert not marked.diagnoses
    assert verdicts(marked, "raw_scores") == {"right"}


@draws(15)
@given(st.sampled_from(OF_FEW_TOKENS))
def test_whoever_goes_on_rightly_after_a_mistake_is_told_it(exercise: Exercise) -> None:
    sheet = make_exercise(replace(exercise, seed=21))
    for make in mistakes_of(sheet).values():
        made = make(sheet.trace)
        if made is not None:
            marked = check_answers(sheet, answers_from(sheet, made))
            assert bool(marked.diagnoses) == (marked.count("wrong") > 0)
            assert all(each.mistake for each in marked.diagnoses[:1])
