"""How much a number of one layer moves with each number that was given, in all layers below too."""

from __future__ import annotations

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import Cell
from mha_core.layer.influence import INPUTS, influence, influence_of_output
from mha_core.stack.trace import StackTrace


def influence_through_layers(
    trace: StackTrace, layer: int, cell: Cell
) -> list[dict[str, FloatArray]]:
    """The derivatives by the arrays of each layer up to this one, the lowest first.

    X of a higher layer is among them: it is what all below it moves.
    """
    found = [dict(influence(trace.layers[layer], cell))]
    for below in reversed(trace.layers[:layer]):
        by_x = found[0].get("x")
        if by_x is None:
            return [*[{} for _ in range(layer + 1 - len(found))], *found]
        in_layer = dict(influence_of_output(below, by_x))
        if trace.stack.residual:
            in_layer["x"] = in_layer.get("x", 0) + by_x
        found = [{name: in_layer[name] for name in INPUTS if name in in_layer}, *found]
    return found
