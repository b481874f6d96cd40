"""A drag through several layers: the browser makes what the core makes, also after its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import Layer, Scenario, Stack, StackTrace, attend, load_example
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.stack.derivation import end_array
from tests.core.stack.stacks import stacks
from tests.ui.plot.node import answering
from ui.edits.forward_inputs import inputs_from

RUNNER = Path(__file__).parent / "layers_runner.mjs"
ARRAYS = ("x", "w_q", "w_k", "w_v", "w_o")
AT_THE_END = ["stream", "logits", "probabilities"]
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with answering(RUNNER) as node:

        def asked(trace: StackTrace, layer: int, changes: list[Any]) -> dict[str, Any]:
            matrices = [*AT_THE_END, *(f"{n + 1}.output" for n in range(len(trace.layers)))]
            question = {"inputs": inputs_from(trace, layer), "matrices": matrices}
            answer: dict[str, Any] = node({**question, "changes": changes})
            return answer

        yield asked


def assert_made(trace: StackTrace, layer: int, rows: dict[str, Any]) -> None:
    for name in AT_THE_END:
        array = end_array(trace, name)
        if array is None:
            assert rows[name] is None
        else:
            np.testing.assert_allclose(rows[name], array, rtol=1e-9, atol=1e-9)
    for number, each in enumerate(trace.layers):
        made = rows[f"{number + 1}.output"]
        if number < layer:
            assert made is None
        else:
            np.testing.assert_allclose(made, each.output, rtol=1e-9, atol=1e-9)


@given(stack=stacks(), data=st.data())
def test_what_follows_from_a_change_in_any_layer(
    ask: Ask, stack: Stack, data: st.DataObject
) -> None:
    assume(not stack.is_one_layer)
    layer = data.draw(st.integers(0, len(stack.layers) - 1))
    name = data.draw(st.sampled_from(ARRAYS[bool(layer) :]))
    changed = stack.layers[layer]
    array = np.array(getattr(changed, name))
    place = data.draw(st.integers(0, array.size - 1))
    array.flat[place] = number = data.draw(st.floats(-2, 2))
    layers: list[Scenario | Layer] = [*stack.layers]
    layers[layer] = replace(changed, **{name: array})
    row, column = divmod(place, array.shape[-1])
    made = ask(attend(stack), layer, [[name, row, column, number]])
    assert_made(attend(stack), layer, made["before"])
    assert_made(attend(replace(stack, layers=tuple(layers))), layer, made["after"])
    for matrix in made["before"].keys() - made["moved"]:
        assert made["before"][matrix] == made["after"][matrix]
    assert made["settled"] == []


def test_of_one_layer_nothing_more_is_told() -> None:
    trace = attend(as_stack(load_example("pizza")))
    assert "above" not in inputs_from(trace, 0)


def test_only_layers_above_are_told() -> None:
    stack = with_prediction(with_layer_count(as_stack(load_example("pizza")), 3), True)
    told = inputs_from(attend(stack), 1)
    assert len(told["above"]) == 1
    assert told["layer"] == 2
    assert told["w_u"].shape == (8, len(stack.words))
