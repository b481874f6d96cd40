"""What a head looks for and what it moves: its projections multiplied, from X to X."""

from __future__ import annotations

from typing import Final

from mha_core import Scenario, Trace
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.matrices import axis_in
from mha_core.stack.heads import looks_for, moves
from ui.figures.drawing import HIGH, LOW, Look, cell_of_wide, figure_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix

LOOKS_FOR: Final = "looks_for"
MOVES: Final = "moves"
WIDEST: Final = 64  # columns


def is_narrow(s: Scenario) -> bool:
    """Whether there are few enough numbers to be read."""
    return max(s.d_model, s.d_model_kv, s.d_out) <= WIDEST


def head_matrices_figure(trace: Trace, head: int, look: Look | None = None) -> Figure:
    """What each number of a query wants of a key; what each number that is taken along becomes."""
    s = trace.scenario
    pair = [
        _matrix(
            trace,
            f"{LOOKS_FOR}/{head}",
            say("Looks for: W_Q W_Kᵀ"),
            looks_for(s, head),
            ("d_model", "d_model_kv"),
            (say("query"), say("key")),
        ),
        _matrix(
            trace,
            f"{MOVES}/{head}",
            say("Moves: W_V W_O"),
            moves(s, head),
            ("d_model_kv", "d_out"),
            (say("taken"), say("output")),
        ),
    ]
    cell = cell_of_wide(sum(matrix.values.shape[1] for matrix in pair))
    return figure_of([pair], [[each] for each in pair], look=look, cell=cell, high_if_wide=HIGH)


def _matrix(
    trace: Trace,
    name: str,
    title: str,
    values: FloatArray,
    axes: tuple[str, str],
    words: tuple[str, str],
) -> Matrix:
    rows, columns = (axis_in(trace, axis) for axis in axes)
    return Matrix(
        name=name,
        title=title,
        heading=title,
        values=values,
        row_labels=rows.labels,
        column_labels=columns.labels,
        rows=rows.kind,
        columns=columns.kind,
        row_word=words[0],
        column_word=words[1],
        color_group=name,
        has_own_range=True,
        leaves_zeros_out=True,
        row_height=LOW,
    )
