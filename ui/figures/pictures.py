"""Which matrices make which picture: the heads, the heads together, one step, the mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core import Scenario, Trace
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.naming import dims_of, has_heads, title_of_array
from ui import theme
from ui.figures.board import USUAL, Rows, Spacing
from ui.figures.drawing import (
    HIGH,
    HIGH_BESIDE_ANOTHER,
    LOW,
    Look,
    banded,
    cell_of_wide,
    cell_size,
    figure_of,
    figure_of_one,
    longest_number,
    matrix_of,
    sized,
    with_bands,
)
from ui.figures.figure import Figure
from ui.figures.matrix import Headed, Matrix

# A picture shows one of them.
SCORE_MATRICES: Final = ("raw_scores", "scaled_scores", "masked_scores")
HEADS_A_PAGE: Final = 16
MOST_IN_A_ROW: Final = 8
IN_A_ROW: Final = 6  # cells that an output takes below its scores
MOST_WRITTEN: Final = 4096  # numbers; the browser writes no more into cells
WHOLES: Final = ("concat", "w_o", "output")


def heads_figure(
    trace: Trace,
    heads: Sequence[int],
    steps: Sequence[str] = ("masked_scores", "weights"),
    look: Look | None = None,
    *,
    reach: Mapping[str, float] | None = None,
) -> Figure:
    """Some heads, a column a head: the matrices of some steps below each other.

    Heads that do not fit side by side go on below: the browser takes the arrangement that suits
    its room. Cells that the mask hides are hatched.
    """
    s = trace.scenario
    look = look or Look()
    columns = [[column_of_head(trace, step, head, steps) for step in steps] for head in heads]
    widest, title_chars = _widest_score(trace, heads, steps, look), _longest_title(trace, steps)
    return figure_of(
        *arrangements(columns),
        look=look,
        cell=cell_size(max(s.n_q, s.n_k)),
        row_title_chars=title_chars,
        widest=widest,
        reach=reach,
    )


def together_figure(trace: Trace, look: Look | None = None) -> Figure:
    """What the heads make together: the output, right of the concatenation and below W_O.

    The bias stands below W_O, to which it is added as one more row.
    """
    s = trace.scenario
    concat, w_o, output = (_low(_whole(trace, name)) for name in WHOLES)
    concat = replace(concat, is_left_factor=True)
    b_o = None if s.b_o is None else _low(matrix_of(trace, "b_o", row_labels=("+ b_O",)))
    meeting: Rows = [*([None, m] for m in (w_o, b_o) if m), [concat, output]]
    below: Rows = [[m] for m in (concat, w_o, b_o, output) if m]  # on a phone
    look = replace(look or Look(), shared_scale=False)
    cell = cell_of_wide(max(s.n_q, s.n_heads * s.d_v + s.d_out))
    return figure_of(meeting, below, look=look, high_if_wide=HIGH_BESIDE_ANOTHER, cell=cell)


def step_figure(
    trace: Trace,
    step: str,
    heads: Sequence[int],
    look: Look | None = None,
    *,
    reach: Mapping[str, float] | None = None,
    has_bars: bool = True,
    spacing: Spacing = USUAL,
    **said: Any,
) -> Figure:
    """One step or given array: some of its heads, a column each; or all of it, without heads.

    Keys and values that heads share stand there once. Each matrix gets the words of `said`, and
    colours go as far as `reach` says. A single matrix says below it what its colours stand for: a
    bar would take the room of three columns.
    """
    axes = dims_of(trace, step).axes
    if not has_heads(trace, step):
        look = replace(look or Look(), shared_scale=False)
        return figure_of_one(replace(banded(trace, step, _whole(trace, step)), **said), look)
    columns = [
        [sized(matrix_of(trace, step, head, **{**_headed_by(trace, axes[0], head), **said}))]
        for head in _one_for_each(trace, axes[0], heads)
    ]
    side = max(columns[0][0].values.shape)
    return figure_of(
        *arrangements(columns),
        look=look,
        high_if_wide=HIGH,
        cell=cell_size(side),
        smallest=1,
        color_bars=has_bars,
        spacings=[spacing],
        reach=reach,
    )


def mask_figure(trace: Trace, look: Look | None = None) -> Figure:
    """Who may attend to whom: 1 where a query may, hatched where it may not."""
    s = trace.scenario
    hidden = np.logical_not(trace.mask)
    matrix = matrix_of(trace, "mask", masked=hidden, is_zero_where_masked=True, heading=say("Mask"))
    look = replace(look or Look(), values=False)
    return figure_of([[matrix]], look=look, cell=cell_size(max(s.n_q, s.n_k)), color_bars=False)


def additive_figure(trace: Trace, look: Look | None = None) -> Figure:
    """What a person adds to the scores of every head; hatched where -inf hides a key."""
    s = trace.scenario
    added = added_mask(s)
    hidden = np.isneginf(added)
    matrix = matrix_of(
        trace,
        "mask",
        name="mask.additive",
        title=say("Additive mask"),
        heading=say("Additive mask"),
        values=np.where(hidden, 0, added),
        masked=hidden if hidden.any() else None,
        scale="diverging",
        color_group="added",
        is_given=True,
    )
    return figure_of([[matrix]], look=look, cell=cell_size(max(s.n_q, s.n_k)))


def own_additions_figure(trace: Trace, look: Look | None = None) -> Figure | None:
    """What each head adds to its own scores, the heads one below the other; None without it.

    The constants of a gate stand below.
    """
    s = trace.scenario
    if s.b_s is None:
        return None
    heading = say("b_S: a block for each head")
    matrix = matrix_of(trace, "b_s", heading=heading, scale="diverging", color_group="added")
    rows = [[matrix]]
    if s.c_f is not None:
        heading = say("c_F: the constant of each head's gate")
        rows.append([matrix_of(trace, "c_f", heading=heading, scale="diverging")])
    return figure_of(rows, look=look, cell=cell_size(max(s.n_heads * s.n_q, s.n_k)))


def sinks_figure(trace: Trace, look: Look | None = None) -> Figure | None:
    """The score of each head's sink, in one row; None without sinks."""
    s = trace.scenario
    if s.sinks is None:
        return None
    heading = say("The score of each head's sink")
    matrix = matrix_of(trace, "sinks", heading=heading, scale="diverging", color_group="added")
    return figure_of([[matrix]], look=look, cell=cell_size(s.n_heads))


def distances_figure(trace: Trace, look: Look | None = None) -> Figure | None:
    """The vectors of distances, the heads side by side; None where no distance has one."""
    s = trace.scenario
    given = [name for name in ("r_k", "r_q") if getattr(s, name) is not None]
    if not given:
        return None
    words = {
        "r_k": say("R_K: a row for each distance, which queries meet"),
        "r_q": say("R_Q: a row for each distance, which keys meet"),
    }
    rows = [[replace(with_bands(s, matrix_of(trace, n)), heading=words[n])] for n in given]
    return figure_of(rows, look=look, cell=cell_of_wide(s.n_heads * s.d_k))


def added_mask(s: Scenario) -> FloatArray:
    """What is added to the scores of every head; zeros where nothing is given."""
    return np.zeros((s.n_q, s.n_k)) if s.mask.additive is None else s.mask.additive


def head_title(trace: Trace, head: int) -> str:
    is_off = head in trace.scenario.heads_off
    return (say("Head {head}, off") if is_off else say("Head {head}")).format(head=head + 1)


def arrangements(columns: Sequence[Sequence[Matrix | None]]) -> list[Rows]:
    """Columns of matrices side by side, fewer and fewer to a row, each as rows of matrices."""
    return [
        [
            [column[i] for column in columns[start : start + count]]
            for start in range(0, len(columns), count)
            for i in range(len(columns[0]))
        ]
        for count in even_counts(len(columns))
    ]


def even_counts(n: int) -> list[int]:
    """How many of n may stand in a row so that all rows are full, the most first.

    Where no number divides n, the last row may have one less.

    >>> even_counts(8), even_counts(4), even_counts(5)
    ([8, 4, 2, 1], [4, 2, 1], [5, 3, 2, 1])
    """
    counts = range(min(n, MOST_IN_A_ROW), 0, -1)
    is_prime = all(n % count for count in range(2, n))
    return [count for count in counts if n % count == 0 or (is_prime and n % count == count - 1)]


def column_of_head(trace: Trace, step: str, head: int, steps: Sequence[str]) -> Matrix:
    """A matrix in the column of its head, whose name stands above the first."""
    heading = headed(trace, head) if step == steps[0] else {}
    room = max(trace.scenario.n_k, IN_A_ROW)
    title = _row_title(trace, step)
    return matrix_of(trace, step, head, row_title=title, most_across=room, **heading)


def headed(trace: Trace, head: int) -> dict[str, Any]:
    """What a matrix says of the head that its heading names."""
    s = trace.scenario
    return {
        "heading": head_title(trace, head),
        "headed": Headed(head, s.n_heads, head in s.heads_off),
        "color": theme.head_color(head),
    }


def _one_for_each(trace: Trace, axis: str, heads: Sequence[int]) -> Sequence[int]:
    """Of the query heads that share a matrix, only the first."""
    s = trace.scenario
    shared_by = s.n_heads // s.n_kv_heads if axis == "n_kv_heads" else 1
    return [head for head in heads if head % shared_by == 0] or heads[:1]


def _headed_by(trace: Trace, axis: str, head: int) -> dict[str, Any]:
    """The heading of a query head. Shared keys and values have that of their own head."""
    s = trace.scenario
    if axis == "n_heads" or s.n_heads == s.n_kv_heads:
        return headed(trace, head)
    own = head * s.n_kv_heads // s.n_heads + 1
    return {"heading": say("Key/value head {head}").format(head=own)}


def _longest_title(trace: Trace, steps: Sequence[str]) -> int:
    """Letters of the longest row title, so that other scores move nothing."""
    choices = [*steps, *SCORE_MATRICES] if set(steps) & set(SCORE_MATRICES) else steps
    return max(len(title_of_array(step, type(trace))) for step in choices)


def _widest_score(trace: Trace, heads: Sequence[int], steps: Sequence[str], look: Look) -> str:
    """The longest number of raw, scaled and masked scores, so that all have cells of one size."""
    s = trace.scenario
    is_written = look.values and len(heads) * len(steps) * s.n_q * s.n_k <= MOST_WRITTEN
    if not is_written or not set(steps) & set(SCORE_MATRICES):
        return ""
    scores = [getattr(trace, step)[list(heads)] for step in SCORE_MATRICES]
    return longest_number(scores, look.decimals)


def _row_title(trace: Trace, step: str) -> str:
    """If no mask hides any, the masked scores are called scores."""
    is_unmasked = step == "masked_scores" and trace.scenario.mask.hides_nothing
    return say("Scores") if is_unmasked else title_of_array(step, type(trace))


def _low(matrix: Matrix) -> Matrix:
    return replace(sized(matrix), row_height=LOW)


def _whole(trace: Trace, name: str) -> Matrix:
    """A matrix of all heads, under its title; with their colours if they stand side by side."""
    matrix = matrix_of(trace, name)
    matrix = replace(matrix, heading=matrix.title)
    return with_bands(trace.scenario, matrix) if matrix.columns == "concat" else matrix
