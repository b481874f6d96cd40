"""What each part and each path adds to a number: together they are the number."""

from __future__ import annotations

import pytest
from hypothesis import given

from mha_core import Stack, attend, load_example
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.layer.cells import Cell
from mha_core.stack.derivation import end_array
from mha_core.stack.effects import direct_effects, path_effects
from tests.core.stack.stacks import stacks


@given(stacks())
def test_parts_and_paths_add_up(stack: Stack) -> None:
    trace = attend(stack)
    for step in ("stream", "logits"):
        array = end_array(trace, step)
        if array is None:
            continue
        cell = Cell(step, None, len(array) - 1, array.shape[1] - 1)
        number = pytest.approx(array[-1, -1], abs=1e-9, rel=1e-9)
        assert sum(direct_effects(trace, cell, 0).values()) == number
        assert sum(path_effects(trace, cell).values()) == number


def test_x_of_a_layer_is_what_the_layers_below_have_added() -> None:
    stack = with_prediction(with_layer_count(as_stack(load_example("the-cat")), 3), True)
    trace = attend(stack)
    for layer in (1, 2):
        effects = direct_effects(trace, Cell("x", None, 2, 1), layer)
        assert sum(effects.values()) == pytest.approx(trace.stream[layer][2, 1], abs=1e-12)
        assert {part.layer for part in effects} == {None, *range(layer)}
