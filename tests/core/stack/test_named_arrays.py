"""All arrays of a stack by name: the layers are told apart, and nothing is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mha_core.changing.layers import as_stack
from mha_core.examples import load_example, load_stack
from mha_core.layer.trace import STEPS
from mha_core.stack.attending import attend
from mha_core.stack.named_arrays import named_arrays


def test_of_several_layers_each_has_all_its_arrays_and_the_stack_the_rest() -> None:
    stack = load_stack("induction")
    words = tuple("abc")
    w_u = np.eye(stack.first.d_model, len(words))
    traces = attend(replace(stack, w_u=w_u, words=words))
    found = named_arrays(traces)
    for number, trace in enumerate(traces.layers, 1):
        for name, given in trace.scenario.given().items():
            np.testing.assert_array_equal(found[f"{number}.{name}"], given)
        for step in STEPS:
            np.testing.assert_array_equal(found[f"{number}.{step.name}"], getattr(trace, step.name))
    for place, x in enumerate(traces.stream):
        np.testing.assert_array_equal(found[f"stream_{place}"], x)
    np.testing.assert_array_equal(found["w_u"], w_u)
    np.testing.assert_array_equal(found["logits"], traces.logits)
    np.testing.assert_array_equal(found["probabilities"], traces.probabilities)


def test_of_one_layer_the_names_are_those_of_its_steps() -> None:
    s = load_example("pizza")
    found = named_arrays(attend(as_stack(s)))
    assert {*found} == {*s.given(), *(step.name for step in STEPS)}
