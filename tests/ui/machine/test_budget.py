"""Heavy computations wait for their turn; light ones never do; nobody is refused."""

from __future__ import annotations

import threading

import pytest

from mha_core.changing.changes import with_scores
from mha_core.changing.layers import as_stack
from mha_core.examples import load_example
from tests.ui.machine.threads import PATIENCE, running, wait_until
from tests.ui.state.working import PIZZA, scale
from ui.machine import budget
from ui.machine.budget import Turns, Use, is_heavy, pause_if_share_is_used, told_after
from ui.state import Session
from ui.state import session as session_module

WIDE = load_example("pizza-1024")


def test_so_many_compute_at_once_and_the_others_follow() -> None:
    turns, at_work, most, go = Turns(2), set[int](), list[int](), threading.Event()

    def work(number: int) -> None:
        with turns.turn(Use()):
            at_work.add(number)
            most.append(len(at_work))
            go.wait(PATIENCE)
            at_work.remove(number)

    with running(*(lambda n=n: work(n) for n in range(5))):
        wait_until(lambda: turns.waiting == 3)
        go.set()
    assert len(most) == 5
    assert max(most) == 2


def test_who_has_computed_least_comes_next() -> None:
    turns, order, go = Turns(1), list[str](), threading.Event()
    held, busy, idle = Use(), Use(), Use()
    busy.note(5.0)
    idle.note(0.1)

    def hold() -> None:
        with turns.turn(held):
            go.wait(PATIENCE)

    def work(name: str, use: Use) -> None:
        with turns.turn(use):
            order.append(name)

    with running(hold):
        wait_until(lambda: turns._free == 0)
        with running(lambda: work("busy", busy)):
            wait_until(lambda: turns.waiting == 1)
            with running(lambda: work("idle", idle)):
                wait_until(lambda: turns.waiting == 2)
                go.set()
    assert order == ["idle", "busy"]


def test_a_turn_within_a_turn_is_the_same_turn_and_an_error_ends_it() -> None:
    turns, use = Turns(1), Use()
    with turns.turn(use), turns.turn(use):
        pass
    with pytest.raises(ZeroDivisionError), turns.turn(use):
        _ = 1 / 0
    with turns.turn(use):
        assert len(use._took) == 2


def test_what_was_computed_more_than_a_minute_ago_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use = Use()
    use.note(3.0)
    assert use.seconds == 3.0
    monkeypatch.setattr(budget, "MINUTE", 0.0)
    assert use.seconds == 0.0


def test_the_lessons_are_light_and_what_others_notice_is_heavy() -> None:
    assert not is_heavy(as_stack(PIZZA))
    assert is_heavy(as_stack(WIDE))


def test_a_small_example_never_waits_for_a_heavy_one(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, go, made = Turns(1), threading.Event(), list[str]()
    monkeypatch.setattr("ui.state.made.TURNS", turns)
    small, large = Session(PIZZA), Session(WIDE)

    def hold() -> None:
        with turns.turn(Use()):
            go.wait(PATIENCE)

    def edit_large() -> None:
        scale(large, 2.0)
        made.append("large")

    with running(hold):
        wait_until(lambda: turns._free == 0)
        with running(edit_large):
            wait_until(lambda: turns.waiting == 1)
            scale(small, 2.0)
            made.append("small")
            _ = small.trace
            go.set()
    assert made == ["small", "large"]
    assert large.use.seconds > 0


def test_who_has_used_a_share_of_the_minute_pauses_and_leaves_without_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "LONGEST_PAUSE", PATIENCE)
    use = Use()
    pause_if_share_is_used(use)  # nothing was used
    use.note(1e6)
    with running(lambda: pause_if_share_is_used(use)) as (thread,):
        assert thread.is_alive()
        use.ends_pause.set()


def test_who_waits_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    said, told = list[str](), threading.Event()
    monkeypatch.setattr(budget, "get_script_run_ctx", lambda **_: object())
    monkeypatch.setattr(budget, "add_script_run_ctx", lambda thread, _: thread)
    monkeypatch.setattr(budget, "tell", lambda words: (said.append(words), told.set()))
    with told_after(0.0, "Wait."):
        assert told.wait(PATIENCE)
    with told_after(PATIENCE, "Never said."):
        pass
    assert said == ["Wait."]


def test_who_is_alone_never_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[Use] = []
    monkeypatch.setattr(session_module, "is_heavy", lambda _: True)
    monkeypatch.setattr(session_module, "pause_if_share_is_used", pauses.append)
    mine, beside = Session(load_example("pizza")), Session(load_example("pizza"))
    monkeypatch.setattr(session_module, "open_sessions_of_all", lambda: [mine, beside])
    mine.conversation.connection = beside.conversation.connection = "mine"
    mine.attempt("scale", "1", lambda s: with_scores(s, scale=1.0))
    assert pauses == []
    beside.conversation.connection = "another's"
    mine.attempt("scale", "2", lambda s: with_scores(s, scale=2.0))
    assert pauses == [mine.use]
    beside.leave()
    mine.attempt("scale", "3", lambda s: with_scores(s, scale=3.0))
    assert pauses == [mine.use]
