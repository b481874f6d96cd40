"""A visitor's session: who changes it at the same time, what is made once, what is refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.changing.changes import (
    with_dtype,
    with_heads,
    with_heads_off,
    with_mask_cells_toggled,
    with_matrix,
    with_scores,
    with_tokens,
)
from mha_core.examples import load_example
from tests.running_page import redo, undo
from tests.ui.state.working import PIZZA, at_pizza, refuse, scale
from ui.edits import page_limits
from ui.state import Moment, Session, View, fits_a_link, in_words, link_of, opened_at


def wait_until(is_so: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < give_up
        time.sleep(0.001)


def test_what_pictures_are_compared_with_is_made_once() -> None:
    session = at_pizza()
    scale(session, 2.0)
    scale(session, 3.0)
    assert session.compared_with("off") is None
    before, example = session.compared_with("before"), session.compared_with("example")
    assert before is not None
    assert before.scenario.scores.scale == 2.0
    assert example is not None
    assert example.scenario is PIZZA
    assert session.compared_with("before") is before
    session.reset()
    assert session.compared_with("example") is session.trace  # it is the example


def test_what_is_made_while_another_thread_takes_a_step_is_not_shown_after_it() -> None:
    session = at_pizza()

    def make() -> str:
        scale(session, 2.0)
        return "of what was"

    session.make_once("picture", make)
    assert session.make_once("picture", lambda: "of what is") == "of what is"


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
    scales = [moment.stack.first.scores.scale for moment in session.history.moments]
    assert 3.0 not in scales
    assert (session.scenario.scores.scale, session.scenario.heads_off) == (4.0, {0})


def counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[Scenario]:
    calls: list[Scenario] = []
    function = getattr(module, name)

    def counting(scenario: Scenario, *more: Any) -> Any:
        calls.append(scenario)
        return function(scenario, *more)

    monkeypatch.setattr(module, name, counting)
    return calls


def test_a_change_and_all_that_is_shown_of_it_take_one_trace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    traces = counted(monkeypatch, page_limits, "attend")
    links = counted(monkeypatch, in_words, "stack_parameters")
    session = at_pizza()
    scale(session, 2.0)
    for decimals in (3, 4):
        session.change_view(decimals=decimals)
        session.look_at(head=1)
        assert session.trace.scenario is session.scenario
        assert link_of(session).endswith(f"&scale=2&decimals={decimals}&head=2")
        assert fits_a_link(session)
    assert (len(traces), len(links)) == (1, 1)


def test_what_is_made_once_is_made_again_for_another_scenario() -> None:
    session = at_pizza()
    made: list[object] = []

    def make() -> int:
        made.append(session.scenario)
        return len(made)

    assert [session.make_once("a", make), session.make_once("a", make)] == [1, 1]
    scale(session, 2.0)
    assert session.make_once("a", make) == 2
    undo(session)
    assert session.make_once("a", make) == 3


def test_a_refused_change_leaves_all_as_it_was_and_keeps_what_was_entered() -> None:
    session = at_pizza()
    session.attempt("thing", "typed", refuse)
    assert session.now == Moment.of(PIZZA, View())
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


@pytest.mark.parametrize("leave", [undo, redo, Session.reset])
def test_undo_redo_and_reset_leave_every_refusal_behind(leave: Callable[[Session], None]) -> None:
    session = at_pizza()
    session.attempt("thing", "typed", refuse)
    leave(session)
    assert session.refusals == {}


def test_an_output_beyond_the_number_type_is_refused() -> None:
    large = np.full((8, 8), 1e20)
    session = Session(with_dtype(PIZZA, "float32"))
    session.attempt("w", None, lambda s: with_matrix(with_matrix(s, "w_v", large), "w_o", large))
    assert session.refusals["w"].reason.startswith("The output must stay within float32")


def test_more_scores_than_a_page_can_show_are_refused_before_they_are_made() -> None:
    session = at_pizza()
    session.attempt("tokens", "many", lambda s: with_tokens(s, ["a"] * 513))
    assert session.refusals["tokens"].reason.startswith(
        "X must have at most 512 rows with 2 heads on this page, got 513. Take fewer tokens"
    )
    session.attempt("tokens", "some", lambda s: with_tokens(s, ["a"] * 512))
    assert session.scenario.n_q == 512


# ---- what was opened ----------------------------------------------------------------------------


def test_reset_leads_to_the_numbers_of_the_link_that_was_opened() -> None:
    session = opened_at({"example": "pizza", "x.cells": "0_0_7"})
    opened = session.scenario
    assert opened != PIZZA
    scale(session, 2.0)
    session.reset()
    assert session.scenario == opened
    session.open(load_example("two-tokens"))
    scale(session, 3.0)
    session.reset()
    assert session.scenario == load_example("two-tokens")


def test_reset_after_undo_leads_to_what_that_moment_began_with() -> None:
    session = at_pizza()
    scale(session, 2.0)
    session.open(load_example("two-tokens"))
    undo(session)
    session.reset()
    assert session.scenario == PIZZA


def test_opening_leaves_every_refusal_behind_and_a_file_that_cannot_be_read_none() -> None:
    def broken() -> Scenario:
        return refuse(PIZZA)

    session = at_pizza()
    session.attempt("thing", "typed", refuse)
    session.attempt_to_open("file", "a.json", broken)
    assert set(session.refusals) == {"thing", "file"}
    assert session.scenario is PIZZA
    session.attempt_to_open("file", "b.json", lambda: load_example("two-tokens"))
    assert session.refusals == {}
    session.reset()
    assert session.scenario == load_example("two-tokens")


def test_a_refusal_goes_with_its_cause() -> None:
    """RoPE turns pairs of columns: a preset that is built for it needs an even d_k."""
    session = at_pizza()
    session.attempt("d_k", 3, lambda s: with_heads(s, 2, 2, 3, 4))
    session.attempt("positions", "rope", lambda s: with_scores(s, positions="rope"))
    assert set(session.refusals) == {"positions"}
    scale(session, 2.0)
    assert set(session.refusals) == {"positions"}
    session.attempt("d_k", 4, lambda s: with_heads(s, 2, 2, 4, 4))
    assert session.refusals == {}
    assert session.scenario.scores.positions == "none"


def test_a_head_that_is_gone_by_now_is_not_looked_at() -> None:
    session = at_pizza()
    session.look_at(head=1)
    session.attempt("heads", 1, lambda s: with_heads(s, 1))
    session.look_at(head=1)  # what the browser asked for before it heard of the change
    assert session.view.head is None


def test_a_change_of_the_view_starts_from_the_view_of_that_moment() -> None:
    session = at_pizza()
    session.look_at(head=1)
    session.change_view(decimals=4)
    assert session.view == View(head=1, decimals=4)


def test_a_refused_click_on_the_mask_outlives_the_cell_that_it_was_for() -> None:
    session = at_pizza()
    session.attempt("mask-cell", None, lambda s: with_mask_cells_toggled(s, [(0, 3)]))
    assert "rule hides" in session.refusals["mask-cell"].reason
    session.attempt("n-tokens", 3, lambda s: with_tokens(s, s.tokens[:3]))
    assert session.scenario.n_q == 3
    assert (
        "must be one of the mask, of 3 queries and 3 keys" in session.refusals["mask-cell"].reason
    )


def test_only_the_last_answer_is_kept() -> None:
    session, made = at_pizza(), list[str]()

    def ask(what: str) -> str:
        return session.keep_last("answers", what, lambda: made.append(what) or what.upper())

    assert [ask(what) for what in ("a", "a", "b", "a")] == ["A", "A", "B", "A"]
    assert made == ["a", "b", "a"]
