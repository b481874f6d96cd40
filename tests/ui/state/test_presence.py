"""Sessions that nobody looks at rest: what a person did stays, what is made of it goes."""

from __future__ import annotations

import gc
import threading
from weakref import ref

import pytest

from mha_core.examples import load_example
from tests.running_page import undo
from tests.ui.state.working import PIZZA, at_pizza, scale
from ui.machine import measures
from ui.machine.measures import Measures
from ui.state import Session, binding, presence, refusals
from ui.state import session as session_module
from ui.state.presence import Cleaner, Presence, let_others_rest, visitors

WIDE = load_example("pizza-1024")


def seen(session: Session) -> Session:
    _ = session.trace
    session.weigh()
    return session


def test_a_session_that_rests_takes_little_and_goes_on_as_before() -> None:
    session = Session(WIDE)
    scale(session, 2.0)
    before = session.trace.output.copy()
    trace = ref(seen(session).trace)
    assert session.size > 2**25
    session.rest()
    gc.collect()
    assert session.size < 2**12
    assert trace() is None
    assert (session.trace.output == before).all()
    undo(session)
    assert session.scenario == WIDE


def test_the_memory_of_who_has_gone_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    given_back = threading.Event()
    monkeypatch.setattr(presence, "give_back", given_back.set)
    monkeypatch.setattr(presence, "TOGETHER", 0.0)
    session, here = seen(Session(WIDE)), Presence()
    here.sessions.add(session)
    before = visitors()
    here.end()
    assert visitors() == before - 1
    assert given_back.wait(60)
    assert session.now.kept.is_packed
    assert session.use.ends_pause.is_set()
    session.come_back()
    assert not session.use.ends_pause.is_set()


def test_who_is_woken_by_a_last_run_rests_again_unless_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cleaned = threading.Semaphore(0)
    monkeypatch.setattr(presence, "give_back", cleaned.release)
    monkeypatch.setattr(presence, "TOGETHER", 0.01)
    monkeypatch.setattr(presence, "LAST_RUNS", 10**6)
    session, back, here = seen(Session(WIDE)), seen(Session(WIDE)), Presence()
    here.sessions.update({session, back})
    cleaner = Cleaner()
    for each in (session, back):
        each.leave()
    cleaner.clean_after(here)
    assert cleaned.acquire(timeout=60)
    back.come_back()
    kept = seen(back).trace
    _ = session.trace
    while session.is_awake:  # it may have been cleaned while the trace was made
        assert cleaned.acquire(timeout=60)
    assert back.trace is kept
    monkeypatch.setattr(presence, "LAST_RUNS", 0)


@pytest.mark.parametrize(("connection", "is_back"), [("another", True), ("", False)])
def test_a_last_run_that_begins_without_a_connection_brings_nobody_back(
    monkeypatch: pytest.MonkeyPatch, connection: str, *, is_back: bool
) -> None:
    session = Session(PIZZA)
    monkeypatch.setattr(binding, "note_presence", Session.come_back)
    monkeypatch.setattr(binding, "connection", lambda: "the first")
    binding.note_run(session)
    session.leave()
    monkeypatch.setattr(binding, "connection", lambda: connection)
    binding.note_run(session)
    assert session.is_left != is_back


def test_the_session_that_was_seen_least_rests_first(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (seen(Session(WIDE)) for _ in range(3))
    ours = [first, second, third]
    monkeypatch.setattr(presence, "open_sessions_of_all", lambda: ours)
    for number, session in enumerate(ours):
        session.run_began = float(number)
    monkeypatch.setattr(presence, "MOST_BYTES", 2 * first.size)
    let_others_rest(third)
    assert [session.now.kept.is_packed for session in ours] == [True, False, False]
    monkeypatch.setattr(presence, "MOST_BYTES", 0)
    let_others_rest(third)
    assert [session.now.kept.is_packed for session in ours] == [True, True, False]


def test_changes_and_refusals_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Measures()
    for module in (session_module, refusals):
        monkeypatch.setattr(module, "MEASURES", counted)
    session = at_pizza()
    scale(session, 2.0)
    scale(session, 2.0)  # the same again
    scale(session, -1e300)
    assert (counted.changes, counted.refused, counted.out_of_memory) == (1, 1, 0)
    assert PIZZA.scores.scale == "1/sqrt(d_k)"


def test_times_of_no_run_are_zero() -> None:
    assert measures.Measures().shares(0.5) == [0.0]
