"""A run that ends before it has begun is told to nobody; of every other one, all is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event

from ui.running import empty_runs
from ui.running.empty_runs import _told_with_the_next

BEGIN, SAY, GIVE_UP, END = (
    Event.SCRIPT_STARTED,
    Event.ENQUEUE_FORWARD_MSG,
    Event.SCRIPT_STOPPED_FOR_RERUN,
    Event.FRAGMENT_STOPPED_WITH_SUCCESS,
)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    all_told: list[Any] = []
    tell = Mock(side_effect=lambda *of, **more: all_told.append((of[2], more)))
    monkeypatch.setattr(empty_runs, "_tell", tell)
    return all_told


def say(runner: object, *events: Event) -> None:
    for number, event in enumerate(events):
        _told_with_the_next(Mock(), runner, event, number=number)  # type: ignore[arg-type]


def test_a_run_that_is_given_up_at_once_is_told_to_nobody(told: list[Any]) -> None:
    say(SimpleNamespace(), BEGIN, GIVE_UP, BEGIN, SAY, END)
    assert told == [(BEGIN, {"number": 2}), (SAY, {"number": 3}), (END, {"number": 4})]


def test_one_that_is_given_up_after_it_has_said_something_is_told(told: list[Any]) -> None:
    say(SimpleNamespace(), BEGIN, SAY, GIVE_UP, BEGIN, END)
    assert [event for event, _ in told] == [BEGIN, SAY, GIVE_UP, BEGIN, END]


def test_runs_of_several_runners_do_not_mix(told: list[Any]) -> None:
    first, second = SimpleNamespace(), SimpleNamespace()
    say(first, BEGIN)
    say(second, BEGIN, GIVE_UP)
    say(first, END)
    assert [event for event, _ in told] == [BEGIN, END]


def test_what_no_runner_says_is_told(told: list[Any]) -> None:
    say(None, END)
    assert [event for event, _ in told] == [END]
