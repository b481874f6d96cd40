"""The page of an exercise: what the address says, what is chosen, what is marked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from mha_core.io.scenario.link import decode_link
from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.marking import check_answers
from mha_core.worksheets.sheet import Worksheet, make_exercise
from mha_core.worksheets.stages import FIRST, STAGES
from tests.core.worksheets.all_exercises import ALL
from tests.pages.page_visitor import PageVisitor
from ui.blocks.exercise.choice import INSTEAD
from ui.blocks.exercise.marked_sheet import ALL_RIGHT, as_json
from ui.blocks.exercise.sheet_html import blank_name, sheet_html
from ui.edits.exercise_answers import Report
from ui.edits.exercise_params import exercise_params
from ui.state.exercise_shown import KEY, LONGEST_ADDRESS, ExerciseShown

SET = Exercise(difficulty="queries_given", base="2", seed=7)
SOLUTION = "Open the solution in the explorer"


class Student(PageVisitor):
    """A visitor of the page of an exercise."""

    def __init__(self, address: str = "") -> None:
        super().__init__("exercise.py", address)

    @property
    def shown(self) -> ExerciseShown:
        shown: ExerciseShown = self.at.session_state[KEY]
        return shown

    @property
    def sheet(self) -> dict[str, Any]:
        """What the browser is sent of the sheet."""
        sent = [node.proto for node in self.at.get("bidi_component")]
        (found,) = (json.loads(p.json) for p in sent if p.component_name == "answer_sheet")
        return dict(found)


def test_the_address_says_the_exercise() -> None:
    page = Student(urlencode(exercise_params(SET)))
    assert page.shown.exercise == SET
    assert page.sheet["html"] == sheet_html(make_exercise(SET))
    assert page.sheet["sheet"] == urlencode(exercise_params(SET))
    assert page.sheet["put"] == 0  # the address is left as it is
    assert not page.at.error


def test_without_a_word_one_begins_small_and_the_address_then_says_so() -> None:
    page = Student()
    assert page.shown.exercise == FIRST
    assert page.sheet["html"].count('<input type="text"') == 20
    assert page.sheet["sheet"] == urlencode(exercise_params(FIRST))
    assert page.sheet["put"] > 0
    assert not page.sheet["is_step"]
    assert page.at.button_group(key="exercise-stage-0").value == 0


@pytest.mark.parametrize("number", range(1, len(STAGES)))
def test_each_stage_is_one_click_away(number: int) -> None:
    page = Student("seed=7&base=2").enter("exercise-stage-0", number)
    assert page.shown.exercise == STAGES[number].exercise
    assert page.sheet["is_step"]
    shown = page.press("Another one").at.button_group(key="exercise-stage-0")
    assert shown.value == number


def test_an_exercise_of_ones_own_is_no_stage() -> None:
    assert Student("tokens=5").at.button_group(key="exercise-stage-0").value is None


def test_a_wrong_address_is_said_in_words() -> None:
    page = Student("tokens=9&seed=7")
    assert page.shown.exercise == FIRST
    assert "tokens must be a whole number from 2 to 5, got 9. Take 5" in page.words
    assert INSTEAD in page.words
    page.press("Another one")
    assert not page.at.error
    assert page.shown.exercise == replace(FIRST, seed=1)


def test_a_name_that_no_exercise_has_is_said_and_all_else_is_used() -> None:
    page = Student("seed=7&<script>=1")
    assert page.shown.exercise == Exercise(seed=7)
    assert "All else was used" in page.words
    assert INSTEAD not in page.words


def test_another_one_has_the_next_seed_and_is_a_step_back_may_take() -> None:
    page = Student("seed=7&base=2").press("Another one")
    assert page.shown.exercise == Exercise(base="2", seed=8)
    assert page.sheet["is_step"]
    first = page.sheet["put"]
    assert page.press("Another one").sheet["put"] > first > 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("d_model", 8), ("n_heads", 4), ("mask", "none"), ("difficulty", "scores_given")],
)
def test_every_setting_can_be_chosen(name: str, value: Any) -> None:
    page = Student("seed=7").enter(f"exercise-{name}-0", value)
    assert getattr(page.shown.exercise, name) == value
    assert page.shown.exercise.seed == 7
    assert page.sheet["html"] == sheet_html(make_exercise(page.shown.exercise))


def test_a_seed_can_be_entered() -> None:
    assert Student().enter("exercise-seed-0", 12).shown.exercise.seed == 12


def test_what_was_not_chosen_in_a_field_is_told_to_a_new_one() -> None:
    """The browser may send what the old one showed, with the answers that Back has brought."""
    page = Student("seed=7").press("Another one")
    page.shown.visit({"number": 1, "query": "?seed=7"})
    page.at.run()
    assert page.shown.exercise.seed == 7
    assert [field.key for field in page.at.number_input] == ["exercise-seed-2"]
    page.enter("exercise-seed-2", 9)
    assert page.shown.exercise.seed == 9
    assert [field.key for field in page.at.number_input] == ["exercise-seed-2"]


def test_what_would_not_go_together_is_not_offered() -> None:
    page = Student("tokens=2&d_model=6&heads=2")
    assert page.at.selectbox(key="exercise-n_heads-0").options == ["2", "3"]
    assert not [o for o in page.at.selectbox(key="exercise-mask-0").options if "Padding" in o]
    assert not [o for o in page.at.selectbox(key="exercise-scale-0").options if "√d_k" in o]
    page = Student("tokens=2&d_model=4&heads=1")
    assert [o for o in page.at.selectbox(key="exercise-scale-0").options if "√d_k" in o]


def test_the_solution_is_shown_to_who_asks() -> None:
    page = Student(urlencode(exercise_params(SET)))
    assert SOLUTION not in page.links
    page.press("Show the solution")
    params = page.links[SOLUTION]
    assert decode_link(params) == make_exercise(SET).scenario
    assert 'value="' not in page.sheet["html"]
    worksheet = make_exercise(SET)
    assert json.loads(page.sheet["solution"]) == [*map(worksheet.answer, worksheet.blanks)]
    assert SOLUTION not in page.press("Hide the solution").links
    assert json.loads(page.sheet["solution"]) == []
    assert SOLUTION not in page.press("Show the solution").press("Another one").links
    assert json.loads(page.sheet["solution"]) == []


def test_back_leads_to_what_the_address_says_now() -> None:
    shown = ExerciseShown()
    shown.visit({"number": 5, "query": "?seed=7&embed=true"})
    assert shown.exercise == Exercise(seed=7)
    assert not shown.wrong
    shown.visit({"number": 5, "query": "?seed=8"})  # heard before
    assert shown.exercise == Exercise(seed=7)
    shown.visit({"number": 6, "query": ""})
    assert shown.exercise == FIRST


@pytest.mark.parametrize(
    "reported",
    [None, 3, [], {}, {"number": "7", "query": "?seed=3"}, {"number": 7, "query": ["?seed=3"]}],
)
def test_what_is_no_visit_leads_nowhere(reported: Any) -> None:
    shown = ExerciseShown()
    shown.visit(reported)
    assert (shown.exercise, shown.last_visit) == (FIRST, 0)


def test_no_more_of_an_address_is_read_than_an_exercise_takes() -> None:
    shown = ExerciseShown()
    shown.visit({"number": 1, "query": "?" + "a=1&" * LONGEST_ADDRESS})
    assert len(str(shown.wrong[0])) < 300


def test_by_a_link_without_an_address_the_last_exercise_comes_again() -> None:
    shown = ExerciseShown(Exercise(seed=7))
    shown.arrive({})
    assert shown.exercise == Exercise(seed=7)
    assert shown.to_put.number
    assert not shown.to_put.is_step
    shown.arrive({"seed": "8"})
    assert (shown.exercise, shown.to_put.number) == (Exercise(seed=8), 0)


def said(sheet: Worksheet, answers: dict[Any, str]) -> dict[str, Any]:
    return dict(json.loads(as_json(Report(9, answers, ""), check_answers(sheet, answers))))


def test_the_browser_is_told_a_mark_of_each_blank_and_the_first_mistake() -> None:
    sheet = make_exercise(SET)
    scaled = [cell for cell in sheet.blanks if cell.step == "scaled_scores" and cell.head == 0]
    raw = [replace(cell, step="raw_scores") for cell in scaled]
    texts = [sheet.piece_of(cell).texts[cell.row][cell.column] for cell in raw]
    answers = dict(zip([*scaled, raw[0]], [*texts, "<b>"], strict=True))
    told = said(sheet, answers)
    assert len(told["verdicts"]) == len(sheet.blanks)
    assert told["of"] == sheet.points > len(sheet.blanks)
    assert told["verdicts"][0] == "u"
    assert "must" in told["why"]["0"]
    assert told["words"] == "Scaled scores, head 1: The scale was forgotten."
    assert told["mistakes"] == {"scaled_scores/0": told["words"]}
    assert told["number"] == 9


def test_a_slip_hides_no_mistake_that_has_nothing_to_do_with_it() -> None:
    sheet = make_exercise(Exercise(seed=5, n_heads=1))
    value = next(cell for cell in sheet.blanks if cell.step == "v_heads")
    answers = {value: "99"}
    for cell in sheet.blanks:
        if cell.step == "scaled_scores":
            raw = replace(cell, step="raw_scores")
            answers[cell] = sheet.piece_of(raw).texts[cell.row][cell.column]
    told = said(sheet, answers)
    assert list(told["mistakes"]) == ["v_heads/0", "scaled_scores/0"]
    assert told["words"] == " ".join(told["mistakes"].values())
    assert told["words"].endswith("The scale was forgotten.")


def test_all_right_is_said() -> None:
    sheet = make_exercise(SET)
    told = said(sheet, {cell: sheet.answer(cell) for cell in sheet.blanks})
    assert set(told["verdicts"]) == {"r"}
    assert (told["points"], told["words"]) == (sheet.points, ALL_RIGHT)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_every_blank_is_one_field_that_says_where_it_is(difficulty: Any) -> None:
    for exercise in ALL[::40]:
        sheet = make_exercise(replace(exercise, difficulty=difficulty))
        html = sheet_html(sheet)
        assert html.count('<input type="text"') == len(sheet.blanks)
        for number, cell in enumerate(sheet.blanks):
            assert html.count(f'data-number="{number}"') == 1
            assert f'aria-label="{blank_name(sheet.piece_of(cell), cell)}"' in html


def test_no_sheet_says_its_answers() -> None:
    """A blank is empty, whatever stands in the key."""
    for sheet in map(make_exercise, ALL[::40]):
        assert ' value="' not in sheet_html(sheet)


@pytest.mark.parametrize("exercise", [ALL[-1], ALL[0], ALL[len(ALL) // 2]])
def test_the_link_to_a_solution_is_short(exercise: Exercise) -> None:
    page = Student(urlencode(exercise_params(exercise))).press("Show the solution")
    assert len(urlencode(page.links[SOLUTION])) < 1_000
