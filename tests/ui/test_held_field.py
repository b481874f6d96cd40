"""What a browser is told while a key is held in a field: what each value draws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from mha_core import Scenario
from mha_core.changing.layers import as_stack, with_layer_count
from mha_core.examples import load_example
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from tests.unpacking import unpacked
from ui.controls.form import Field
from ui.controls.sidebar import enter_in_sidebar, fields
from ui.controls.sidebar.held_field import drawn
from ui.edits.entries import with_input, with_preset
from ui.edits.forward_inputs import forward_inputs
from ui.plot.wire import pack
from ui.state import Session
from ui.state.address import Address

PIZZA = load_example("pizza")
RANDOM = with_preset(PIZZA, "random", 0)
WIDE = with_preset(load_example("pizza-1024"), "random", 0)
WEIGHTS = ["w_q", "w_k", "w_v", "w_o"]


def all_that_draw() -> Iterator[tuple[Scenario, Field]]:
    """Each field of a seed, of each recipe that has one."""
    of_weights = [with_preset(PIZZA, name, 0) for name, each in PRESETS.items() if each.seeded]
    of_x = [with_input(PIZZA, name, 0) for name, each in INPUTS.items() if each.seeded]
    for scenario in (*of_weights, *of_x):
        yield from ((scenario, f) for f in fields(Session(scenario)).values() if f.draws)


def test_what_draws_changes_numbers_in_arrays_of_the_same_sizes_and_nothing_else() -> None:
    seen = list(all_that_draw())
    assert {field.key for _, field in seen} == {"weights-seed", "x-seed"}
    for scenario, field in seen:
        assert field.change
        then = field.change(scenario, "7")
        before, after = forward_inputs(scenario), forward_inputs(then)
        for name, array in before.pop("arrays").items():
            new = after["arrays"][name]
            assert (array is None) == (new is None)
            assert array is None or array.shape == new.shape
        assert before == {name: after[name] for name in before}
        assert then.tokens == scenario.tokens


def test_a_browser_gets_what_the_entry_would_make_and_nothing_is_entered() -> None:
    session = Session(RANDOM)
    said = unpacked(pack(drawn(session.id, "weights-seed", "3")))
    assert (session.scenario, session.history.last, session.refusals) == (RANDOM, 0, {})
    assert (said["version"], said["moved"]) == (0, WEIGHTS)
    enter_in_sidebar(session, "weights-seed", "3")
    for name in ("x", *WEIGHTS):
        np.testing.assert_array_equal(
            said["inputs"]["arrays"][name], getattr(session.scenario, name)
        )


def test_the_value_that_is_there_moves_nothing() -> None:
    session = Session(RANDOM)
    said = drawn(session.id, "weights-seed", "0")
    assert said
    assert said["moved"] == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("weights-seed", "-1"), ("weights-seed", "x"), ("n-tokens", "3"), ("gone", "1")],
)
def test_what_is_refused_or_draws_nothing_has_no_answer(key: str, value: str) -> None:
    session = Session(RANDOM)
    assert drawn(session.id, key, value) is None
    assert not session.refusals


def test_nobody_gets_an_answer_for_a_session_that_is_not_there() -> None:
    assert drawn("nobody", "weights-seed", "1") is None


def test_large_layers_several_layers_and_two_sides_are_not_followed() -> None:
    two_layers = Session(with_layer_count(as_stack(RANDOM), 2))
    sides = Session(RANDOM, name="a"), Session(RANDOM, name="b")
    for side in sides:
        side.conversation.address = Address(*sides)
        side.conversation.keeps_address = True
    for session in (Session(WIDE), two_layers, *sides):
        assert drawn(session.id, "weights-seed", "1") is None
