"""Which exercise it is: its title, others to take, and the way to its solution."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import streamlit as st

from mha_core.changing.layers import as_stack
from mha_core.checks.limits import LIMITS
from mha_core.io.scenario.stack_link import stack_parameters
from mha_core.language import say
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.stages import STAGES, stage_of
from ui.blocks.exercise.marked_sheet import worksheet_of
from ui.controls.markdown import plain
from ui.edits.exercise_choices import (
    IN_WORDS,
    LABELS,
    choices_of,
    in_words,
    next_exercise,
    with_choice,
)
from ui.reports import reported
from ui.state.exercise_shown import ExerciseShown

INSTEAD: Final = say("The first exercise is shown instead.")


def exercise_heading(shown: ExerciseShown) -> None:
    """The title, what can be done with all of the sheet, and what was wrong with the address."""
    with st.container(horizontal=True, vertical_alignment="center", key="heading"):
        st.title(plain(worksheet_of(shown.exercise).title), anchor=False)
        with st.container(horizontal=True, width="content", gap="xsmall", key="tools"):
            label, meaning = say("Another one"), say("Other numbers")
            another = partial(_choose, shown, next_exercise)
            st.button(label, key="another", on_click=another, help=meaning)
            label = say("Hide the solution") if shown.is_solved else say("Show the solution")
            st.button(label, key="solution", on_click=partial(_solve, shown))
    if shown.wrong:
        st.error("\n\n".join([*map(plain, map(str, shown.wrong)), *_instead(shown)]))
    if shown.is_solved:
        _link_to_solution(shown)
    _stages(shown)
    with st.expander(say("Choose another exercise")):
        _choices(shown)


def _instead(shown: ExerciseShown) -> list[str]:
    """Nothing if only unknown names are wrong in the address: all else was used."""
    return [INSTEAD] if any(error.thing != say("The address") for error in shown.wrong) else []


def _link_to_solution(shown: ExerciseShown) -> None:
    scenario = worksheet_of(shown.exercise).scenario
    with st.container(key="solution-link"):
        st.page_link(
            "explore.py",
            label=say("Open the solution in the explorer"),
            query_params=stack_parameters(as_stack(scenario)),
        )


def _stages(shown: ExerciseShown) -> None:
    """From five minutes to the whole way."""
    key = _told(shown, "stage", stage_of(shown.exercise))
    st.pills(
        say("From small to whole"),
        range(len(STAGES)),
        format_func=_name_of_stage,
        key=key,
        on_change=partial(_set_stage, shown, key),
    )


def _name_of_stage(place: int) -> str:
    title, minutes = STAGES[place].title, STAGES[place].minutes
    says = say("{number}. {title}, {minutes} min")
    return says.format(number=place + 1, title=title, minutes=minutes)


def _choices(shown: ExerciseShown) -> None:
    """Every setting. Choices that do not fit together are not offered."""
    choices = choices_of(shown.exercise)
    words, sizes = st.columns(2), st.columns(4)
    for place, name in enumerate(IN_WORDS):
        with words[place % 2]:
            _choice(shown, name, choices[name])
    for column, name in zip(sizes, ("n_tokens", "d_model", "n_heads"), strict=False):
        with column:
            _choice(shown, name, choices[name])
    with sizes[-1]:
        key = _told(shown, "seed", shown.exercise.seed)
        st.number_input(
            say("Seed: each gives other numbers"),
            min_value=0,
            max_value=LIMITS.seed,
            key=key,
            on_change=partial(_set, shown, "seed", key),
        )


def _choice(shown: ExerciseShown, name: str, choices: Any) -> None:
    key = _told(shown, name, getattr(shown.exercise, name))
    st.selectbox(
        LABELS[name],
        choices,
        format_func=partial(in_words, name),
        key=key,
        on_change=partial(_set, shown, name, key),
    )


def _told(shown: ExerciseShown, name: str, value: Any) -> str:
    """The key of a field that shows what the exercise has; every run tells it so.

    A value that was not chosen in the field itself goes to a new field. The browser may still send
    what the old one showed, with the answers to a sheet that has just come: nobody chose that.
    """
    if st.session_state.get(_key(shown, name), value) != value:
        shown.renewed[name] = 1 + shown.renewed.get(name, 0)
    st.session_state[_key(shown, name)] = value
    return _key(shown, name)


def _key(shown: ExerciseShown, name: str) -> str:
    return f"exercise-{name}-{shown.renewed.get(name, 0)}"


def _set(shown: ExerciseShown, name: str, key: str) -> None:
    value = reported(key)
    if value is not None and key == _key(shown, name):
        shown.choose(with_choice(shown.exercise, name, value))


def _set_stage(shown: ExerciseShown, key: str) -> None:
    number = reported(key)
    if number is not None and key == _key(shown, "stage"):
        shown.choose(STAGES[number].exercise)


def _choose(shown: ExerciseShown, change: Callable[[Exercise], Exercise]) -> None:
    shown.choose(change(shown.exercise))


def _solve(shown: ExerciseShown) -> None:
    shown.is_solved = not shown.is_solved
