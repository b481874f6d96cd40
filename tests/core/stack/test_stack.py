"""Layers on one stream, against nested loops, against PyTorch, and their laws."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
import torch
from hypothesis import given
from torch.nn import functional

from mha_core import Layer, Scenario, Stack, attend
from mha_core.checks.errors import NumberError
from mha_core.examples import load_stack
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.naming import name_of
from mha_core.layer.trace import STEPS, Trace
from mha_core.stack.attending import layer_on_x
from tests.core import oracle
from tests.core.compare import TOLERANCE, largest_difference
from tests.core.layer.test_against_torch import answer_of_torch_layer
from tests.core.stack.stacks import stacks
from tests.core.strategies import scenarios, self_attention, with_stable_softmax

CLOSE = TOLERANCE["float64"]
NOT_OF_A_LAYER = {"x", "tokens", "context", "context_tokens"}


def two_layers(**changes: object) -> Stack:
    first, second = (self_attention(5, 6, 3, seed=seed) for seed in (1, 2))
    return Stack((first, Layer.of(second)), **changes)  # type: ignore[arg-type]


@given(stack=stacks())
def test_nested_loops_give_the_same_stream(stack: Stack) -> None:
    trace = attend(stack)
    x = stack.first.x.tolist()
    for layer, there in zip(trace.layers, trace.stream[1:], strict=True):
        out = oracle.forward(replace(layer.scenario, x=np.array(x)))["output"]
        x = oracle.sum_of(x, out) if stack.residual else out
        assert largest_difference(there, x) < CLOSE
    if stack.w_u is not None:
        logits = [
            [sum(a * b for a, b in zip(row, word, strict=True)) for word in stack.w_u.T]
            for row in x
        ]
        assert largest_difference(trace.logits, logits) < CLOSE
        assert largest_difference(np.sum(trace.probabilities, axis=-1), np.ones(len(x))) < CLOSE


@given(stack=stacks())
def test_each_layer_is_had_on_its_x(stack: Stack) -> None:
    layers = [layer.scenario for layer in attend(stack).layers]
    assert [layer_on_x(stack, number) for number in range(len(layers))] == layers


@given(stack=stacks())
def test_its_sizes_are_those_of_each_layer_on_the_stream(stack: Stack) -> None:
    assert stack.sizes == tuple(layer.scenario.sizes for layer in attend(stack).layers)


def test_pytorch_gives_the_same_stream_and_the_same_probabilities() -> None:
    w_u = np.random.default_rng(3).normal(size=(6, 4))
    trace = attend(two_layers(w_u=w_u))
    x = trace.stack.first.x
    for layer, there in zip(trace.layers, trace.stream[1:], strict=True):
        x = x + answer_of_torch_layer(replace(layer.scenario, x=x), None)["output"]
        assert largest_difference(there, x) < CLOSE
    probabilities = functional.softmax(torch.from_numpy(x @ w_u), dim=-1).numpy()
    assert largest_difference(trace.probabilities, probabilities) < CLOSE


@given(scenario=scenarios().map(with_stable_softmax))
def test_one_layer_alone_is_a_scenario_to_the_last_bit(scenario: Scenario) -> None:
    trace, alone = attend(Stack((scenario,), residual=False)), attend(scenario)
    (layer,) = trace.layers
    for step in STEPS:
        assert getattr(layer, step.name).tobytes() == getattr(alone, step.name).tobytes()
    assert [each.tobytes() for each in trace.stream] == [
        scenario.x.tobytes(),
        alone.output.tobytes(),
    ]
    assert trace.logits is None
    assert trace.probabilities is None


def test_a_layer_of_zeros_changes_nothing() -> None:
    first = self_attention(5, 6, 3)
    zeros = replace(Layer.of(first), w_o=np.zeros((6, 6)))
    trace = attend(Stack((first, zeros)))
    assert trace.stream[2].tobytes() == trace.stream[1].tobytes()


def test_a_layer_has_all_fields_of_a_scenario_but_those_of_its_input() -> None:
    of_layer, of_scenario = ([each.name for each in fields(kind)] for kind in (Layer, Scenario))
    assert of_layer == [name for name in of_scenario if name not in NOT_OF_A_LAYER]
    defaults = {each.name: each.default for each in fields(Scenario)}
    assert all(each.default == defaults[each.name] for each in fields(Layer))


def test_a_stack_is_plain_data() -> None:
    stack = two_layers(w_u=np.eye(6), words=tuple("abcdef"))
    assert stack == two_layers(w_u=np.eye(6), words=tuple("abcdef"))
    assert stack != two_layers(w_u=np.eye(6))
    assert copy.deepcopy(stack) is stack
    trace = attend(stack)
    with pytest.raises(FrozenInstanceError):
        trace.stack = stack
    with pytest.raises(FrozenInstanceError):
        del trace.stack
    for array in (*trace.stream, trace.logits, trace.probabilities, stack.w_u):
        assert array is not None
        assert not array.flags.writeable


def test_words_are_numbered_where_nobody_names_them() -> None:
    assert two_layers(w_u=np.ones((6, 2))).words == ("w1", "w2")


def test_a_row_that_a_naive_softmax_has_lost_has_no_probabilities() -> None:
    first = self_attention(3, 4, 2)
    naive = replace(first.scores, softmax="naive")
    x = np.vstack([np.full((1, 4), 9e3), first.x[1:]])
    trace = attend(Stack((replace(first, x=x, scores=naive),), w_u=np.eye(4)))
    assert np.isnan(trace.probabilities).any(axis=-1).tolist() == [True, False, False]


def test_logits_beyond_the_range_are_refused() -> None:
    first = self_attention(3, 4, 2)
    large = replace(first, w_v=np.eye(4) * 1e99, w_o=np.eye(4) * 1e99, x=np.full((3, 4), 1e20))
    with pytest.raises(NumberError, match="The logits must stay within float64"):
        _ = attend(Stack((large,), w_u=np.eye(4) * 1e99)).logits


def names_of_columns(trace: Trace, name: str) -> tuple[str, ...]:
    return labelled_matrix(trace, name).columns.labels


def test_what_is_added_to_x_has_the_names_of_its_columns() -> None:
    stack = load_stack("induction")
    first, second = attend(stack).layers
    names = names_of_columns(first, "x")
    assert names[:4] == ("a", "b", "c", "d")
    for trace in (first, second):
        assert names_of_columns(trace, "x") == names_of_columns(trace, "output") == names
        assert labelled_matrix(trace, "w_k").rows.labels == names
    assert name_of(second, Cell("x", None, 1, 2), "text") == "X[b, c]"


def test_without_a_stream_columns_of_a_higher_layer_are_counted() -> None:
    second = attend(replace(load_stack("induction"), residual=False)).layers[1]
    assert names_of_columns(second, "x")[:2] == ("1", "2")
    assert names_of_columns(attend(two_layers()).layers[1], "x")[:2] == ("1", "2")
