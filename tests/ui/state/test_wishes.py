"""What a browser asks for by undo, redo, Back and Forward: each wish once, the newest last."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.ui.state.working import PIZZA, Browser, at_pizza, scale
from ui.blocks.cell_entries import take_entries
from ui.plot import IntoField
from ui.state import Session, open_as_one_change, wishes
from ui.state.address import Address
from ui.state.history import MOST_MOMENTS
from ui.state.wishes import asks_to_step, make_steps, note_wish


@pytest.fixture
def session() -> Session:
    """Three steps from the first example, at the last of them."""
    session = at_pizza()
    for number in (2.0, 3.0, 4.0):
        scale(session, number)
    return session


@pytest.fixture
def browser(session: Session, monkeypatch: pytest.MonkeyPatch) -> Browser:
    browser = Browser(session)
    monkeypatch.setattr(wishes, "reports", browser.reports)
    return browser


def test_a_step_is_made_once_though_the_browser_goes_on_reporting_it(
    session: Session, browser: Browser
) -> None:
    browser.ask_for(2)
    assert asks_to_step(session)
    make_steps(session)
    assert (session.history.at, session.conversation.is_stepping) == (2, True)
    session.step_to(3)
    assert not asks_to_step(session)
    make_steps(session)
    assert (session.history.at, session.conversation.is_stepping) == (3, False)


def test_undo_takes_back_one_step_where_another_was_added_meanwhile(
    session: Session, browser: Browser
) -> None:
    browser.ask_for(2)
    scale(session, 5.0)  # the browser did not know of it
    make_steps(session)
    assert session.scenario.scores.scale == 4.0


def test_undo_waits_for_what_was_entered_before_it(session: Session, browser: Browser) -> None:
    browser.report("go", place=2, shift=session.history.shift, after=1)
    make_steps(session)
    assert (session.history.at, session.conversation.is_stepping) == (3, False)
    session.conversation.taken = 1
    scale(session, 5.0)
    make_steps(session)
    assert (session.history.at, session.scenario.scores.scale) == (3, 4.0)


def test_what_is_entered_after_an_undo_waits_for_it(session: Session, browser: Browser) -> None:
    """On a slow server somebody undoes an entry and makes another before anything is answered."""
    before = session.scenario
    browser.report("go", place=2, shift=session.history.shift, after=1)
    take_entries(session, [IntoField(1, "scale", "0.5"), IntoField(2, "scale", "0.25")])
    assert (session.history.at, session.scenario.scores.scale) == (4, 0.25)
    assert asks_to_step(session)  # what fields report meanwhile is no entry
    make_steps(session)
    assert session.conversation.is_stepping
    assert not asks_to_step(session)
    session.step_to(3)
    assert session.scenario is before


def test_an_undo_before_an_entry_is_one_of_the_whole_page(
    session: Session, browser: Browser
) -> None:
    b = Session(PIZZA, "b")
    session.conversation.address = b.conversation.address = Address(session, b)
    browser.report("go", place=2, shift=session.history.shift, after=0)
    take_entries(session, [IntoField(1, "scale", "0.25")])
    make_steps(session, b)
    assert b.conversation.is_stepping


def test_places_move_when_the_first_moments_are_forgotten(
    session: Session, browser: Browser
) -> None:
    for number in range(MOST_MOMENTS):
        scale(session, 5.0 + number)
    before = session.scenario
    browser.ask_for(session.history.at - 1)
    for number in (0.5, 0.25):
        scale(session, number)
    make_steps(session)
    assert session.history.last == MOST_MOMENTS - 1
    assert session.history.stack_before.first is before


def test_redo_has_nowhere_to_go_after_a_new_step(session: Session, browser: Browser) -> None:
    session.step_to(1)
    browser.ask_for(2)
    scale(session, 5.0)
    make_steps(session)
    assert session.scenario.scores.scale == 5.0


def test_back_and_then_undo_are_both_made_in_their_order(
    session: Session, browser: Browser
) -> None:
    session.conversation.address = Address(session)
    session.conversation.address.remember({"a": "0"})
    session.step_to(1)
    session.conversation.address.remember({"a": "1"})
    session.step_to(3)
    browser.report("visit", address="?a=1&embed=true")
    browser.ask_for(0)
    make_steps(session)
    assert session.scenario is PIZZA


def test_back_is_followed_after_a_run_that_was_stopped_before_it_kept_the_address(
    session: Session, browser: Browser
) -> None:
    page = session.conversation.address = Address(session)
    session.step_to(1)
    page.remember({"a": "1"})
    session.step_to(3)
    session.conversation.keeps_address = False  # as every run begins
    browser.report("visit", address="?a=1")
    make_steps(session)
    assert session.history.at == 1


def test_of_two_runs_at_once_the_later_wish_counts(session: Session, browser: Browser) -> None:
    """The run of the first wish may be overtaken by that of the second one."""
    browser.ask_for(1)
    first = copy.deepcopy(browser.values)
    browser.ask_for(0)
    make_steps(session)
    browser.values = first
    make_steps(session)
    assert session.history.at == 0


def test_a_run_that_takes_the_place_of_a_stopped_one_counts_as_stepping(
    session: Session, browser: Browser
) -> None:
    session.conversation.run = session.conversation.last_whole_run = 7
    browser.ask_for(1)
    make_steps(session)
    session.conversation.run = 8
    make_steps(session)
    assert session.conversation.is_stepping
    session.conversation.run = session.conversation.last_whole_run = 9
    make_steps(session)
    assert not session.conversation.is_stepping


def test_back_leads_both_sessions_of_a_page_and_undo_leads_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, right = at_pizza(), Session(PIZZA, name="b")
    browser = Browser(left)
    monkeypatch.setattr(wishes, "reports", browser.reports)
    page = left.conversation.address = right.conversation.address = Address(left, right)
    start = page.params
    page.remember(start)
    for number in (2.0, 3.0):
        scale(left, number)
        scale(right, number)
    browser.ask_for(1, right)
    assert (asks_to_step(left), asks_to_step(right)) == (False, True)
    make_steps(left, right)
    assert [each.history.at for each in (left, right)] == [2, 1]

    browser.report("visit", address="?" + "&".join(f"{k}={v}" for k, v in start.items()))
    make_steps(left, right)
    assert [each.history.at for each in (left, right)] == [0, 0]
    assert not asks_to_step(left)
    assert not asks_to_step(right)


def test_back_is_no_reason_to_make_a_later_step_of_another_session_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, right = at_pizza(), Session(PIZZA, name="b")
    browser = Browser(left)
    monkeypatch.setattr(wishes, "reports", browser.reports)
    left.conversation.address = right.conversation.address = Address(left, right)
    scale(right, 2.0)
    browser.report("visit", address="?")
    browser.ask_for(0, right)
    right.conversation.heard = browser.number  # its step was made by a run that was faster
    make_steps(left, right)
    assert right.conversation.heard == browser.number
    assert right.history.at == right.history.last  # where Back has led, and no step from there


def test_what_is_asked_for_is_known_to_all_parts_of_the_page_until_a_run_begins(
    session: Session, browser: Browser
) -> None:
    browser.ask_for(1)
    note_wish(session)
    assert session.conversation.is_asked_to_step
    make_steps(session)
    assert not session.conversation.is_asked_to_step


def test_a_page_without_an_address_is_led_nowhere(session: Session, browser: Browser) -> None:
    browser.report("visit", address="?example=two-tokens")
    make_steps(session)
    assert session.history.at == 3


@pytest.mark.parametrize(
    "sent",
    [
        None,
        3,
        {"number": 1, "place": 0, "shift": 0},
        {"session": "of a server before", "number": 1, "place": 0, "shift": 0},
        {"session": "own", "number": "1", "place": 0, "shift": 0},
        {"session": "own", "number": 1, "place": [0], "shift": 0},
        {"session": "own", "number": 1, "place": 0},
        {"session": "own", "number": 1, "address": 7},
        {"session": "own", "number": 1, "place": 0, "shift": 0, "after": "0"},
    ],
)
def test_whatever_else_is_sent_is_no_step(
    session: Session, monkeypatch: pytest.MonkeyPatch, sent: Any
) -> None:
    session.id = "own"
    monkeypatch.setattr(wishes, "reports", lambda: {wishes.HISTORY_KEY: {"go": sent}})
    make_steps(session)
    assert (session.history.at, session.conversation.is_stepping) == (3, False)


def test_a_shared_change_is_undone_by_no_side_where_one_has_forgotten_what_was_before(
    browser: Browser, session: Session
) -> None:
    b = Session(PIZZA, name="b")
    session.conversation.address = b.conversation.address = Address(session, b)
    open_as_one_change((session, b.scenario), (b, session.scenario))
    for number in range(MOST_MOMENTS - 1):
        scale(session, number + 5.0)
    browser.ask_for(-1, session)
    make_steps(session, b)
    assert session.history.at == 0
    assert session.now.shared is b.now.shared is not None


def test_the_side_that_follows_makes_a_step_too(browser: Browser, session: Session) -> None:
    b = Session(PIZZA, name="b")
    session.conversation.address = b.conversation.address = Address(session, b)
    open_as_one_change((session, b.scenario), (b, session.scenario))
    browser.ask_for(session.history.at - 1)
    make_steps(session, b)
    assert b.history.at == 0
    assert session.conversation.is_stepping
    assert b.conversation.is_stepping


def test_a_moment_that_is_shown_again_by_a_new_step_is_shared_with_nobody() -> None:
    session, b = at_pizza(), Session(PIZZA, name="b")
    scale(b, 2.0)
    open_as_one_change((session, b.scenario), (b, session.scenario))
    shared = session.now
    assert shared.shared is b.now.shared is not None
    session.step_to(0)
    scale(session, 3.0)
    session.return_to(shared)
    assert session.scenario is shared.stack.first
    assert session.now.shared is None
