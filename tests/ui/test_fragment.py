"""What a fragment answers by itself, and what it leaves to the whole page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from mha_core.changing.changes import with_heads
from mha_core.checks.errors import OptionError
from mha_core.layer.cells import Cell
from mha_core.scenario.scenario import Scenario
from tests.ui.state.working import at_pizza
from ui.controls import fragment
from ui.controls.fragment import leave_to_whole_page
from ui.state import Session, View, answered_now


@dataclass
class Page:
    """A page whose last run came to its end, and one of its fragments."""

    session: Session
    rerun: Mock
    context: SimpleNamespace
    has_receipt: bool = True

    def is_left_to_whole_page(self) -> bool:
        """Whether the fragment, which answers picks of heads, only asks for the whole page."""
        self.rerun.reset_mock()
        leave_to_whole_page(self.session, "head")
        return self.rerun.called


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    session = at_pizza(View())
    session.conversation.answered = answered_now(session)
    context = SimpleNamespace(fragment_ids_this_run=["of the heads"])
    page = Page(session, Mock(), context)
    monkeypatch.setattr(fragment.st, "rerun", page.rerun)
    monkeypatch.setattr(fragment, "get_script_run_ctx", lambda **_: page.context)
    monkeypatch.setattr(fragment, "has_receipt", lambda _: page.has_receipt)
    return page


def test_a_picked_cell_and_its_own_fields_are_answered_by_a_fragment(page: Page) -> None:
    page.session.pick(Cell.of_matrix("x", 0, 0))
    page.session.look_at(head=1)
    assert not page.is_left_to_whole_page()
    page.session.look_at(page=2)
    assert page.is_left_to_whole_page()


def test_what_one_fragment_has_answered_is_answered_for_the_others(page: Page) -> None:
    page.session.look_at(head=1)
    leave_to_whole_page(page.session, "head")
    leave_to_whole_page(page.session, "page")
    assert not page.rerun.called


def refuse(s: Scenario) -> Scenario:
    raise OptionError("X", "must be smaller", "more", "Take less.")


def take_an_entry(session: Session) -> None:
    session.conversation.taken = 1


def ask_for_inputs(session: Session) -> None:
    session.conversation.is_asked_for_inputs = True


@pytest.mark.parametrize(
    "happens",
    [
        lambda session: session.attempt("heads", 1, lambda s: with_heads(s, 1)),
        lambda session: session.attempt("x", "abc", refuse),
        take_an_entry,
        lambda session: session.change_view(decimals=3),
        lambda session: session.look_at(unfolded=("into",)),
        ask_for_inputs,
    ],
    ids=["a change", "a refusal", "an entry", "another look", "a fold", "a drag begins"],
)
def test_all_else_is_left_to_the_whole_page(
    page: Page, happens: Callable[[Session], object]
) -> None:
    happens(page.session)
    assert page.is_left_to_whole_page()


@pytest.mark.parametrize("is_asked", [False, True])
def test_undo_is_left_to_the_whole_page(page: Page, *, is_asked: bool) -> None:
    page.session.conversation.is_asked_to_step = is_asked
    assert page.is_left_to_whole_page() == is_asked


@pytest.mark.parametrize("has_receipt", [False, True])
@pytest.mark.parametrize("runs_alone", [False, True])
def test_a_run_that_the_browser_has_no_receipt_for_is_run_again(
    page: Page, *, has_receipt: bool, runs_alone: bool
) -> None:
    page.has_receipt = has_receipt
    page.context.fragment_ids_this_run = ["of the examples"] if runs_alone else None
    assert page.is_left_to_whole_page() == (runs_alone and not has_receipt)


def test_before_any_run_has_come_to_its_end_the_whole_page_runs(page: Page) -> None:
    page.session.conversation.answered = None
    assert page.is_left_to_whole_page()


def test_in_a_run_of_numbers_a_fragment_leaves_nothing_to_the_page(page: Page) -> None:
    page.session.attempt("x", "abc", refuse)
    page.session.conversation.follows_numbers = True
    assert not page.is_left_to_whole_page()


def test_within_another_fragment_it_does_not_run_alone(page: Page) -> None:
    page.session.attempt("x", "abc", refuse)
    with fragment.LINE.turn(), fragment.LINE.turn():
        assert not page.is_left_to_whole_page()


def page_with_a_part_that_fails() -> None:
    import streamlit as st

    from ui.controls.fragment import WORDS, follows_numbers

    @follows_numbers(WORDS)
    def part(_: object) -> None:
        raise ValueError("It fails.")

    part(st.session_state["session"])


def test_where_a_part_of_a_run_of_numbers_fails_it_is_one_no_more() -> None:
    session = at_pizza()
    session.conversation.follows_numbers = True
    at = AppTest.from_function(page_with_a_part_that_fails)
    at.session_state["session"] = session
    assert at.run().exception
    assert not session.conversation.follows_numbers


def page_that_came_before_the_entry() -> None:
    import streamlit as st

    from ui.controls.fragment import run_what_follows_numbers

    st.button("A late entry", on_click=run_what_follows_numbers)
    st.text("All of the page")


def test_where_another_page_has_come_before_a_number_all_of_it_runs() -> None:
    at = AppTest.from_function(page_that_came_before_the_entry).run()
    at.button[0].click().run()
    assert not at.exception
    assert [text.value for text in at.text] == ["All of the page"]


def test_a_refusal_whose_reason_changes_is_told_anew(page: Page) -> None:
    page.session.attempt("x", "abc", refuse)
    page.session.conversation.answered = answered_now(page.session)
    assert not page.is_left_to_whole_page()
    page.session.attempt("x", "abc", refuse)
    assert page.is_left_to_whole_page()
