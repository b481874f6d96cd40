"""Of what a number between and after the layers is made: X of a layer, the end, the logits.

All other numbers are those of one layer, and `mha_core.layer.derivation` explains them. Here the
way goes on through "X of layer 2 = X + what layer 1 added".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import has_cell
from mha_core.layer.where import number_in
from mha_core.stack.cells import in_layer, layer_named, without_layer
from mha_core.stack.head_products import HEAD_PRODUCTS, factors_of, head_product
from mha_core.stack.trace import StackTrace

STREAM: Final = "stream"  # X after the last layer
LOGITS: Final = "logits"
PROBABILITIES: Final = "probabilities"
W_U: Final = "w_u"
AT_THE_END: Final = (STREAM, W_U, LOGITS, PROBABILITIES)
NO_STEPS: Final = (*AT_THE_END, *HEAD_PRODUCTS)  # what no layer computes as a step
SYMBOLS: Final = {W_U: "W_U", LOGITS: say("Logits"), PROBABILITIES: say("Probabilities")}

How = Literal["sum", "products", "softmax"]


class Number(NamedTuple):
    """A number that another one is made of. Its cell says in which layer it is."""

    cell: Cell
    value: float


class MadeOf(NamedTuple):
    """How a number is made of others: their sum, a sum of products, or a softmax of a row.

    Of a softmax, the first is the number whose share it is.
    """

    how: How
    terms: tuple[tuple[Number, ...], ...]


def end_array(trace: StackTrace, name: str) -> FloatArray | None:
    """An array after the last layer; None where the stack has none of this name."""
    arrays = {
        STREAM: trace.stream[-1],
        W_U: trace.stack.w_u,
        LOGITS: trace.logits,
        PROBABILITIES: trace.probabilities,
    }
    return arrays.get(name)


def has_number(trace: StackTrace, cell: Cell, layer: int) -> bool:
    """Whether there is such a number; a cell that names no layer is in this one."""
    named = layer_named(cell)
    if named is not None:
        own = without_layer(cell)
        return (
            named < len(trace.layers)
            and own.step not in AT_THE_END
            and (has_number(trace, own, named))
        )
    if cell.step in HEAD_PRODUCTS:
        return _has_head_product(trace, cell, layer)
    if cell.step not in AT_THE_END:
        return has_cell(trace.layers[layer], cell)
    array = None if trace.stack.is_one_layer else end_array(trace, cell.step)
    return array is not None and cell.head is None and _is_in(array, cell)


def _has_head_product(trace: StackTrace, cell: Cell, layer: int) -> bool:
    if cell.head not in range(trace.layers[layer].scenario.n_heads):
        return False
    found = head_product(trace, cell.step, layer, cell.head or 0)
    return found is not None and _is_in(found.numbers, cell)


def _is_in(array: FloatArray, cell: Cell) -> bool:
    return cell.row in range(array.shape[0]) and cell.column in range(array.shape[1])


def value_of(trace: StackTrace, cell: Cell) -> float:
    """The number in a cell that says its layer, or that is after the last one."""
    named, own = layer_named(cell), without_layer(cell)
    if named is not None and own.step in HEAD_PRODUCTS:
        found = head_product(trace, own.step, named, own.head or 0)
        assert found is not None
        return float(found.numbers[own.row, own.column])
    if named is not None:
        return float(number_in(trace.layers[named], own))
    array = end_array(trace, cell.step)
    assert array is not None
    return float(array[cell.row, cell.column])


def is_made_between(trace: StackTrace, cell: Cell, layer: int) -> bool:
    """Whether no layer computes the number: it is of the stream, after its end, or of a head."""
    is_x_above = cell.step == "x" and layer > 0
    return cell.step in NO_STEPS or is_x_above


def made_between(trace: StackTrace, cell: Cell, layer: int) -> MadeOf | None:
    """Of what such a number is made; None for one of W_U, which is given."""
    if cell.step == W_U:
        return None
    if cell.step in HEAD_PRODUCTS:
        return MadeOf("products", tuple(_factors(trace, cell, layer)))
    if cell.step == LOGITS:
        return MadeOf("products", tuple(_products(trace, cell)))
    if cell.step == PROBABILITIES:
        row = range(len(trace.stack.words))
        others = [cell.column, *(column for column in row if column != cell.column)]
        logits = (Cell(LOGITS, None, cell.row, column) for column in others)
        return MadeOf("softmax", tuple((_number(trace, each),) for each in logits))
    below = (len(trace.layers) if cell.step == STREAM else layer) - 1
    names = ("x", "output") if trace.stack.residual else ("output",)
    cells = (in_layer(Cell(name, None, cell.row, cell.column), below) for name in names)
    return MadeOf("sum", tuple((_number(trace, each),) for each in cells))


def _products(trace: StackTrace, cell: Cell) -> list[tuple[Number, Number]]:
    width = trace.stream[-1].shape[1]
    return [
        (
            _number(trace, Cell(STREAM, None, cell.row, column)),
            _number(trace, Cell(W_U, None, column, cell.column)),
        )
        for column in range(width)
    ]


def _factors(trace: StackTrace, cell: Cell, layer: int) -> Iterator[tuple[Number, ...]]:
    for term in factors_of(trace, cell, layer):
        yield tuple(
            Number(each.cell if each.layer is None else in_layer(each.cell, each.layer), each.value)
            for each in term
        )


def _number(trace: StackTrace, cell: Cell) -> Number:
    return Number(cell, value_of(trace, cell))


def replayed(made: MadeOf) -> float:
    """The number again, from what it is made of."""
    products = [float(np.prod([each.value for each in term])) for term in made.terms]
    if made.how != "softmax":
        return float(sum(products))
    powers = np.exp(np.array(products) - max(products))
    return float(powers[0] / powers.sum())
