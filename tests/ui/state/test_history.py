"""The history of a session: its steps, undo and redo, and the memory that it may take."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakSet

import pytest

from mha_core import Scenario
from mha_core.changing.changes import with_heads, with_matrix
from mha_core.examples import DEFAULT_EXAMPLE, load_example
from mha_core.layer.cells import Cell
from tests.core.strategies import self_attention
from tests.running_page import redo, undo
from tests.ui.state.working import PIZZA, at_pizza, can_redo, can_undo, refuse, scale
from ui.state import Moment, Session, View, history

WIDE = load_example("pizza-1024")
CELL = Cell("weights", 1, 2, 1)


@pytest.mark.parametrize(("place", "stands"), [(0, 0), (2, 2), (3, 3), (-5, 0), (99, 3)])
def test_a_session_steps_to_any_moment_that_it_has(place: int, stands: int) -> None:
    session = at_pizza()
    for number in (2.0, 3.0, 4.0):
        scale(session, number)
    session.attempt("heads", 3, refuse)
    session.step_to(place)
    assert (session.history.at, session.refusals) == (stands, {})


def test_a_change_is_a_step_that_undo_takes_back_and_redo_makes_again() -> None:
    session = at_pizza()
    assert not can_undo(session)
    scale(session, 2.0)
    changed = session.scenario
    undo(session)
    assert (session.scenario, can_undo(session), can_redo(session)) == (PIZZA, False, True)
    redo(session)
    assert session.scenario is changed
    assert (can_undo(session), can_redo(session)) == (True, False)


def after_a_reload(before: Session, scenario: Scenario, view: View | None = None) -> Session:
    before.leave()
    session = Session(scenario, view)
    session.go_on_from(before)
    return session


def test_after_a_reload_undo_redo_and_reset_lead_where_they_led() -> None:
    before = at_pizza()
    for number in (2.0, 3.0, 4.0):
        scale(before, number)
    undo(before)
    reloaded = after_a_reload(before, before.scenario, View(decimals=3))
    assert (reloaded.view.decimals, reloaded.history.shift) == (3, 2)
    redo(reloaded)
    assert reloaded.scenario.scores.scale == 4.0
    for number in (3.0, 2.0):
        undo(reloaded)
        assert reloaded.scenario.scores.scale == number
    scale(reloaded, 5.0)
    reloaded.reset()
    assert reloaded.scenario == PIZZA
    assert before.history.last == 3  # another tab may go on from it too


def test_what_was_brought_back_goes_on_too_unless_more_was_done() -> None:
    before = at_pizza()
    scale(before, 2.0)
    before.leave()
    brought_back, changed = Session(load_example("two-tokens")), Session(PIZZA)
    brought_back.open(before.scenario)
    scale(changed, 3.0)
    scale(changed, 2.0)
    for each in (brought_back, changed):
        each.go_on_from(before, steps=1)
    undo(brought_back)
    assert brought_back.scenario == PIZZA
    undo(changed)
    assert changed.scenario.scores.scale == 3.0


def test_a_page_goes_on_from_no_other_state_visitor_or_side_and_not_once_it_was_used() -> None:
    before = at_pizza()
    scale(before, 2.0)
    assert not can_undo(after_a_reload(before, PIZZA))
    beside = Session(before.scenario, name="b")
    beside.go_on_from(before)
    used = Session(before.scenario)
    scale(used, 3.0)
    used.go_on_from(before)
    before.come_back()
    second_tab = Session(before.scenario)
    second_tab.go_on_from(before)
    assert [each.history.last for each in (beside, used, second_tab)] == [0, 1, 0]


def test_the_scenario_before_the_last_change_is_known_whatever_the_view_did() -> None:
    session = at_pizza()
    assert session.history.stack_before.first is PIZZA  # nothing has changed
    scale(session, 2.0)
    changed = session.scenario
    session.change_view(decimals=3)
    assert session.history.stack_before.first is PIZZA
    scale(session, 3.0)
    session.change_view(palette="teal")
    assert session.history.stack_before.first is changed
    undo(session)
    undo(session)
    assert session.scenario is changed
    assert session.history.stack_before.first is PIZZA
    session.reset()
    assert (session.scenario, session.history.stack_before.first) == (PIZZA, changed)


def test_undo_leaves_the_head_that_is_looked_at_while_it_is_there() -> None:
    session = at_pizza(View(head=0))
    scale(session, 2.0)
    session.look_at(head=1)
    undo(session)
    assert session.view.head == 1
    session.look_at(head=0)
    session.attempt("heads", 4, lambda s: with_heads(s, 4))
    session.look_at(head=3)
    undo(session)  # to two heads
    assert session.view.head == 0


def test_a_new_step_forgets_what_was_undone() -> None:
    session = at_pizza()
    scale(session, 2.0)
    undo(session)
    scale(session, 3.0)
    assert not can_redo(session)
    assert [moment.stack.first.scores.scale for moment in session.history.moments] == [
        "1/sqrt(d_k)",
        3.0,
    ]


def test_before_the_first_and_after_the_last_there_is_nothing() -> None:
    session = at_pizza()
    undo(session)
    redo(session)
    assert session.now == Moment.of(PIZZA, View())


def test_standing_still_is_no_step() -> None:
    session = at_pizza()
    session.attempt("x", None, lambda s: s)
    session.attempt("x", None, lambda s: replace(s))
    session.go_to(view=View())
    assert len(session.history.moments) == 1


def test_a_change_of_view_is_a_step_and_a_glance_is_none() -> None:
    session = at_pizza()
    session.go_to(view=View(decimals=4))
    session.look_at(head=1, cell=CELL)
    assert len(session.history.moments) == 2
    assert session.view == View(decimals=4, head=1, cell=CELL)
    undo(session)
    assert session.view == View(head=1)  # the head is still looked at


def test_what_was_picked_stays_while_the_sizes_do() -> None:
    session = at_pizza(View(head=1, cell=CELL))
    scale(session, 2.0)
    assert session.view == View(head=1, cell=CELL)
    session.attempt("heads", 4, lambda s: with_heads(s, 4))
    assert session.view == View(head=1)  # cells have moved
    session.attempt("heads", 1, lambda s: with_heads(s, 1))
    assert session.view == View()  # the head has gone


def test_reset_is_a_step_back_to_the_example_and_keeps_the_view() -> None:
    session = at_pizza(View(decimals=4))
    scale(session, 2.0)
    assert session.is_changed
    session.reset()
    assert (session.scenario, session.view, session.is_changed) == (PIZZA, View(decimals=4), False)
    undo(session)
    assert session.is_changed


def test_a_scenario_that_began_as_no_example_counts_as_a_change_of_the_first() -> None:
    session = Session(replace(PIZZA, origin=type(PIZZA.origin)(example="?")))
    assert session.example == DEFAULT_EXAMPLE
    assert session.is_changed


def test_undo_goes_back_two_hundred_steps() -> None:
    session = at_pizza()
    for number in range(250):
        scale(session, float(number))
    assert len(session.history.moments) == history.MOST_MOMENTS == 200
    for _ in range(199):
        undo(session)
    assert (session.scenario.scores.scale, can_undo(session)) == (50.0, False)


def test_moments_share_the_arrays_that_a_change_leaves() -> None:
    session = at_pizza()
    scale(session, 2.0)
    session.attempt("w_q", None, lambda s: with_matrix(s, "w_q", 2 * s.w_q))
    arrays = [moment.stack.first.given() for moment in session.history.moments]
    same = {name for name in arrays[0] if len({id(a[name]) for a in arrays}) == 1}
    assert same == set(arrays[0]) - {"w_q"}


def test_history_holds_as_many_large_steps_as_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    # The present moment does not count; what was opened does.
    monkeypatch.setattr(history, "MOST_BYTES", 6 * PIZZA.w_q.nbytes)
    session = at_pizza()
    for number in range(9):
        session.attempt("w_q", None, lambda s, n=number: with_matrix(s, "w_q", s.w_q + n + 1))
    assert len(session.history.moments) == 6
    monkeypatch.setattr(history, "MOST_BYTES", 0)
    scale(session, 2.0)
    assert len(session.history.moments) == 2  # one step back there always is
    undo(session)
    assert session.scenario.scores.scale == "1/sqrt(d_k)"


def edit(session: Session, number: float, array: str = "w_q") -> None:
    def change(s: Scenario) -> Scenario:
        numbers = s.given()[array].copy()
        numbers[0, 0] = number
        return with_matrix(s, array, numbers)

    session.attempt(array, None, change)


def test_undo_reaches_two_hundred_steps_at_a_large_width() -> None:
    session = Session(self_attention(8, 256, 8))
    for number in range(250):
        edit(session, float(number), ("w_q", "w_k", "x")[number % 3])
    assert len(session.history.moments) == 200
    assert session.history.nbytes < 2**26  # half a MB a step would be 100 MB
    was = {session.history.at: session.scenario.w_q[0, 0]}
    session.step_to(0)
    assert [session.scenario.given()[name][0, 0] for name in ("w_q", "w_k", "x")] == [48, 49, 50]
    session.step_to(199)
    assert session.scenario.w_q[0, 0] == was[199] == 249


def test_two_hundred_steps_fit_at_the_largest_width() -> None:
    session = Session(WIDE)
    took = []
    for number in range(12):
        edit(session, float(number), ("w_q", "w_k", "x")[number % 3])
        took.append(session.history.nbytes)
    a_step = (took[-1] - took[-4]) / 3
    assert took[-1] + 200 * a_step < 2**26  # 8 MB a step would be 1.6 GB


def test_the_moments_nearby_are_as_they_were() -> None:
    session = Session(WIDE)
    for number in range(10):
        edit(session, float(number))
    packed = [moment.kept.is_packed for moment in session.history.moments]
    assert packed == 7 * [True] + 4 * [False]
    session.step_to(0)
    packed = [moment.kept.is_packed for moment in session.history.moments]
    assert packed[1:4] + packed[4:] == 3 * [True] + 7 * [True]
    assert session.scenario is session.scenario  # the present one has come back, for good


def test_a_moment_that_was_packed_is_still_the_same() -> None:
    session = Session(WIDE)
    for number in range(6):
        edit(session, float(number))
    first = session.history.moments[0]
    session.history.rest()
    session.return_to(replace(first))
    assert session.history.at == 0
    session.reset()
    assert session.history.at == 0  # it is what was opened


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions of other tests may not have gone yet."""
    monkeypatch.setattr(history, "_ALL", WeakSet())


@pytest.mark.usefixtures("alone")
def test_all_histories_together_have_a_limit_and_the_oldest_moment_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    older = at_pizza()
    for number in range(5):
        edit(older, 10.0 + number)
    newer = at_pizza()
    for number in range(5):
        edit(newer, 10.0 + number)
    limit = history.bytes_of_all()  # the next moment will be one too many
    monkeypatch.setattr(history, "MOST_BYTES_OF_ALL", limit)
    shift = older.history.shift
    edit(newer, 7.0)
    assert history.bytes_of_all() <= limit
    # Of the first two, one is what was opened: it stays, for Reset.
    assert (len(older.history.moments), len(newer.history.moments)) == (4, 7)
    assert (older.history.at, older.history.shift) == (3, shift - 2)
    undo(older)
    assert older.scenario.w_q[0, 0] == 13.0  # undo leads on from where it was
    monkeypatch.setattr(history, "MOST_BYTES_OF_ALL", 0)
    edit(newer, 8.0)
    assert (len(newer.history.moments), older.history.at) == (2, 1)


@pytest.mark.usefixtures("alone")
def test_a_limit_of_all_packs_first_and_forgets_then(monkeypatch: pytest.MonkeyPatch) -> None:
    idle, busy = Session(WIDE), Session(WIDE)
    for number in range(5):
        edit(idle, float(number))
    monkeypatch.setattr(history, "MOST_BYTES_OF_ALL", 2**22)
    edit(busy, 1.0)
    assert len(idle.history.moments) == 6
    assert [moment.kept.is_packed for moment in idle.history.moments] == 5 * [True] + [False]


@pytest.mark.usefixtures("alone")
def test_the_history_of_a_visitor_who_has_gone_counts_no_more() -> None:
    session = at_pizza()
    edit(session, 10.0)
    edit(session, 11.0)
    before = history.bytes_of_all()
    own = session.history.nbytes
    assert own > 0
    del session
    assert history.bytes_of_all() == before - own
