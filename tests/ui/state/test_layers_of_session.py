"""A session of several layers: which one is shown, what a change of one does, and undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mha_core import Scenario, load_example
from mha_core.changing import changes
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.layer.cells import Cell
from mha_core.stack.cells import in_layer
from ui.state import View, opened_at
from ui.state.packed import Kept, packed_stack
from ui.state.params import params_of
from ui.state.session import Session

CAT = load_example("the-cat")
TWO = with_layer_count(as_stack(CAT), 2)
PREDICTS = with_prediction(TWO, True)


def doubled(name: str) -> Callable[[Scenario], Scenario]:
    return lambda s: changes.with_matrix(s, name, getattr(s, name) * 2)


@pytest.fixture
def session() -> Session:
    return Session(TWO, View(layer=1))


def test_it_shows_one_layer_on_the_x_that_the_layers_below_make(session: Session) -> None:
    assert session.layer == 1
    np.testing.assert_array_equal(session.scenario.x, CAT.x + session.traces.layers[0].output)
    assert session.trace.scenario is session.scenario


def test_a_change_is_one_of_the_layer_that_is_shown(session: Session) -> None:
    session.attempt("w_q", None, doubled("w_q"))
    assert session.stack.first is CAT
    np.testing.assert_array_equal(session.stack.above[0].w_q, 2 * CAT.w_q)
    session.look_at(layer=0)
    assert session.scenario is CAT
    session.attempt("w_k", None, doubled("w_k"))
    np.testing.assert_array_equal(session.stack.first.w_k, 2 * CAT.w_k)
    session.step_to(0)
    assert session.stack == TWO


def test_x_of_a_higher_layer_is_not_changed_and_it_is_said_why(session: Session) -> None:
    session.attempt("x", None, doubled("x"))
    assert session.stack == TWO
    assert "X of layer 2 must be what the layers below make" in session.refusals["x"].reason


def test_a_field_may_change_another_layer_than_the_one_that_is_shown(session: Session) -> None:
    session.attempt("x", None, doubled("x"), layer=0)
    np.testing.assert_array_equal(session.stack.first.x, 2 * CAT.x)


def test_other_tokens_are_those_of_the_first_layer(session: Session) -> None:
    session.attempt("tokens", None, lambda s: changes.with_tokens(s, ["the", "cat"]))
    assert session.stack.tokens == ("the", "cat")
    assert session.scenario.n_q == 2


def test_another_layer_is_a_glance_and_keeps_no_pick(session: Session) -> None:
    session.pick(Cell("weights", 0, 1, 2))
    version, last = session.version, session.history.last
    session.look_at(layer=0)
    assert (session.layer, session.view.cell) == (0, None)
    assert session.history.last == last
    assert session.version > version  # a browser computes with other arrays
    session.look_at(layer=7)
    assert session.layer == 0


def test_a_cell_of_another_layer_leads_there_and_back(session: Session) -> None:
    here = Cell("x", None, 2, 1)
    session.pick(here)
    session.ask_on(in_layer(Cell("output", None, 2, 1), 0))
    assert (session.layer, session.view.cell) == (0, Cell("output", None, 2, 1))
    assert session.asked.trail == (in_layer(here, 1),)
    session.ask_on(in_layer(here, 1))
    assert (session.layer, session.view.cell, session.asked.trail) == (1, here, ())


def test_which_numbers_it_has(session: Session) -> None:
    assert session.has(Cell("stream", None, 0, 0))
    assert session.has(in_layer(Cell("weights", 0, 0, 0), 0))
    assert not session.has(Cell("logits", None, 0, 0))
    assert Session(PREDICTS).has(Cell("probabilities", None, 0, 0))


def test_a_layer_that_has_gone_is_shown_no_more(session: Session) -> None:
    session.attempt_on_stack("layers", 1, lambda stack: with_layer_count(stack, 1))
    assert (session.layer, session.view.layer) == (0, 0)
    assert session.scenario is CAT


def test_what_moved_is_that_of_the_layer_that_is_shown(session: Session) -> None:
    session.attempt("w_q", None, doubled("w_q"))
    before = session.compared_with("before")
    assert before is not None
    np.testing.assert_array_equal(before.scenario.w_q, CAT.w_q)
    assert session.before_last_entry == before.scenario


def test_a_refused_entry_is_tried_again_on_its_own_layer(session: Session) -> None:
    def turned(s: Scenario) -> Scenario:
        return changes.with_scores(s, positions="rope", rope_base=float(4 - s.n_heads))

    session.attempt("rope", None, turned)
    assert "rope" in session.refusals
    session.attempt("heads", None, lambda s: changes.with_heads(s, 3))
    assert "rope" not in session.refusals


def test_an_address_may_name_a_layer_that_there_is_not() -> None:
    opened = opened_at({"example": "the-cat", "layer": "2"})
    assert opened.layer == 0
    assert "must be one of the layers, 1 to 1" in opened.refusals["address"].reason


def test_a_link_says_all_layers_and_which_is_shown(session: Session) -> None:
    session.attempt("w_q", None, doubled("w_q"))
    session.attempt_on_stack("words", True, lambda stack: with_prediction(stack, True))
    again = opened_at(params_of(session))
    assert again.stack == session.stack
    assert again.layer == 1
    assert not again.refusals


def test_packed_layers_come_back_to_the_last_bit() -> None:
    wide = changes.with_width(CAT, 512)
    stack = with_prediction(with_layer_count(as_stack(wide), 3), True)
    kept = Kept(stack)
    kept.pack()
    assert kept.is_packed
    assert kept.stack == stack
    near = packed_stack(stack)
    changed: Scenario = changes.with_matrix(wide, "w_q", wide.w_q + 1)
    other = replace(stack, layers=(changed, *stack.above))
    assert packed_stack(other, near).unpacked() == other
