"""The pictures of a forward pass: every head's scores and weights, and the heads together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mha_core.shapes import FloatArray
from mha_core.trace import Trace
from ui.figures.heatmap import Figure, Matrix, heatmap_grid
from ui.theme import head_color

SCORE_STEPS: Final = ("raw_scores", "scaled_scores", "masked_scores")


def heads_figure(
    trace: Trace, *, scores: str = "masked_scores", decimals: int = 2, shared_scale: bool = True
) -> Figure:
    """All heads, a column a head: scores above weights.

    `scores` names the step that is shown. Cells that the mask hides are hatched in both rows.
    """
    heads = range(trace.scenario.n_heads)
    above = [_of_head(trace, scores, head, heading=f"Head {head + 1}") for head in heads]
    below = [_of_head(trace, "weights", head) for head in heads]
    return heatmap_grid([above, below], decimals=decimals, shared_scale=shared_scale)


def together_figure(trace: Trace, *, decimals: int = 2) -> Figure:
    """What the heads make together: concatenation, W_O and the output, side by side."""
    s = trace.scenario
    inner = [f"{head + 1}.{j + 1}" for head in range(s.n_heads) for j in range(s.d_v)]
    outer = numbers(s.d_out)
    matrices = [
        _matrix("concat", trace.concat, s.tokens, inner, "query", "inner", "Concatenation"),
        _matrix("w_o", s.w_o, inner, outer, "inner", "output", "W_O"),
        _matrix("output", trace.output, s.tokens, outer, "query", "output", "Output"),
    ]
    return heatmap_grid([matrices], decimals=decimals, shared_scale=False)


def numbers(count: int) -> list[str]:
    """Columns that have no name of their own, counted from 1."""
    return [str(i + 1) for i in range(count)]


def _of_head(trace: Trace, step: str, head: int, *, heading: str = "") -> Matrix:
    s = trace.scenario
    is_weights = step == "weights"
    values = getattr(trace, step)[head]
    masked = ~trace.mask
    return Matrix(
        name=f"{step}/{head}",
        title=f"{'weights' if is_weights else 'scores'}, head {head + 1}",
        values=np.where(masked, 0, values) if step == "masked_scores" else values,
        row_labels=s.tokens,
        column_labels=s.key_tokens,
        scale="sequential" if is_weights else "diverging",
        masked=masked if masked.any() and step != "raw_scores" else None,
        heading=heading,
        color=head_color(head),
    )


def _matrix(
    name: str,
    values: FloatArray,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    rows: str,
    columns: str,
    heading: str,
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
    )
