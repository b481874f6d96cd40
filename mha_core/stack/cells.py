"""The place of a number in a stack: a cell whose step says in which layer it is."""

from __future__ import annotations

from dataclasses import replace

from mha_core.layer.cells import Cell


def in_layer(cell: Cell, layer: int) -> Cell:
    """The cell as others name it who look at another layer; layers are counted from 0.

    >>> in_layer(Cell("weights", 0, 1, 2), layer=1).matrix
    '2.weights/0'
    """
    return replace(cell, step=f"{layer + 1}.{cell.step}")


def layer_named(cell: Cell) -> int | None:
    """The layer that a cell names; None where it names none.

    >>> layer_named(Cell("2.weights", 0, 1, 2)), layer_named(Cell("mask.additive", None, 1, 2))
    (1, None)
    """
    number, dot, _ = cell.step.partition(".")
    is_named = dot and number.isascii() and number.isdigit() and len(number) == 1
    return int(number) - 1 if is_named else None


def without_layer(cell: Cell) -> Cell:
    """The cell as its own layer names it.

    >>> without_layer(Cell("2.weights", 0, 1, 2)).matrix
    'weights/0'
    """
    if layer_named(cell) is None:
        return cell
    return replace(cell, step=cell.step.partition(".")[2])
