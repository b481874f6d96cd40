"""The form of the sidebar as data: what an entry does, and what is no entry."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from mha_core.checks.errors import NumberError
from mha_core.examples import load_example
from tests.pages.visitor import Visitor
from ui.blocks.cell_entries import take_entries
from ui.controls.form import GONE, whole
from ui.controls.sidebar import enter_in_sidebar, fields
from ui.edits.entries import with_preset
from ui.plot import IntoField
from ui.state import Session

PIZZA = load_example("pizza")
RANDOM = with_preset(PIZZA, "random", 0)
NO_ENTRIES: tuple[tuple[str, Any], ...] = (
    ("tokens", 7),
    ("n-tokens", 3),
    ("scale", None),
    ("heads", True),  # not 1
    ("heads", 3),
    ("heads", "4"),
    ("x", "no recipe"),
    ("x", ["random"]),
    ("rules", "causal"),
    ("rules", ["causal", "no rule"]),
    ("rules", [["causal"]]),
    ("rule strided", 1),
    ("softmax", {"a": 1}),
)


@pytest.mark.parametrize(("key", "sent"), NO_ENTRIES)
def test_what_no_field_sends_is_no_entry(key: str, sent: Any) -> None:
    session = Session(PIZZA)
    enter_in_sidebar(session, key, sent)
    assert session.scenario == PIZZA
    assert session.refusals == {}


def test_every_field_takes_what_it_shows_and_changes_nothing() -> None:
    for name in ("pizza", "grouped-query", "translation", "causal"):
        session = Session(load_example(name))
        for key, field in fields(session).items():
            if field.kind != "press":
                assert field.takes(field.shown), key
                enter_in_sidebar(session, key, field.shown)
        assert session.history.last == 0
        assert session.refusals == {}


def test_an_entry_into_a_field_that_has_gone_is_refused_in_words() -> None:
    visitor = Visitor("example=pizza").mask_by("sliding_window").press("Undo")
    enter_in_sidebar(visitor.session, "sliding_window left", "1")
    assert visitor.run().complains("The field must be on the page")
    assert visitor.enter("scale", "0.5").errors == []


def test_entries_are_taken_in_order_and_each_once() -> None:
    session = Session(PIZZA)
    entries = [IntoField(1, "heads", 4), IntoField(2, "n-tokens", "3"), IntoField(3, "heads", 1)]
    take_entries(session, entries)
    take_entries(session, entries)
    assert (session.scenario.n_heads, session.scenario.n_q) == (1, 3)
    assert session.history.last == 3


def test_of_several_entries_into_one_field_that_come_at_once_the_last_counts() -> None:
    session = Session(PIZZA)
    take_entries(session, [IntoField(n, "n-tokens", str(n)) for n in (1, 2, 3)])
    assert session.scenario.n_q == 3
    assert session.history.last == 1


def held(number: int, seed: str, key: str = "weights-seed") -> IntoField:
    """What a held key enters after its first entry."""
    return IntoField(number, key, seed, goes_on=True)


def seeds_of(session: Session) -> list[int]:
    return [moment.stack.first.origin.weights_seed for moment in session.history.moments]


def test_what_a_held_key_enters_is_one_step() -> None:
    session = Session(RANDOM)
    take_entries(session, [IntoField(1, "weights-seed", "1")])
    take_entries(session, [IntoField(2, "weights-seed", "2")])
    assert seeds_of(session) == [0, 1, 2]
    take_entries(session, [held(3, "30")])
    assert seeds_of(session) == [0, 1, 30]
    assert (session.history.at, session.history.shift) == (2, 2)


def test_it_is_one_step_of_its_own_where_all_comes_at_once() -> None:
    session = Session(RANDOM)
    take_entries(session, [IntoField(1, "weights-seed", "1")])
    take_entries(session, [IntoField(2, "weights-seed", "2"), held(3, "30")])
    assert seeds_of(session) == [0, 1, 30]


def test_after_another_step_or_an_undo_it_is_a_step_of_its_own() -> None:
    session = Session(RANDOM)
    take_entries(session, [IntoField(1, "weights-seed", "1"), IntoField(2, "scale", "0.5")])
    take_entries(session, [held(3, "30")])
    assert seeds_of(session) == [0, 1, 1, 30]
    session.step_to(1)
    take_entries(session, [held(4, "0.25", key="scale")])
    assert seeds_of(session) == [0, 1, 1]


def test_an_entry_waits_for_an_older_one_that_another_run_still_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A key is held: Streamlit begins a run while the one before it still ends."""
    session, at_work, has_come, go_on = Session(PIZZA), Event(), Event(), Event()
    first, second = (IntoField(number, "n-tokens", f"{4 + number}") for number in (1, 2))

    def slowly(session: Session, key: str, value: Any, **how: Any) -> None:
        at_work.set()
        assert go_on.wait(10)
        enter_in_sidebar(session, key, value, **how)

    def take_both() -> None:
        session.conversation.hear([first, second])
        has_come.set()
        take_entries(session, [first, second])

    monkeypatch.setitem(take_entries.__globals__, "enter_in_sidebar", slowly)
    with ThreadPoolExecutor() as threads:
        runs = [threads.submit(take_entries, session, [first])]
        assert at_work.wait(10)
        assert session.conversation.taken == 0  # nobody is told of what is not made
        runs.append(threads.submit(take_both))
        assert has_come.wait(10)
        go_on.set()
        for each in runs:
            each.result(10)
    assert [moment.stack.first.n_q for moment in session.history.moments] == [4, 5, 6]
    assert session.conversation.taken == 2


def test_an_entry_that_fails_is_not_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(PIZZA)
    broken, right = IntoField(1, "n-tokens", "5"), IntoField(2, "n-tokens", "6")

    def fail(*_: object, **how: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setitem(take_entries.__globals__, "enter_in_sidebar", fail)
    with pytest.raises(RuntimeError):
        take_entries(session, [broken])
    monkeypatch.undo()
    take_entries(session, [broken, right])
    assert [moment.stack.first.n_q for moment in session.history.moments] == [4, 6]


def test_what_was_refused_goes_when_something_else_changes_the_field() -> None:
    visitor = Visitor("example=pizza").enter("n-tokens", "0")
    assert visitor.complains("The number of tokens must be a whole number from 1")
    visitor.enter("tokens", "A B")
    assert visitor.errors == []
    assert visitor.shows("n-tokens") == 2


@pytest.mark.parametrize(
    ("typed", "way_out"),
    [
        ("2.5", "Leave out the fraction."),
        ("2,5", "Leave out the fraction."),
        ("two", "Write digits, as in 4."),
        ("1_0", "Write digits, as in 4."),
        ("inf", "Write digits, as in 4."),
        ("nan", "Write digits, as in 4."),
    ],
)
def test_what_is_no_whole_number_says_the_way_out(typed: str, way_out: str) -> None:
    with pytest.raises(NumberError, match=way_out):
        whole("d_k", typed)


def test_the_key_of_what_has_gone_is_no_field() -> None:
    assert GONE not in fields(Session(PIZZA))


def test_nothing_new_changes_nothing() -> None:
    session = Session(PIZZA)
    take_entries(session, [])
    assert session.history.last == 0
