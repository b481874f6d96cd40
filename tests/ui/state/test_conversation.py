"""Thousands of random schedules: no entry is lost or made twice, and both sides end alike.

A browser and a server are modelled in memory (conversing.py): docs/conversation.md says how they
speak. Planted faults show that each rule of the conversation is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import pytest

from tests.ui.state.conversing import FIELD, Browser, Line
from ui.state import session as session_module
from ui.state import wishes
from ui.state.conversation import Conversation, Told
from ui.state.wishes import Wish

SCHEDULES: Final = 2000
STEPS: Final = 14
ACTS: Final = (
    *[Line.enter, Line.type, Line.click, Line.stop, Line.repeat, Line.wait, Line.cut],
    *[Line.serve, Line.serve, Line.serve, Line.deliver, Line.deliver, Line.deliver],
)


@pytest.fixture(autouse=True)
def in_memory(monkeypatch: pytest.MonkeyPatch) -> dict[str, Line]:
    """Wishes are read from the line, and no layer is computed."""
    here: dict[str, Line] = {}

    def reports() -> Mapping[str, Any]:
        return here["line"].server.values

    monkeypatch.setattr(wishes, "reports", reports)
    monkeypatch.setattr(session_module, "trace_to_show", lambda _: None)
    return here


def faults_of(here: dict[str, Line], seed: int) -> list[str]:
    """What is wrong at the end of one schedule."""
    random = Random(seed)
    line = here["line"] = Line(random)
    acts = [act for act in ACTS if act is not Line.click] if seed % 2 else ACTS
    for step in range(STEPS):
        is_time_to_reload = seed % 5 == 0 and step == STEPS // 2
        (Line.reload if is_time_to_reload else random.choice(acts))(line)
    line.settle()
    session, browser = line.server.session, line.browser
    scale = session.scenario.scores.scale
    made = [each for each in line.server.made if isinstance(each, str)]
    typed = [each for each in line.server.made if not isinstance(each, str)]
    entered = [each for each in line.entered if isinstance(each, str)]
    last = [each for each in line.entered if not isinstance(each, str)][-1:]
    return [
        fault
        for fault, is_there in {
            "an entry is lost or doubled": made != entered or bool(browser.waiting),
            "a text is entered twice or by nobody": len(set(typed)) != len(typed)
            or not set(typed) <= set(line.entered),
            "the field shows something else": browser.values[FIELD] != str(scale),
            "the browser shows another scenario": browser.knows["shows"] != scale,
            "the places differ": (browser.wanted, browser.knows["at"]) != (session.history.at,) * 2,
            "the last text is lost": seed % 2 == 1 and not made and typed[-1:] != last,
        }.items()
        if is_there
    ]


def test_no_schedule_loses_or_doubles_an_entry(in_memory: dict[str, Line]) -> None:
    assert {s: f for s in range(SCHEDULES) if (f := faults_of(in_memory, s))} == {}
