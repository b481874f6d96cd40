"""Where the numbers of a forward pass stand: arrays by name, their shapes, the numbers in cells.

A step that changes nothing hands on the array of another: its numbers stand there.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.scenario.given_arrays import GIVEN, OF_TOKENS

ADDITIVE: Final = "mask.additive"  # the additive mask, which may be edited like a given array


def number_in(t: ForwardPass, cell: Cell) -> Any:
    return number_at(array_of(t, cell.step), cell)


def number_at(array: Any, cell: Cell) -> Any:
    """The number in the place of a cell, of the array that the cell is in."""
    if array.ndim == 1:
        return array[cell.row if cell.step == "blind_queries" else cell.column]
    return (
        array[cell.row, cell.column]
        if cell.head is None
        else array[cell.head, cell.row, cell.column]
    )


def array_of(t: ForwardPass, name: str) -> Any:
    """The array of a step, or a given one. An additive mask that nobody gave adds 0."""
    if name == ADDITIVE:
        s = t.scenario
        nothing = np.broadcast_to(np.zeros((), s.dtype), (s.n_q, s.n_k))
        return nothing if s.mask.additive is None else s.mask.additive
    is_of_scenario = name in GIVEN and name not in OF_TOKENS
    return getattr(t.scenario if is_of_scenario else t, name)


def is_given(t: ForwardPass, name: str) -> bool:
    """Whether somebody gave an array, or a step makes it."""
    return name != ADDITIVE or t.scenario.mask.additive is not None


def shape(t: ForwardPass, name: str) -> tuple[int, ...]:
    found: tuple[int, ...] = array_of(t, name).shape
    return found


def computed(t: ForwardPass, name: str) -> str:
    """The step that computes the array of a step; a given array is its own."""
    step = getattr(type(t), name, None)
    return step.computed_by(t.scenario).name if step is not None else name


def has_heads(t: ForwardPass, name: str) -> bool:
    return len(shape(t, name)) == 3


def shared_head(t: ForwardPass, head: int) -> int:
    """The key/value head that a query head uses."""
    return head * t.scenario.n_kv_heads // t.scenario.n_heads


def heads_that_share(t: ForwardPass, head: int) -> range:
    """The query heads that use a key/value head."""
    group = t.scenario.n_heads // t.scenario.n_kv_heads
    return range(head * group, (head + 1) * group)


def head_of(cell: Cell) -> int:
    """The head of a cell in an array that has heads."""
    assert cell.head is not None
    return cell.head
