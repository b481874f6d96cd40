"""Thousands of random schedules: no entry is lost or made twice, and both sides end alike.

A browser and a server are modelled in memory (conversing.py): docs/conversation.md says how they
speak. Planted faults show that the test can fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from random import Random
from typing import Any, Final

import pytest

from tests.ui.state.conversing import FIELD, Entry, Line
from tests.ui.state.working import PIZZA
from ui.state import Session, answered_now, wishes
from ui.state import session as session_module
from ui.state.binding import note_run
from ui.state.conversation import Conversation, Told

SCHEDULES: Final = 2000
ENOUGH: Final = 600  # to catch a planted fault
STEPS: Final = 14  # of each
ACTS: Final = (
    *[Line.enter, Line.type, Line.click, Line.stop, Line.report, Line.wait, Line.cut],
    *[Line.serve, Line.serve, Line.serve, Line.deliver, Line.deliver, Line.deliver],
)
WITHOUT_CLICKS: Final = tuple(act for act in ACTS if act is not Line.click)
ONE_UNDO: Final = (
    *[Line.enter, Line.enter, Line.undo_once, Line.stop, Line.report, Line.wait],
    *[Line.serve, Line.deliver],
)
Here = dict[str, Line]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    """Where wishes are read from; no layer is computed."""
    here: Here = {}

    def reports() -> Mapping[str, Any]:
        return here["line"].server.values

    monkeypatch.setattr(wishes, "reports", reports)
    monkeypatch.setattr(session_module, "trace_to_show", lambda _: None)
    return here


def faults_of(here: Here, seed: int) -> Iterator[str]:
    """What is wrong at the end of one schedule."""
    random = Random(seed)
    line = here["line"] = Line(random)
    acts = WITHOUT_CLICKS if seed % 2 else ACTS
    for step in range(STEPS):
        is_to_reload = seed % 5 == 0 and step == STEPS // 2
        act = Line.reload if is_to_reload else random.choice(acts)
        act(line)
    line.settle()
    session, browser, made = line.server.session, line.browser, line.server.made
    scale = session.scenario.scores.scale
    typed = [each for each in made if isinstance(each, tuple)]
    handed = [each for each in line.entered if isinstance(each, tuple) and each[1] in line.handed]
    entries = [each for each in made if each not in typed]
    if browser.waiting or entries != [each for each in line.entered if isinstance(each, str)]:
        yield "an entry is lost or doubled"
    if len(set(typed)) != len(typed) or not set(typed) <= set(handed):
        yield "a text is entered twice, or by nobody"
    if acts is WITHOUT_CLICKS and typed[-1:] != handed[-1:]:
        yield "the last text is lost"
    if browser.knows["shows"] != scale or browser.values.get(FIELD) != str(scale):
        yield "the browser shows something else"
    if not browser.wanted == browser.knows["at"] == session.history.at:
        yield "the places in the history differ"
    if session.conversation.heard != browser.asked:
        yield "a click is lost"


def test_a_run_tells_only_of_the_entries_that_it_shows() -> None:
    """One that is made while the run is under way is told by the next."""
    talk = Conversation("an id")
    talk.begin_run("a connection", 0.0)
    talk.hear([Entry(1, 2.0)])
    talk.make_those_in_line(lambda *_: None)
    assert (talk.taken, talk.shows_taken) == (1, 0)
    talk.begin_run("a connection", 1.0)
    assert talk.shows_taken == 1


def test_a_field_is_told_again_until_the_browser_has_seen_a_run_that_told_it() -> None:
    """Streamlit drops what it has not sent when the next run begins: a list would come empty.

    A field that the browser has not got has, for the server, the value that it was told.
    """
    talk = Conversation("an id")
    for _ in range(2):
        talk.begin_run("a connection", 0.0)
        assert must_tell(talk, is_reported=False)
        talk.note_told("heads-on", [0, 1])
    talk.end_run(answered_now(Session(PIZZA)))
    seen = talk.receipt()
    talk.begin_run("a connection", 0.0)
    assert must_tell(talk, is_reported=True)
    assert not must_tell(talk, seen, is_reported=True)


def test_a_field_is_told_again_until_the_browser_has_reported_it() -> None:
    """A browser fetches the code of a kind of field when it needs it.

    Until then it shows nothing, though it has seen the run.
    """
    talk = Conversation("an id")
    session = Session(PIZZA)
    for is_reported, is_told in ((False, True), (False, True), (True, False), (False, False)):
        seen = talk.receipt()
        talk.begin_run("a connection", 0.0)
        assert must_tell(talk, seen, is_reported=is_reported) == is_told
        if is_told:
            talk.note_told("heads-on", [0, 1])
        talk.end_run(answered_now(session))


def test_a_field_that_comes_back_is_told_until_it_is_reported_after_that() -> None:
    """The event that brings it back may still report what it showed before it went."""
    talk = Conversation("an id")
    session = Session(PIZZA)
    for is_on_page, is_told in ((True, True), (False, False), (True, True), (True, False)):
        seen = talk.receipt()
        talk.begin_run("a connection", 0.0)
        if is_on_page:
            for _ in range(2):  # as one that is bound twice
                assert must_tell(talk, seen, is_reported=True) == is_told
        if is_told:
            talk.note_told("heads-on", [0, 1])
        talk.end_run(answered_now(session))


def must_tell(talk: Conversation, receipt: str | None = None, *, is_reported: bool) -> bool:
    return talk.must_tell("heads-on", [0, 1], [0, 1], receipt, is_reported=is_reported)


def test_a_run_begins_when_nothing_is_being_made() -> None:
    session = Session(PIZZA)
    session.conversation.hear([Entry(1, 2.0)])

    def make(*_: object) -> None:
        begins = threads.submit(note_run, session)
        assert wait([begins], timeout=0.3).done == set()
        assert session.conversation.run == 0

    with ThreadPoolExecutor() as threads, session.changing:
        session.conversation.make_those_in_line(make)
    assert (session.conversation.run, session.conversation.shows_taken) == (1, 1)


def test_no_schedule_loses_or_doubles_an_entry(here: Here) -> None:
    assert [
        (seed, *found) for seed in range(SCHEDULES) if (found := [*faults_of(here, seed)])
    ] == []


def test_an_undo_takes_back_what_was_entered_before_it(here: Here) -> None:
    """However late the server hears of it: what is entered meanwhile is a step after it."""
    undone = [line for seed in range(SCHEDULES) if (line := _line_with_undo(here, seed))]
    assert [shown for shown, _ in undone] == [meant for _, meant in undone]
    assert len(undone) > SCHEDULES / 4


def _line_with_undo(here: Here, seed: int) -> tuple[float, float] | None:
    """What it shows at the end, and what was meant; None if nobody happened to ask for undo."""
    line = here["line"] = Line(Random(seed))
    line.settle()
    for _ in range(STEPS):
        line.random.choice(ONE_UNDO)(line)
    line.settle()
    shown = line.server.session.scenario.scores.scale
    return (shown, (line.meant or [1.0])[-1]) if line.browser.asked else None


def _seen_all(talk: Conversation, _: str | None) -> int:
    return talk.run


def _begin_without_connection(talk: Conversation, connection: str, at: float) -> None:
    talk.run += 1
    talk.connection = talk.connection or connection


def _counts_anew(talk: Conversation, number: int) -> bool:
    is_new = number > talk.taken
    talk.taken = number
    return is_new


def _knows_all_fields(talk: Conversation, *args: Any, is_reported: bool) -> bool:
    return _MUST_TELL(talk, *args, is_reported=True)


_MUST_TELL: Final = Conversation.must_tell

FAULTS: Final[Mapping[str, tuple[type, str, Any]]] = {
    "each entry is new": (Conversation, "is_new_entry", lambda *_: True),
    "no entry is new": (Conversation, "is_new_entry", lambda *_: False),
    "the newest entry may be an older one": (Conversation, "is_new_entry", _counts_anew),
    "a receipt has no number": (Conversation, "seen", _seen_all),
    "a new connection is not noted": (Conversation, "begin_run", _begin_without_connection),
    "a field is told nothing": (Conversation, "must_tell", lambda *_, **__: False),
    "nothing is on its way": (Told, "is_on_its_way", lambda *_: False),
    "a field that nobody has heard of is not told again": (
        Conversation,
        "must_tell",
        _knows_all_fields,
    ),
    "nothing was shown before": (Told, "before", lambda *_: []),
    "a wish is read anew in each run": (
        Conversation,
        "heard",
        property(lambda _: 0, lambda *_: None),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(here: Here, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    of, name, planted = FAULTS[fault]
    monkeypatch.setattr(of, name, planted, raising=False)
    assert any(any(faults_of(here, seed)) for seed in range(ENOUGH))
