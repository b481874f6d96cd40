"""Of what a number between and after the layers is made: X of a layer, the end, the logits.

All other numbers are those of one layer, and `mha_core.layer.derivation` explains them. Here the
way goes on through "X of layer 2 = X + what layer 1 added".
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import has_cell
from mha_core.layer.where import number_in
from mha_core.stack.cells import in_layer, layer_named, without_layer
from mha_core.stack.trace import StackTrace

STREAM: Final = "stream"  # X after the last layer
LOGITS: Final = "logits"
PROBABILITIES: Final = "probabilities"
W_U: Final = "w_u"
AT_THE_END: Final = (STREAM, W_U, LOGITS, PROBABILITIES)
SYMBOLS: Final = {W_U: "W_U", LOGITS: say("Logits"), PROBABILITIES: say("Probabilities")}

How = Literal["sum", "products", "softmax"]


class Number(NamedTuple):
    """A number that another one is made of. Its cell says in which layer it is."""

    cell: Cell
    value: float


class MadeOf(NamedTuple):
    """How a number is made of others: their sum, the sum of products of two, or a softmax of a row.

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
        is_there = named < len(trace.layers)
        return is_there and has_cell(trace.layers[named], without_layer(cell))
    if cell.step not in AT_THE_END:
        return has_cell(trace.layers[layer], cell)
    array = None if trace.stack.is_one_layer else end_array(trace, cell.step)
    if array is None or cell.head is not None:
        return False
    return cell.row in range(array.shape[0]) and cell.column in range(array.shape[1])


def value_of(trace: StackTrace, cell: Cell) -> float:
    """The number in a cell that says its layer, or that is after the last one."""
    named = layer_named(cell)
    if named is not None:
        return float(number_in(trace.layers[named], without_layer(cell)))
    array = end_array(trace, cell.step)
    assert array is not None
    return float(array[cell.row, cell.column])


def is_made_between(trace: StackTrace, cell: Cell, layer: int) -> bool:
    """Whether no layer computes the number: it is of the stream, or after its end."""
    is_x_above = cell.step == "x" and layer > 0
    return cell.step in AT_THE_END or is_x_above


def made_between(trace: StackTrace, cell: Cell, layer: int) -> MadeOf | None:
    """Of what such a number is made; None for one of W_U, which is given."""
    if cell.step == W_U:
        return None
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


def _number(trace: StackTrace, cell: Cell) -> Number:
    return Number(cell, value_of(trace, cell))


def replayed(made: MadeOf) -> float:
    """The number again, from what it is made of."""
    products = [float(np.prod([each.value for each in term])) for term in made.terms]
    if made.how != "softmax":
        return float(sum(products))
    powers = np.exp(np.array(products) - max(products))
    return float(powers[0] / powers.sum())
