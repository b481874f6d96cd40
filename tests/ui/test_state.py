"""A visitor's session: its history, its memory, what it refuses, and its address."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import find, given
from hypothesis import strategies as st

from mha_core import Scenario
from mha_core.changing.changes import (
    with_dtype,
    with_heads,
    with_heads_off,
    with_matrix,
    with_scores,
    with_tokens,
    with_weights,
    with_width,
)
from mha_core.checks.errors import OptionError
from mha_core.examples import EXAMPLES, load_example
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.scenario.masks import MASKS
from mha_core.scenario.scenario import POSITIONS
from tests.core.any_scenario import assert_same_to_the_last_bit
from ui.edits import entries
from ui.plot import Cell
from ui.state import ROWS, SCORE_STEPS, SECTIONS, Explorer, Moment, View, opened_at
from ui.state import session as session_module
from ui.theme import PALETTES

PIZZA = load_example("pizza")
CELL = Cell("weights/1", 2, 1)


def at_pizza(view: View | None = None) -> Explorer:
    return Explorer([Moment(PIZZA, view or View())])


def scale(session: Explorer, number: float) -> None:
    session.attempt("scale", str(number), lambda s: with_scores(s, scale=number))


def can_undo(session: Explorer) -> bool:
    return session.at > 0


def can_redo(session: Explorer) -> bool:
    return session.at < len(session.history) - 1


def refuse(_: Scenario) -> Scenario:
    raise OptionError("The thing", "must be so", "otherwise", "Do it so.")


def wait_until(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.001)


# ---- steps --------------------------------------------------------------------------------------


def test_what_is_made_while_another_thread_takes_a_step_is_not_shown_after_it() -> None:
    session = at_pizza()

    def make() -> str:
        scale(session, 2.0)
        return "of what was"

    session.once("picture", make)
    assert session.once("picture", lambda: "of what is") == "of what is"


def test_of_entries_that_wait_for_each_other_the_newest_is_made() -> None:
    """A key is held: each stroke has a thread of its own, and the first of them still computes."""
    session, at_work, go_on = at_pizza(), Event(), Event()

    def slowly(s: Scenario) -> Scenario:
        at_work.set()
        assert go_on.wait(10)
        return with_scores(s, scale=2.0)

    with ThreadPoolExecutor() as threads:
        waiting = [threads.submit(session.attempt, "scale", "2", slowly)]
        assert at_work.wait(10)
        for number in (3.0, 4.0):
            before = session._entries["scale"]
            waiting.append(threads.submit(scale, session, number))
            wait_until(lambda before=before: session._entries["scale"] is not before)
        waiting.append(
            threads.submit(session.attempt, "off", {0}, lambda s: with_heads_off(s, {0}))
        )
        go_on.set()
        for each in waiting:
            each.result(10)
    scales = [moment.scenario.scores.scale for moment in session.history]
    assert 3.0 not in scales
    assert (session.scenario.scores.scale, session.scenario.heads_off) == (4.0, {0})


def test_an_address_leads_back_to_what_was_shown_there() -> None:
    session = at_pizza()
    addresses = []
    for number in (2.0, 3.0):
        session.remember_address(session.params)
        addresses.append(session.params)
        scale(session, number)
    session.look_at(head=1)
    session.remember_address(session.params)
    assert session.has_just_shown(session.params)
    picked = session.params
    session.look_at(head=None)
    assert not session.has_just_shown(session.params)
    session.remember_address(session.params)

    session.visit(addresses[1])
    assert (session.at, session.scenario.scores.scale) == (1, 2.0)
    assert session.has_just_shown(addresses[1])  # the browser is there: nothing is to be written
    session.visit(picked)
    assert (session.at, session.view.head) == (2, 1)
    session.visit(addresses[0])
    assert (session.at, session.scenario, len(session.history)) == (0, PIZZA, 3)
    session.visit(addresses[0])
    assert session.at == 0


def test_an_address_from_before_the_session_is_opened_as_a_step() -> None:
    session = at_pizza()
    session.visit({"example": "two-tokens", "head": "2"})
    assert (session.scenario, session.view.head) == (load_example("two-tokens"), 1)
    session.undo()
    assert session.scenario == PIZZA
    session.visit({"example": "nonsense"})
    assert "must be one of" in session.refusals["address"].reason


def test_what_is_forgotten_is_opened_by_its_address() -> None:
    session = at_pizza()
    session.remember_address(session.params)
    scale(session, 2.0)
    session.remember_address(session.params)
    forgotten = session.params
    session.undo()
    scale(session, 3.0)
    session.remember_address(session.params)
    session.visit(forgotten)
    assert (session.scenario.scores.scale, session.at) == (2.0, 2)


def test_an_address_too_short_for_its_scenario_leads_to_it_all_the_same() -> None:
    rng = np.random.default_rng(3)
    large = with_matrix(load_example("eight-tokens-512"), "w_q", rng.standard_normal((512, 512)))
    session = Explorer([Moment(large, View())])
    session.remember_address(session.params)
    short = session.params
    session.open(PIZZA)
    session.remember_address(session.params)
    session.visit(short)
    assert session.scenario is large


@pytest.mark.parametrize(("place", "stands"), [(0, 0), (2, 2), (3, 3), (-5, 0), (99, 3)])
def test_a_session_steps_to_any_moment_that_it_has(place: int, stands: int) -> None:
    session = at_pizza()
    for number in (2.0, 3.0, 4.0):
        scale(session, number)
    session.attempt("heads", 3, refuse)
    session.step_to(place)
    assert (session.at, session.refusals) == (stands, {})


def test_a_change_is_a_step_that_undo_takes_back_and_redo_makes_again() -> None:
    session = at_pizza()
    assert not can_undo(session)
    scale(session, 2.0)
    changed = session.scenario
    session.undo()
    assert (session.scenario, can_undo(session), can_redo(session)) == (PIZZA, False, True)
    session.redo()
    assert session.scenario is changed
    assert (can_undo(session), can_redo(session)) == (True, False)


def test_a_new_step_forgets_what_was_undone() -> None:
    session = at_pizza()
    scale(session, 2.0)
    session.undo()
    scale(session, 3.0)
    assert not can_redo(session)
    assert [moment.scenario.scores.scale for moment in session.history] == ["1/sqrt(d_k)", 3.0]


def test_before_the_first_and_after_the_last_there_is_nothing() -> None:
    session = at_pizza()
    session.undo()
    session.redo()
    assert session.now == Moment(PIZZA, View())


def test_standing_still_is_no_step() -> None:
    session = at_pizza()
    session.attempt("x", None, lambda s: s)
    session.attempt("x", None, lambda s: replace(s))
    session.go_to(view=View())
    assert len(session.history) == 1


def test_a_change_of_view_is_a_step_and_a_glance_is_none() -> None:
    session = at_pizza()
    session.go_to(view=View(decimals=4))
    session.look_at(head=1, cell=CELL)
    assert len(session.history) == 2
    assert session.view == View(decimals=4, head=1, cell=CELL)
    session.undo()
    assert session.view == View()


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
    session.undo()
    assert session.is_changed


def test_a_scenario_that_began_as_no_example_is_reset_to_the_first() -> None:
    session = Explorer([Moment(replace(PIZZA, origin=type(PIZZA.origin)(example="?")), View())])
    assert session.example == "two-tokens"
    assert session.is_changed


# ---- memory -------------------------------------------------------------------------------------


def test_undo_goes_back_two_hundred_steps() -> None:
    session = at_pizza()
    for number in range(250):
        scale(session, float(number))
    assert len(session.history) == session_module.HISTORY == 200
    for _ in range(199):
        session.undo()
    assert (session.scenario.scores.scale, can_undo(session)) == (50.0, False)


def test_moments_share_the_arrays_that_a_change_leaves() -> None:
    session = at_pizza()
    scale(session, 2.0)
    session.attempt("w_q", None, lambda s: with_matrix(s, "w_q", 2 * s.w_q))
    arrays = [moment.scenario.given() for moment in session.history]
    same = {name for name in arrays[0] if len({id(a[name]) for a in arrays}) == 1}
    assert same == set(arrays[0]) - {"w_q"}


def test_history_holds_as_many_large_steps_as_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    one_step = PIZZA.w_q.nbytes
    others = sum(array.nbytes for array in PIZZA.given().values()) - one_step
    monkeypatch.setattr(session_module, "HISTORY_BYTES", others + 5 * one_step)
    session = at_pizza()
    for number in range(9):
        session.attempt("w_q", None, lambda s, n=number: with_matrix(s, "w_q", s.w_q + n + 1))
    assert len(session.history) == 5
    monkeypatch.setattr(session_module, "HISTORY_BYTES", 0)
    scale(session, 2.0)
    assert len(session.history) == 2  # one step back there always is
    session.undo()
    assert session.scenario.scores.scale == "1/sqrt(d_k)"


# ---- computed once ------------------------------------------------------------------------------


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Scenario]:
    calls: list[Scenario] = []
    function = getattr(session_module, name)

    def counting(scenario: Scenario, *more: Any) -> Any:
        calls.append(scenario)
        return function(scenario, *more)

    monkeypatch.setattr(session_module, name, counting)
    return calls


def test_a_change_and_all_that_is_shown_of_it_take_one_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    traces, links = counted(monkeypatch, "attend"), counted(monkeypatch, "link_parameters")
    session = at_pizza()
    scale(session, 2.0)
    for decimals in (3, 4):
        session.go_to(view=View(decimals=decimals))
        session.look_at(head=1)
        assert session.trace.scenario is session.scenario
        assert session.link.endswith(f"&scale=2&decimals={decimals}&head=2")
        assert session.fits_a_link
    assert (len(traces), len(links)) == (1, 1)


def test_what_is_made_once_is_made_again_for_another_scenario() -> None:
    session = at_pizza()
    made: list[object] = []

    def make() -> int:
        made.append(session.scenario)
        return len(made)

    assert [session.once("a", make), session.once("a", make)] == [1, 1]
    scale(session, 2.0)
    assert session.once("a", make) == 2
    session.undo()
    assert session.once("a", make) == 3


# ---- refusals -----------------------------------------------------------------------------------


def test_a_refused_change_leaves_all_as_it_was_and_keeps_what_was_entered() -> None:
    session = at_pizza()
    session.attempt("thing", "typed", refuse)
    assert session.now == Moment(PIZZA, View())
    refused = session.refusals["thing"]
    assert (refused.entered, refused.reason) == (
        "typed",
        "The thing must be so, got otherwise. Do it so.",
    )


def test_a_refusal_stands_until_its_own_entry_is_taken() -> None:
    session = at_pizza()
    session.attempt("thing", "typed", refuse)
    scale(session, 2.0)
    assert set(session.refusals) == {"thing"}
    session.attempt("thing", "better", lambda s: with_scores(s, softcap=3.0))
    assert session.refusals == {}


@pytest.mark.parametrize("leave", [Explorer.undo, Explorer.redo, Explorer.reset])
def test_undo_redo_and_reset_leave_every_refusal_behind(leave: Callable[[Explorer], None]) -> None:
    session = at_pizza()
    session.attempt("thing", "typed", refuse)
    leave(session)
    assert session.refusals == {}


def test_an_output_beyond_the_number_type_is_refused() -> None:
    large = np.full((8, 8), 1e20)
    session = Explorer([Moment(with_dtype(PIZZA, "float32"), View())])
    session.attempt("w", None, lambda s: with_matrix(with_matrix(s, "w_v", large), "w_o", large))
    assert session.refusals["w"].reason.startswith("The output must stay within float32")


def test_more_scores_than_a_page_can_show_are_refused_before_they_are_made() -> None:
    session = at_pizza()
    session.attempt("tokens", "many", lambda s: with_tokens(s, ["a"] * 513))
    assert session.refusals["tokens"].reason.startswith(
        "The number of scores on this page must be at most 524288, got 526338. Take fewer tokens"
    )
    session.attempt("tokens", "some", lambda s: with_tokens(s, ["a"] * 512))
    assert session.scenario.n_q == 512


# ---- the address --------------------------------------------------------------------------------


def opened_elsewhere(session: Explorer) -> Explorer:
    """The session of whoever opens the link in another browser."""
    return opened_at(dict(parse_qsl(session.link, keep_blank_values=True)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_address_of_an_example_is_its_name(name: str) -> None:
    assert Explorer([Moment(load_example(name), View())]).link == f"example={name}"


def test_without_an_address_it_opens_the_first_example() -> None:
    assert opened_at({}).now == Moment(load_example("two-tokens"), View())


def test_what_others_add_to_a_link_does_no_harm() -> None:
    session = opened_at({"example": "pizza", "utm_source": "course", "fbclid": "x"})
    assert (session.scenario, session.refusals) == (PIZZA, {})


def test_what_is_unknown_is_said_and_the_rest_taken() -> None:
    session = opened_at({"example": "pizza", "decimals": "3", "head_count": "4"})
    assert session.now == Moment(PIZZA, View(decimals=3))
    assert session.refusals["address"].reason == (
        "The address must be made of the page's own parameters, got 'head_count'. "
        "The rest is taken; check the spelling."
    )


def test_a_wrong_parameter_of_the_view_leaves_the_others() -> None:
    wrong = {"head": "7", "decimals": "99", "hide": "input", "palette": "mauve"}
    session = opened_at({"example": "pizza", **wrong})
    assert session.now == Moment(PIZZA, View(hide=("input",)))
    reason = session.refusals["address"].reason
    assert all(f"{name} in the address must" in reason for name in ("decimals", "palette", "head"))


def test_a_wrong_scenario_leaves_a_right_view_as_it_is_but_for_what_was_picked() -> None:
    session = opened_at({"example": "nope", "decimals": "4", "hide": "input", "head": "9"})
    assert session.now == Moment(load_example("two-tokens"), View(decimals=4, hide=("input",)))
    assert session.refusals["address"].reason.startswith("The example must be one of")


def test_two_wrongs_are_both_said() -> None:
    reason = opened_at({"example": "nope", "decimals": "x"}).refusals["address"].reason
    assert "The example must be one of" in reason
    assert "decimals in the address must be a whole number from 0 to 6" in reason


def test_an_address_may_pick_only_heads_that_there_are() -> None:
    assert opened_at({"example": "pizza", "head": "2"}).view.head == 1
    reason = opened_at({"example": "pizza", "head": "3"}).refusals["address"].reason
    assert reason.startswith("head in the address must be one of the heads, 1 to 2, got '3'")


def test_the_refused_address_is_forgotten_with_the_next_step() -> None:
    session = opened_at({"example": "nope"})
    scale(session, 2.0)
    assert session.refusals == {}


WORDS = st.lists(
    st.sampled_from(["SO", "good", "é", "<b>", "a=b&c", "~", "+", "%41", "日本", "🍕"]),
    min_size=1,
    max_size=6,
)
SMALL = st.integers(1, 9)
NUMBERS = st.sampled_from(["1/3", "-2,5", "none", "1e-300", "0.1", "7"])
MATRICES = ("x", "w_q", "w_k", "w_v", "w_o")


def edit(s: Scenario, name: str, number: float) -> Scenario:
    array = getattr(s, name).copy()
    array[-1, 0] = number
    return with_matrix(s, name, array)


# Every control with what may be entered there.
WALK: dict[str, tuple[st.SearchStrategy[Any], Callable[[Scenario, Any], Scenario]]] = {
    "tokens": (WORDS, lambda s, words: entries.with_text(s, " ".join(words))),
    "count": (SMALL, entries.with_token_count),
    "context": (
        st.one_of(st.just([]), WORDS),
        lambda s, words: entries.with_second_text(s, " ".join(words)),
    ),
    "d_model": (SMALL, entries.with_d_model),
    "x": (st.sampled_from(sorted(INPUTS)), lambda s, name: entries.with_input(s, name, 5)),
    "heads": (SMALL, entries.with_head_count),
    "kv": (SMALL, entries.with_size("n_kv_heads")),
    "d_k": (SMALL, entries.with_size("d_k")),
    "d_v": (SMALL, entries.with_size("d_v")),
    "weights": (st.sampled_from(sorted(PRESETS)), lambda s, name: entries.with_preset(s, name, 3)),
    "share": (st.booleans(), entries.with_queries_as_keys),
    "rules": (st.lists(st.sampled_from(sorted(MASKS)), unique=True), entries.with_rules),
    "scale": (NUMBERS, entries.with_scale),
    "cap": (NUMBERS, entries.with_softcap),
    "positions": (st.sampled_from(list(POSITIONS)), lambda s, p: with_scores(s, positions=p)),
    "start": (SMALL, lambda s, start: with_scores(s, query_start=start)),
    "off": (st.sets(st.integers(0, 3)), lambda s, heads: with_heads_off(s, heads)),
    "edit": (
        st.tuples(st.sampled_from(MATRICES), st.floats(-1e9, 1e9)),
        lambda s, edited: edit(s, *edited),
    ),
}

VIEWS = st.builds(
    View,
    decimals=st.integers(0, 6),
    shared_scale=st.booleans(),
    values=st.booleans(),
    palette=st.sampled_from(sorted(PALETTES)),
    scores=st.sampled_from(SCORE_STEPS),
    rows=st.sets(st.sampled_from(ROWS), min_size=1).map(
        lambda rows: tuple(row for row in ROWS if row in rows)
    ),
    cell=st.one_of(st.none(), st.builds(Cell, st.sampled_from(["w_o", "weights/1"]), SMALL, SMALL)),
    hide=st.sets(st.sampled_from(SECTIONS)).map(
        lambda hidden: tuple(section for section in SECTIONS if section in hidden)
    ),
)


@given(st.sampled_from(["pizza", "two-tokens", "translation", "grouped-query"]), st.data())
def test_wherever_a_walk_over_the_controls_leads_its_link_leads_too(
    example: str, data: st.DataObject
) -> None:
    session = Explorer([Moment(load_example(example), View())])
    for control in data.draw(st.lists(st.sampled_from(sorted(WALK)), min_size=1, max_size=8)):
        values, change = WALK[control]
        entered = data.draw(values, label=control)
        session.attempt(control, entered, lambda s, c=change, e=entered: c(s, e))
    head = data.draw(st.one_of(st.none(), st.integers(0, session.scenario.n_heads - 1)))
    session.go_to(view=replace(data.draw(VIEWS), head=head))
    elsewhere = opened_elsewhere(session)
    assert elsewhere.refusals == {}
    assert_same_to_the_last_bit(elsewhere.scenario, session.scenario)
    assert elsewhere.view == session.view
    assert elsewhere.link == session.link


@pytest.mark.parametrize("control", WALK)
def test_every_control_of_the_walk_can_take_a_step(control: str) -> None:
    """A walk that is refused everywhere would prove nothing."""
    values, change = WALK[control]

    def is_a_step(entered: Any) -> bool:
        session = at_pizza()
        session.attempt(control, entered, lambda s: change(s, entered))
        return can_undo(session)

    find(values, is_a_step)


def test_a_state_too_large_for_a_link_leaves_the_address_its_view() -> None:
    wide = with_weights(with_width(PIZZA, 64), "random")
    session = Explorer([Moment(wide, View(decimals=4))])
    assert session.fits_a_link
    drawn = np.random.default_rng(2).standard_normal((64, 64))
    session.attempt("w_q", None, lambda s: with_matrix(s, "w_q", drawn))
    assert not session.fits_a_link
    assert session.params == {"decimals": "4"}
    assert len(opened_elsewhere(session).scenario.tokens) == 2  # the first example


def test_the_limit_of_a_link_is_on_the_text_as_it_is_quoted() -> None:
    session = at_pizza()
    session.attempt("tokens", None, lambda s: with_tokens(s, ["é" * 200] * 4))  # 6 signs a letter
    assert session.fits_a_link
    session.attempt("tokens", None, lambda s: with_tokens(s, ["é" * 200] * 6))
    assert not session.fits_a_link


def test_even_the_smallest_scenario_has_an_address_of_its_own() -> None:
    session = opened_at({"tokens": "t1"})
    assert session.params == {"tokens": "t1"}
    assert_same_to_the_last_bit(opened_elsewhere(session).scenario, session.scenario)


def test_a_layer_far_too_large_for_a_link_is_still_shown() -> None:
    session = Explorer([Moment(load_example("pizza-1024"), View())])
    session.attempt("share", True, lambda s: entries.with_queries_as_keys(s, share=True))
    assert can_undo(session)
    assert not session.fits_a_link
