"""The pictures of a forward pass: every head's scores and weights, and the heads together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mha_core import Trace
from mha_core.shapes import FloatArray
from ui import theme
from ui.figures.heatmap import Band, Figure, Matrix, heatmap_grid

# The steps that a row of the picture may show, by the word of the page.
SCORE_STEPS: Final = {"raw": "raw_scores", "scaled": "scaled_scores", "masked": "masked_scores"}
HEADS_A_PAGE: Final = 16

PAGE_WIDTH: Final = 900  # pixels that the heads share on a projector
CELL: Final = 36
TEXTURE_SIDE: Final = 250  # of a matrix whose cells are too many to read
MOST_IN_A_ROW: Final = 8


@dataclass(frozen=True)
class Look:
    """How a figure shows its numbers."""

    decimals: int = 2
    shared_scale: bool = True
    values: bool = True
    palette: str = theme.DEFAULT_PALETTE


def heads_figure(
    trace: Trace,
    heads: Sequence[int],
    *,
    scores: str = "masked",
    rows: Sequence[str] = ("scores", "weights"),
    look: Look | None = None,
) -> Figure:
    """Some heads, a column a head: scores above weights above outputs, as `rows` says.

    Heads that do not fit side by side go on below. Cells that the mask hides are hatched.
    """
    s = trace.scenario
    cell = cell_size(max(s.n_q, s.n_k))
    across = heads_across(len(heads), s.n_k * cell)
    steps = [SCORE_STEPS[scores] if row == "scores" else _ROWS[row] for row in rows]
    bands = [heads[start : start + across] for start in range(0, len(heads), across)]
    grid = [
        [head_matrix(trace, step, head, heading=step == steps[0]) for head in band]
        for band in bands
        for step in steps
    ]
    return _figure(grid, look, cell)


def one_head_figure(
    trace: Trace, head: int, *, scores: str = "masked", look: Look | None = None
) -> Figure:
    """One head from Q, K and V to its output, side by side."""
    s = trace.scenario
    shared = head * s.n_kv_heads // s.n_heads
    queries, keys, values = trace.q_rotated[head], trace.k_rotated[shared], trace.v_heads[shared]
    outputs = trace.head_outputs[head]
    k_columns, v_columns = numbers(s.d_k), numbers(s.d_v)
    row = [
        _plain(f"q/{head}", "Q", queries, s.tokens, k_columns, "query", "d_k"),
        _plain(f"k/{head}", "K", keys, s.key_tokens, k_columns, "key", "d_k"),
        _plain(f"v/{head}", "V", values, s.key_tokens, v_columns, "key", "d_v"),
        head_matrix(trace, SCORE_STEPS[scores], head, title="Scores"),
        head_matrix(trace, "weights", head, title="Weights"),
        _plain(f"out/{head}", "Output", outputs, s.tokens, v_columns, "query", "d_v"),
    ]
    return _figure([row], look, cell_size(max(s.n_q, s.n_k, s.d_k, s.d_v)))


def together_figure(trace: Trace, look: Look | None = None) -> Figure:
    """What the heads make together: concatenation, W_O and the output, side by side."""
    s = trace.scenario
    inner = [f"{head + 1}.{j + 1}" for head in range(s.n_heads) for j in range(s.d_v)]
    outer = numbers(s.d_out)
    bands = [
        Band(head * s.d_v, (head + 1) * s.d_v, theme.head_color(head)) for head in range(s.n_heads)
    ]
    row = [
        _plain("concat", "Concatenation", trace.concat, s.tokens, inner, "query", "inner", bands),
        _plain("w_o", "W_O", s.w_o, inner, outer, "inner", "output"),
        _plain("output", "Output", trace.output, s.tokens, outer, "query", "output"),
    ]
    look = replace(look or Look(), shared_scale=False)
    return _figure([row], look, cell_size(max(s.n_q, len(inner), len(outer))))


def contributions_figure(trace: Trace, heads: Sequence[int], look: Look | None = None) -> Figure:
    """What each head alone adds to the output: head_i W_O_i."""
    s = trace.scenario
    outer = numbers(s.d_out)
    cell = cell_size(max(s.n_q, s.d_out))
    across = heads_across(len(heads), s.d_out * cell)
    matrices = [
        _plain(
            f"contributions/{head}",
            f"Head {head + 1}",
            trace.contributions[head],
            s.tokens,
            outer,
            "query",
            "output",
            color=theme.head_color(head),
        )
        for head in heads
    ]
    rows = [matrices[start : start + across] for start in range(0, len(heads), across)]
    return _figure(rows, look, cell)


def head_matrix(
    trace: Trace, step: str, head: int, *, heading: bool = True, title: str = ""
) -> Matrix:
    """One step of one head as a heatmap."""
    s = trace.scenario
    values = getattr(trace, step)[head]
    is_scores = step in SCORE_STEPS.values()
    over_keys = is_scores or step == "weights"
    masked = ~trace.mask if over_keys and not trace.mask.all() and step != "raw_scores" else None
    return Matrix(
        name=f"{step}/{head}",
        title=f"{_WORDS.get(step, 'scores')}, head {head + 1}",
        values=values if masked is None else np.where(masked, 0, values),
        row_labels=s.tokens,
        column_labels=s.key_tokens if over_keys else numbers(s.d_v),
        columns="key" if over_keys else "d_v",
        scale="sequential" if step == "weights" else "diverging",
        masked=masked,
        heading=(title or f"Head {head + 1}") if heading else "",
        color="" if title else theme.head_color(head),
    )


def mask_figure(trace: Trace, look: Look | None = None) -> Figure:
    """Who may attend to whom: 1 where a query may, hatched where it may not."""
    s = trace.scenario
    matrix = Matrix(
        name="mask",
        title="mask",
        values=trace.mask.astype(np.float64),
        row_labels=s.tokens,
        column_labels=s.key_tokens,
        scale="sequential",
        masked=~trace.mask,
    )
    look = replace(look or Look(), values=False)
    return _figure([[matrix]], look, cell_size(max(s.n_q, s.n_k)))


def cell_size(side: int) -> int:
    """Pixels of a cell: large enough to read while a matrix has few, else a texture."""
    return max(2, min(CELL, TEXTURE_SIDE // side))


def heads_across(count: int, width: int) -> int:
    """How many matrices of so many pixels stand side by side."""
    return max(1, min(count, MOST_IN_A_ROW, PAGE_WIDTH // (width + 30)))


def numbers(count: int) -> list[str]:
    """Columns that have no name of their own, counted from 1."""
    return [str(i + 1) for i in range(count)]


_ROWS: Final = {"weights": "weights", "outputs": "head_outputs"}
_WORDS: Final = {"weights": "weights", "head_outputs": "output"}


def _plain(
    name: str,
    heading: str,
    values: FloatArray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    rows: str,
    columns: str,
    bands: Sequence[Band] = (),
    color: str = "",
) -> Matrix:
    return Matrix(
        name=name,
        title=heading,
        values=values,
        row_labels=row_labels,
        column_labels=column_labels,
        rows=rows,
        columns=columns,
        heading=heading,
        color=color,
        bands=bands,
    )


def _figure(rows: Sequence[Sequence[Matrix]], look: Look | None, cell: int) -> Figure:
    look = look or Look()
    return heatmap_grid(
        rows,
        cell=cell,
        least_cell=min(cell, 18),
        decimals=look.decimals,
        values=look.values,
        shared_scale=look.shared_scale,
        palette=look.palette,
        zoom=cell < 10,
    )
