"""What a head looks for and what it moves: its projections multiplied, from X to X."""

from __future__ import annotations

from typing import Final

from mha_core import Scenario, StackTrace, Trace
from mha_core.language import say
from mha_core.layer.matrices import axis_of
from mha_core.stack.head_products import (
    LOOKS_FOR,
    MOVES,
    OF_WORDS,
    WORDS_LOOK_FOR,
    WORDS_MOVE,
    head_product,
)
from ui.figures.drawing import HIGH, LOW, Look, cell_of_wide, figure_of
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix

WIDEST: Final = 64  # columns
PAIRS: Final = ((LOOKS_FOR, MOVES), (WORDS_LOOK_FOR, WORDS_MOVE))
TITLES: Final = {  # and what a row and a column are called
    LOOKS_FOR: (say("Looks for: W_Q W_Kᵀ"), say("query"), say("key")),
    MOVES: (say("Moves: W_V W_O"), say("taken"), say("output")),
    WORDS_LOOK_FOR: (say("Words look for words"), say("query"), say("key")),
    WORDS_MOVE: (say("Words become words"), say("taken"), say("output")),
}


def is_narrow(s: Scenario) -> bool:
    """Whether there are few enough numbers to be read."""
    return max(s.d_model, s.d_model_kv, s.d_model_v, s.d_out) <= WIDEST


def head_matrices_figure(
    trace: Trace, traces: StackTrace, layer: int, head: int, look: Look | None = None
) -> Figure:
    """What each number of a query wants of a key; what each number that is taken along becomes.

    Below them, the same from words to words, where X is an embedding of few words.
    """
    pairs = [[_matrix(traces, name, layer, head) for name in pair] for pair in PAIRS]
    rows = [[each for each in pair if each] for pair in pairs]
    rows = [row for row in rows if row]
    across = max(sum(matrix.values.shape[1] for matrix in row) for row in rows)
    alone = [[each] for row in rows for each in row]
    cell = cell_of_wide(across)
    return figure_of(rows, alone, look=look, cell=cell, high_if_wide=HIGH)


def _matrix(traces: StackTrace, name: str, layer: int, head: int) -> Matrix | None:
    found = head_product(traces, name, layer, head)
    if found is None or max(found.numbers.shape) > WIDEST:
        return None
    title, *words = TITLES[name]
    s = traces.layers[layer].scenario
    of_words = name in OF_WORDS
    axes = ("d_model", "d_model_kv") if name == LOOKS_FOR else ("d_model_v", "d_out")
    rows, columns = (say("word"),) * 2 if of_words else (axis_of(s, axis).kind for axis in axes)
    return Matrix(
        name=f"{name}/{head}",
        title=title,
        heading=title,
        values=found.numbers,
        row_labels=found.rows,
        column_labels=found.columns,
        rows=rows,
        columns=columns,
        row_word=words[0],
        column_word=words[1],
        color_group=name,
        has_own_range=True,
        leaves_zeros_out=True,
        row_height=LOW,
    )
