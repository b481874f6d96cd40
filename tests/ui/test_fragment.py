"""What a fragment answers by itself, and what it leaves to the whole page."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from mha_core.changing.changes import with_heads
from mha_core.checks.errors import OptionError
from mha_core.layer.cells import Cell
from mha_core.scenario.scenario import Scenario
from tests.ui.state.working import at_pizza
from ui.controls import fragment
from ui.controls.fragment import answered, leave_to_whole_page
from ui.state import Session, View


@pytest.fixture
def session() -> Session:
    return at_pizza(View())


def test_a_picked_cell_and_its_own_fields_are_answered_by_a_fragment(session: Session) -> None:
    known = answered(session, "head")
    session.pick(Cell.of_matrix("x", 0, 0))
    session.look_at(head=1)
    assert answered(session, "head") == known
    assert answered(session) != known


def refuse(s: Scenario) -> Scenario:
    raise OptionError("X", "must be smaller", "more", "Take less.")


def ask_for_inputs(session: Session) -> None:
    session.is_asked_for_inputs = True


@pytest.mark.parametrize(
    "happens",
    [
        lambda session: session.attempt("heads", 1, lambda s: with_heads(s, 1)),
        lambda session: session.attempt("x", "abc", refuse),
        lambda session: session.is_new_entry(1),
        lambda session: session.change_view(decimals=3),
        lambda session: session.look_at(unfolded=("into",)),
        ask_for_inputs,
    ],
    ids=["a change", "a refusal", "an entry", "another look", "a fold", "a drag begins"],
)
def test_all_else_is_left_to_the_whole_page(
    session: Session, happens: Callable[[Session], object]
) -> None:
    known = answered(session, "head")
    happens(session)
    assert answered(session, "head") != known


@pytest.mark.parametrize("is_asked", [False, True])
def test_undo_is_left_to_the_whole_page(
    session: Session, monkeypatch: pytest.MonkeyPatch, *, is_asked: bool
) -> None:
    rerun = Mock()
    monkeypatch.setattr(fragment.st, "rerun", rerun)
    session.is_asked_to_step = is_asked
    leave_to_whole_page(session, answered(session))
    assert rerun.called == is_asked


@pytest.mark.parametrize("has_receipt", [False, True])
@pytest.mark.parametrize("runs_alone", [False, True])
def test_a_run_that_the_browser_has_no_receipt_for_is_run_again(
    session: Session, monkeypatch: pytest.MonkeyPatch, *, has_receipt: bool, runs_alone: bool
) -> None:
    rerun = Mock()
    context = SimpleNamespace(fragment_ids_this_run=["of the examples"] if runs_alone else None)
    monkeypatch.setattr(fragment.st, "rerun", rerun)
    monkeypatch.setattr(fragment, "get_script_run_ctx", lambda **_: context)
    monkeypatch.setattr(fragment, "has_receipt", lambda _: has_receipt)
    leave_to_whole_page(session, answered(session))
    assert rerun.called == (runs_alone and not has_receipt)


def test_a_refusal_whose_reason_changes_is_told_anew(session: Session) -> None:
    session.attempt("x", "abc", refuse)
    known = answered(session)
    assert answered(session) == known
    session.attempt("x", "abc", refuse)
    assert answered(session) != known
