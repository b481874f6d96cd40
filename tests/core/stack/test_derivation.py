"""A number between or after the layers: of what it is made, down to X; and what moves it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from mha_core import Layer, Scenario, Stack, attend, load_example
from mha_core.changing.layers import as_stack, with_layer_count, with_prediction
from mha_core.layer.cells import Cell
from mha_core.stack.cells import in_layer
from mha_core.stack.derivation import (
    AT_THE_END,
    end_array,
    has_number,
    is_made_between,
    made_between,
    replayed,
    value_of,
)
from mha_core.stack.influence import influence_through_layers
from tests.core.stack.stacks import stacks

CAT = load_example("the-cat")
STACK = with_prediction(with_layer_count(as_stack(CAT), 2), True)
TRACE = attend(STACK)


@given(stacks())
def test_each_number_is_what_it_is_made_of(stack: Stack) -> None:
    trace = attend(stack)
    for step in ("stream", "logits", "probabilities"):
        array = end_array(trace, step)
        if array is None:
            continue
        cell = Cell(step, None, len(array) - 1, array.shape[1] - 1)
        assert is_made_between(trace, cell, 0)
        made = made_between(trace, cell, 0)
        assert made is not None
        assert replayed(made) == pytest.approx(value_of(trace, cell), abs=1e-9, rel=1e-9)
    for number, layer in enumerate(trace.layers[1:], start=1):
        made = made_between(trace, Cell("x", None, 0, 0), number)
        assert made is not None
        assert replayed(made) == pytest.approx(layer.scenario.x[0, 0], abs=1e-12, rel=1e-12)


def test_x_of_layer_2_leads_to_layer_1() -> None:
    made = made_between(TRACE, Cell("x", None, 2, 1), 1)
    assert made is not None
    cells = [term[0].cell.matrix for term in made.terms]
    assert cells == ["1.x", "1.output"]
    alone = made_between(attend(replace(STACK, residual=False)), Cell("x", None, 2, 1), 1)
    assert alone is not None
    assert [term[0].cell.matrix for term in alone.terms] == ["1.output"]


def test_w_u_is_given() -> None:
    assert made_between(TRACE, Cell("w_u", None, 0, 0), 1) is None
    assert value_of(TRACE, Cell("w_u", None, 0, 1)) == STACK.w_u[0, 1]  # type: ignore[index]


def test_which_numbers_there_are() -> None:
    there = [
        Cell("weights", 0, 1, 1),
        in_layer(Cell("weights", 0, 1, 1), 1),
        *(Cell(step, None, 0, 0) for step in AT_THE_END),
    ]
    assert all(has_number(TRACE, cell, 1) for cell in there)
    gone = [
        Cell("weights", 99, 0, 0),
        in_layer(Cell("weights", 0, 1, 1), 2),
        in_layer(Cell("weights", 0, 1, 99), 1),
        Cell("logits", 0, 0, 0),
        Cell("logits", None, 0, 99),
        Cell("stream", None, 99, 0),
    ]
    assert not any(has_number(TRACE, cell, 1) for cell in gone)
    assert not has_number(attend(as_stack(CAT)), Cell("stream", None, 0, 0), 0)
    assert not has_number(attend(with_layer_count(STACK, 2)), Cell("x", None, 99, 0), 0)


def moved(stack: Stack, cell: Cell, name: str, layer: int) -> float:
    """How much the number of layer 2 moves if the first number of an array moves a little."""

    def at(step: float) -> float:
        changed = stack.layers[layer]
        array = getattr(changed, name).copy()
        array[0, 0] += step
        layers: list[Scenario | Layer] = [*stack.layers]
        layers[layer] = replace(changed, **{name: array})
        trace = attend(replace(stack, layers=tuple(layers)))
        return float(trace.layers[-1].output[cell.row, cell.column])

    return (at(1e-6) - at(-1e-6)) / 2e-6


@pytest.mark.parametrize("residual", [True, False])
def test_what_moves_a_number_of_layer_2_is_found_in_both_layers(residual: bool) -> None:
    stack, cell = replace(STACK, residual=residual), Cell("output", None, 3, 1)
    found = influence_through_layers(attend(stack), 1, cell)
    assert len(found) == 2
    for layer, names in enumerate((("x", "w_q", "w_k", "w_v", "w_o"), ("w_q", "w_k", "w_v"))):
        for name in names:
            slope = moved(stack, cell, name, layer)
            assert found[layer][name][0, 0] == pytest.approx(slope, abs=1e-6)


def test_what_was_given_to_layer_2_moves_with_nothing_below() -> None:
    assert [bool(each) for each in influence_through_layers(TRACE, 1, Cell("w_q", None, 0, 0))] == [
        False,
        True,
    ]
