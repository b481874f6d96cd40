"""All layers at once: X of each, the weights of its heads, and what is read at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core import StackTrace
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.stack.cells import in_layer
from mha_core.stack.derivation import LOGITS, PROBABILITIES, STREAM, W_U, end_array
from ui.figures.drawing import Look, cell_size, figure_of, matrix_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix
from ui.figures.pictures import head_title

MOST_HEADS: Final = 8  # of a layer; the page of the layer itself shows all
ACROSS: Final = 900  # pixels that a row of matrices shares on a projector
DOWN: Final = 400  # pixels that all rows share
LEAST_CELL: Final = 4
FOLLOWS: Final = {  # what X of a higher layer is, on a stream and without one
    True: say("X of layer {layer} is X of layer {below} and what that layer added."),
    False: say("X of layer {layer} is the output of layer {below}."),
}


def layers_figure(traces: StackTrace, shown: int, look: Look | None = None) -> Figure:
    """A row a layer, from X at its left to the weights of its heads; the end stands below.

    Matrices of the layer that is `shown` have the names that they have in all other pictures.
    """
    rows = [[*_of_layer(traces, number, shown)] for number in range(len(traces.layers))]
    rows.append([*at_the_end(traces).values()])
    widest = max(sum(matrix.across for matrix in row) for row in rows)
    highest = sum(max(matrix.down for matrix in row) for row in rows)
    fits = min(ACROSS // widest, int(DOWN / highest))
    cell = max(LEAST_CELL, min(cell_size(traces.stack.first.n_q), fits))
    alone = [[matrix] for row in rows for matrix in row]
    in_twos = [row[i : i + 2] for row in rows for i in range(0, len(row), 2)]
    return figure_of(rows, in_twos, alone, look=look, cell=cell, enough=min(cell, 12))


def _of_layer(traces: StackTrace, number: int, shown: int) -> Sequence[Matrix]:
    trace = traces.layers[number]
    title = say("Layer {number}").format(number=number + 1)
    heads = range(min(trace.scenario.n_heads, MOST_HEADS))
    x = replace(matrix_of(trace, "x"), heading=x_of(number), row_title=title)
    weights = [
        replace(matrix_of(trace, "weights", head), heading=head_title(trace, head))
        for head in heads
    ]
    matrices = [x, *weights]
    if number:
        matrices = [_as_made(matrix) for matrix in matrices]
    return [_named(matrix, number, shown) for matrix in matrices]


def x_of(number: int) -> str:
    return f"X{_SUBSCRIPTS[number]}" if number else "X"


_SUBSCRIPTS: Final = "₀₁₂₃₄"


def labels_of_stream(traces: StackTrace, number: int) -> Sequence[str]:
    """What the columns of X of a layer are called. What is added to X keeps their names."""
    x = traces.stream[number]
    if traces.stack.residual:
        return labelled_matrix(traces.layers[0], "x").columns.labels
    return [str(column + 1) for column in range(x.shape[1])]


def _as_made(matrix: Matrix) -> Matrix:
    """X of a higher layer is not given: nobody can edit it, or its labels."""
    return replace(matrix, is_given=False, row_source="", column_source="")


def with_x_as_made(figure: Figure) -> Figure:
    """The figure of a higher layer, whose X the layers below make."""
    of_layer = [
        replace(heatmap, matrix=_as_made(heatmap.matrix)) if heatmap.name == "x" else heatmap
        for heatmap in figure.heatmaps
    ]
    return replace(figure, heatmaps=tuple(of_layer))


def _named(matrix: Matrix, number: int, shown: int) -> Matrix:
    if number == shown:
        return matrix
    named = in_layer(Cell.of_matrix(matrix.name, 0, 0), number).matrix
    title = say("Layer {number}: {title}").format(number=number + 1, title=matrix.title)
    return replace(matrix, name=named, title=title, is_given=False)


def at_the_end(traces: StackTrace) -> dict[str, Matrix]:
    """The stream after the last layer; with a W_U, it, the logits and the probabilities."""
    last, words = traces.layers[-1], traces.stack.words
    end = replace(
        _as_made(matrix_of(last, "x")),
        name=STREAM,
        title=say("The stream at its end") if traces.stack.residual else say("What comes out"),
        heading=x_of(len(traces.layers)),
        values=traces.stream[-1],
        column_labels=labels_of_stream(traces, len(traces.layers)),
        row_title=say("The end"),
    )
    arrays = {name: end_array(traces, name) for name in (W_U, LOGITS, PROBABILITIES)}
    read = {name: array for name, array in arrays.items() if array is not None}
    return {STREAM: end, **{name: _with_words(end, name, read[name], words) for name in read}}


def _with_words(end: Matrix, name: str, array: FloatArray, words: Sequence[str]) -> Matrix:
    """A column for each word."""
    of_words: dict[str, Any] = {
        "column_labels": words,
        "columns": "word",
        "column_word": say("word"),
    }
    if name == W_U:
        return replace(
            end,
            name=name,
            title="W_U",
            heading="W_U",
            values=array,
            row_labels=end.column_labels,
            rows=end.columns,
            row_word=end.column_word,
            row_title="",
            is_given=True,
            **of_words,
        )
    is_share = name == PROBABILITIES
    title = say("Probabilities") if is_share else say("Logits")
    return replace(
        end,
        name=name,
        title=title,
        heading=title,
        values=np.nan_to_num(array),
        scale="sequential" if is_share else "diverging",
        color_group="weights" if is_share else LOGITS,
        row_title="",
        **of_words,
    )
