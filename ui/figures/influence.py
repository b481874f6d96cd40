"""How much one number moves with each number of an array: the derivatives, in the array's place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.naming import name_of, words_of
from mha_core.layer.trace import Trace
from mha_core.layer.where import ADDITIVE
from ui.figures.drawing import Look, figure_of_one, matrix_of
from ui.figures.figure import Figure

PREFIX: Final = "influence."  # of the name of such a matrix, before that of the array
SAME_SHAPE: Final = {ADDITIVE: "mask"}  # labelled like a step, which has labels


def influence_figure(
    trace: Trace,
    cell: Cell,
    of: str,
    slopes: FloatArray,
    look: Look | None = None,
    above: tuple[Trace, int] | None = None,
) -> Figure:
    """The derivatives of a cell by the numbers of the array `of`, with the labels of that array.

    The cell may be of a layer `above`; then the trace is that of the layer with this number.
    """
    made, prefix = (above[0], f"{above[1] + 1}.") if above else (trace, "")
    title = say("Influence of {array} on {number}")
    matrix = matrix_of(
        trace,
        SAME_SHAPE.get(of, of),
        name=f"{PREFIX}{prefix}{of}",
        title=title.format(array=words_of(of), number=name_of(made, cell, "text")),
        values=slopes.reshape(-1, slopes.shape[-1]),
        scale="diverging",
        color_group="influence",
        masked=None,
        is_given=False,
        row_source="",
        column_source="",
    )
    return figure_of_one(matrix, look)


def influencing(cell: Cell) -> Cell | None:
    """The cell whose influence is shown in a cell of such a picture; None for any other cell."""
    if not cell.step.startswith(PREFIX):
        return None
    return replace(cell, step=cell.step.removeprefix(PREFIX))
