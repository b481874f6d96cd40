"""The address of an exercise: written, read back, and refused in words."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.limits import LIMITS
from mha_core.worksheets.exercise import DIFFICULTIES, Exercise
from mha_core.worksheets.stages import FIRST
from tests.core.worksheets.all_exercises import ALL
from ui.edits.exercise_choices import choices_of, next_exercise, with_choice
from ui.edits.exercise_params import PARAMS, exercise_from, exercise_params

EXAMPLE = (
    "tokens=3&d_model=4&heads=2&mask=causal&level=queries_given&base=2&scale=1/2&seed=7",
    Exercise(difficulty="queries_given", base="2", seed=7),
)


def exercises() -> st.SearchStrategy[Exercise]:
    """Every setting that there may be."""
    return st.builds(
        lambda exercise, difficulty, seed: replace(exercise, difficulty=difficulty, seed=seed),
        st.sampled_from(ALL),
        st.sampled_from(list(DIFFICULTIES)),
        st.integers(0, LIMITS.seed),
    )


@given(exercises())
def test_what_is_written_is_read_back(exercise: Exercise) -> None:
    query = urlencode(exercise_params(exercise))
    assert exercise_from(dict(parse_qsl(query))) == (exercise, [])


def test_an_address_may_say_what_is_usual() -> None:
    query, exercise = EXAMPLE
    assert exercise_from(dict(parse_qsl(query))) == (exercise, [])
    assert exercise_params(exercise) == {"level": "queries_given", "base": "2", "seed": "7"}


@pytest.mark.parametrize("params", [{}, {"utm_source": "mail"}, {"colour": "red"}])
def test_an_address_that_names_no_exercise_is_where_one_begins(params: dict[str, str]) -> None:
    assert exercise_from(params)[0] == FIRST


@pytest.mark.parametrize(
    ("query", "exercise"),
    [
        ("seed=0", Exercise()),
        ("seed=12", Exercise(seed=12)),
        ("base=2", Exercise(base="2")),
        ("level=queries_given", Exercise(difficulty="queries_given")),
        ("d_model=8&heads=4&mask=none", Exercise(d_model=8, n_heads=4, mask="none")),
    ],
)
def test_what_a_saved_link_leaves_out_means_what_it_meant(query: str, exercise: Exercise) -> None:
    assert exercise_from(dict(parse_qsl(query))) == (exercise, [])


def test_every_setting_has_a_parameter() -> None:
    assert sorted(param.field for param in PARAMS.values()) == sorted(
        field.name for field in fields(Exercise)
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("tokens", "1", "tokens must be a whole number from 2 to 5, got 1. Take 2,"),
        ("tokens", "99", "tokens must be a whole number from 2 to 5, got 99. Take 5,"),
        ("tokens", "three", "got 'three'. Take 2,"),
        ("d_model", "4.0", "d_model must be a whole number from 2 to 8, got '4.0'."),
        ("d_model", "7", "Take another d_model, such as 4, 6 or 8."),
        ("heads", "3", "must divide d_model = 4; it has the divisors 1, 2, 4, got 3."),
        ("mask", "causl", "mask must be one of none, causal, padding, got 'causl'. Write causal."),
        ("level", "whole", "Write whole_way."),
        ("base", "10", "base must be one of e, 2, got '10'."),
        ("scale", "1/sqrt(d_k)", "must be 1/2 or none where d_k is 2"),
        ("scale", "half", "scale must be one of 1/sqrt(d_k), 1/2, none, got 'half'."),
        ("seed", "-1", "seed must be a whole number from 0 to 4294967295, got -1. Take 0,"),
        ("seed", "9" * 5000, "got '9999"),
        ("seed", "", "got ''"),
        ("tokens", "٣", "got '٣'"),
    ],
)
def test_a_wrong_value_is_said_and_the_exercise_to_begin_with_is_shown(
    name: str, text: str, said: str
) -> None:
    exercise, wrong = exercise_from({"base": "2", "seed": "5", name: text})
    assert exercise == FIRST
    assert len(wrong) == 1
    assert said in str(wrong[0])
    assert len(str(wrong[0])) < 250


def test_each_wrong_value_is_said() -> None:
    _, wrong = exercise_from({"tokens": "9", "mask": "no", "colour": "red"})
    assert [error.thing for error in wrong] == ["tokens", "mask", "The address"]
    assert "All else was used" not in str(wrong[-1])


def test_a_name_that_no_exercise_has_changes_nothing() -> None:
    exercise, (wrong,) = exercise_from({"seed": "5", "colour": "red", "utm_source": "mail"})
    assert exercise == Exercise(seed=5)
    assert "got 'colour'. Check the spelling. All else was used." in str(wrong)


@given(st.dictionaries(st.sampled_from([*PARAMS, "x"]), st.text(max_size=80)))
def test_any_address_gives_an_exercise(params: dict[str, str]) -> None:
    exercise, wrong = exercise_from(params)
    assert isinstance(exercise, Exercise)
    assert all(isinstance(error.way_out, str) for error in wrong)


@given(exercises(), st.data())
def test_whatever_is_offered_can_be_chosen(exercise: Exercise, data: Any) -> None:
    choices = choices_of(exercise)
    assert all(getattr(exercise, name) in offered for name, offered in choices.items())
    name = data.draw(st.sampled_from(list(choices)))
    value = data.draw(st.sampled_from(list(choices[name])))
    assert getattr(with_choice(exercise, name, value), name) == value


@given(exercises())
def test_another_one_differs_in_its_numbers_alone(exercise: Exercise) -> None:
    following = next_exercise(exercise)
    assert following != exercise
    assert replace(following, seed=exercise.seed) == exercise


def test_after_the_last_seed_comes_the_first() -> None:
    assert next_exercise(Exercise(seed=LIMITS.seed)).seed == 0
