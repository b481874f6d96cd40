"""What pictures of the tests show: two heads in one figure, and their output."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ui import theme
from ui.figures.figure import Figure
from ui.figures.heatmap import heatmap_grid
from ui.figures.matrix import MOST_CELLS_A_SIDE, Matrix

ALT: Final = "Scores above weights of every head"
HOSTILE: Final = "<img src=x onerror=alert(1)>"
WORDS: Final = ["I", "LOVE", "PEPPERONI", "PIZZA", "AND", "A", "GLASS", "OF"]


def labels(n_tokens: int, hostile: bool) -> list[str]:
    words = [
        WORDS[i % len(WORDS)] + (str(i // len(WORDS)) if i >= len(WORDS) else "")
        for i in range(n_tokens)
    ]
    return [HOSTILE, "<b>bold</b>", *words[2:]] if hostile else words


def heads(
    n_heads: int = 2,
    n_tokens: int = 4,
    seed: int = 3,
    *,
    hostile: bool = False,
    zoom: bool = False,
    least_cell: int = 12,
    only_itself: bool = False,
) -> Figure:
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 2, (n_heads, n_tokens, n_tokens))
    every = np.ones((n_tokens, n_tokens), dtype=bool)
    masked = every & ~np.eye(n_tokens, dtype=bool) if only_itself else np.triu(every, 1)
    weights = np.exp(np.where(masked, -np.inf, scores))
    weights /= weights.sum(-1, keepdims=True)
    tokens = labels(n_tokens, hostile)
    common: dict[str, Any] = {"row_labels": tokens, "column_labels": tokens, "masked": masked}
    numbers = range(n_heads)
    above = [
        Matrix(
            f"scores/{h}",
            f"scores, head {h + 1}",
            scores[h],
            **common,
            heading=f"Head {h + 1}",
            color=theme.head_color(h),
        )
        for h in numbers
    ]
    below = [
        Matrix(
            f"weights/{h}",
            f"weights, head {h + 1}",
            weights[h],
            **common,
            scale="sequential",
            caption=f"{n_tokens} × {n_tokens} numbers" if n_tokens > MOST_CELLS_A_SIDE else "",
        )
        for h in numbers
    ]
    return heatmap_grid([above, below], zoom=zoom, least_cell=least_cell)


def output(n_tokens: int = 4, *, hostile: bool = False) -> Figure:
    values = np.random.default_rng(5).normal(size=(n_tokens, 6))
    features = [str(i) for i in range(6)]
    tokens = labels(n_tokens, hostile)
    matrix = Matrix(
        "output", "output", values, tokens, features, columns="feature", heading="Output"
    )
    return heatmap_grid([[matrix]])
