"""A run that ends before it has begun is told to nobody; of every other one, all is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from streamlit.runtime.scriptrunner import ScriptRunnerEvent as Event

from ui.running import empty_runs
from ui.running.empty_runs import SOON, _told_with_the_next

BEGIN, SAY, GIVE_UP, END = (
    Event.SCRIPT_STARTED,
    Event.ENQUEUE_FORWARD_MSG,
    Event.SCRIPT_STOPPED_FOR_RERUN,
    Event.FRAGMENT_STOPPED_WITH_SUCCESS,
)


class Visit:
    """What Streamlit's session for a visitor is told, and a clock for it."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self._event_loop = SimpleNamespace(call_later=self._call_later)
        self._later: list[Any] = []

    def _call_soon_on_event_loop(self, act: Any) -> None:
        act()

    def _call_later(self, seconds: float, act: Any) -> None:
        assert seconds == SOON
        self._later.append(act)

    def wait(self) -> None:
        while self._later:
            self._later.pop()()

    def hear(self, runner: object, *events: Event) -> None:
        for number, event in enumerate(events):
            _told_with_the_next(self, runner, event, number=number)  # type: ignore[arg-type]


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    def tell(session: Visit, _: object, event: Event, **of: Any) -> None:
        session.told.append((event, of["number"]))

    monkeypatch.setattr(empty_runs, "_tell", Mock(side_effect=tell))
    return Visit()


def test_a_run_that_is_given_up_at_once_is_told_to_nobody(visit: Visit) -> None:
    visit.hear(SimpleNamespace(), BEGIN, GIVE_UP, BEGIN, SAY, END)
    visit.wait()
    assert visit.told == [(BEGIN, 2), (SAY, 3), (END, 4)]


def test_one_that_is_given_up_after_it_has_said_something_is_told(visit: Visit) -> None:
    visit.hear(SimpleNamespace(), BEGIN, SAY, GIVE_UP, BEGIN, END)
    visit.wait()
    assert [event for event, _ in visit.told] == [BEGIN, SAY, GIVE_UP, BEGIN, END]


def test_one_that_says_nothing_for_long_is_told(visit: Visit) -> None:
    runner = SimpleNamespace()
    visit.hear(runner, BEGIN)
    visit.wait()
    assert visit.told == [(BEGIN, 0)]
    visit.hear(runner, GIVE_UP)
    assert [event for event, _ in visit.told] == [BEGIN, GIVE_UP]


def test_runs_of_several_runners_do_not_mix(visit: Visit) -> None:
    first, second = SimpleNamespace(), SimpleNamespace()
    visit.hear(first, BEGIN)
    visit.hear(second, BEGIN, GIVE_UP)
    visit.hear(first, END)
    visit.wait()
    assert [event for event, _ in visit.told] == [BEGIN, END]


def test_what_no_runner_says_is_told(visit: Visit) -> None:
    visit.hear(None, END)
    assert [event for event, _ in visit.told] == [END]
