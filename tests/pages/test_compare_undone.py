"""What was done to both sides of a comparison is undone on both."""

from __future__ import annotations

import pytest

from mha_core import Scenario
from tests.pages.comparison import BOTH, Comparison
from tests.ui.state.working import Browser
from ui.state import Session, wishes


class Steps:
    """Undo and redo as a browser asks for them, and what both sides are after each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.page = Comparison(BOTH)
        self.browser = Browser(self.page.a, self.page.b)
        monkeypatch.setattr(wishes, "reports", self.browser.reports)

    @property
    def sides(self) -> tuple[Scenario, Scenario]:
        return self.page.a.scenario, self.page.b.scenario

    def swap(self) -> None:
        self.page.click("a-swap")

    def go(self, session: Session, by: int) -> tuple[Scenario, Scenario]:
        """So many steps on, or back where `by` is below 0; the browser asks only for their end."""
        self.browser.ask_for(session.history.at + by, session)
        self.page.run()
        return self.sides


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return Steps(monkeypatch)


def test_undo_of_a_swap_is_undo_on_both_sides_whichever_is_chosen(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    page = steps.page
    for session in (page.b, page.a):
        assert steps.go(session, -1) == before
        assert steps.go(session, +1) == before[::-1]
    assert (page.a.history.at, page.b.history.at) == (1, 1)


def test_a_change_after_a_swap_is_undone_alone_and_the_swap_as_a_whole(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    page = steps.page.enter("b-enter-scale", "0.5")
    after = steps.sides
    assert steps.go(page.b, -1) == before[::-1]
    assert steps.go(page.b, -1) == before
    assert steps.go(page.b, +2) == after
    assert steps.go(page.b, -2) == before


def test_two_swaps_are_undone_one_by_one_or_at_once(steps: Steps) -> None:
    before = steps.sides
    for _ in range(2):
        steps.swap()
    assert steps.go(steps.page.b, -1) == before[::-1]
    assert steps.go(steps.page.a, -1) == before
    assert steps.go(steps.page.a, +2) == before
    assert [session.history.at for session in (steps.page.a, steps.page.b)] == [2, 2]
    assert steps.go(steps.page.b, -2) == before
    assert [session.history.at for session in (steps.page.a, steps.page.b)] == [0, 0]


def test_a_side_that_was_changed_since_the_swap_keeps_its_change(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    page = steps.page.enter("a-side", "A").enter("a-enter-scale", "0.5")
    changed = page.a.scenario
    assert steps.go(page.b, -1) == (changed, before[1])
    assert steps.go(page.a, -2) == before  # B has undone it before
    assert steps.go(page.a, +1) == before[::-1]


def test_how_numbers_are_shown_stays_when_a_swap_is_undone_on_the_other_side(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.a.change_view(decimals=5)
    assert steps.go(steps.page.b, -1) == before
    assert (steps.page.a.view.decimals, steps.page.b.view.decimals) == (5, 5)


def test_undo_of_b_becomes_a_leaves_a_alone(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.click("a-copy")
    assert steps.go(steps.page.b, -1) == before[::-1]


def test_undo_on_a_takes_back_what_became_of_b_and_then_the_swap(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.click("a-copy")
    copied = steps.sides
    assert steps.go(steps.page.a, -1) == before[::-1]
    assert steps.go(steps.page.a, -1) == before
    assert steps.go(steps.page.a, +2) == copied


def test_undo_on_a_takes_back_a_question_that_was_asked_of_it(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.enter("a-ask-of-a", True)
    steps.page.ask("grouped")
    assert steps.page.b.scenario not in before
    assert steps.go(steps.page.a, -1) == before[::-1]


def test_a_step_of_a_in_which_b_has_nothing_to_take_back_is_passed_over(steps: Steps) -> None:
    before = steps.sides
    steps.swap()
    steps.page.click("a-copy")
    page = steps.page.enter("b-enter-scale", "0.5")
    changed = page.b.scenario
    assert steps.go(page.a, -1) == (before[0], changed)
    assert steps.go(page.a, +1) == (before[1], changed)
    assert page.a.history.at == 1


def test_b_that_is_a_already_gives_nothing_to_take_back(steps: Steps) -> None:
    for _ in range(2):
        steps.page.click("a-copy")
    assert [session.history.last for session in (steps.page.a, steps.page.b)] == [1, 1]


def test_what_reset_leads_back_to_stays_where_b_becomes_a(steps: Steps) -> None:
    page = steps.page.enter("a-side", "A").enter("a-enter-scale", "0.5")
    began = page.a.now.opened
    assert page.click("a-copy").a.now.opened is began


def test_undo_of_a_question_brings_both_sides_back(steps: Steps) -> None:
    before = steps.sides
    steps.page.ask("grouped")
    asked = steps.sides
    assert steps.go(steps.page.b, -1) == before
    assert steps.go(steps.page.b, +1) == asked
