"""Pictures that fill a screen: products, each with as few words around it as can be.

Letters that are seen from the back row take much room. So each matrix has colours of its own, and
neither a bar nor a caption says how far they go: people read that off the numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core import Trace
from mha_core.guide.screens import SCREENS, Screen
from ui.figures.board import PRESENTED, TIGHT, Rows, exchanged, in_row, in_rows
from ui.figures.drawing import HIGH, LOW, Look, cell_of_wide, figure_of, matrix_of
from ui.figures.equation import HeadEquation
from ui.figures.figure import Figure
from ui.figures.into_heads import into_heads_figure
from ui.figures.matrix import Matrix
from ui.figures.one_head import blended_values, symbol_of, upright
from ui.figures.pictures import step_figure
from ui.figures.walkthrough import ONE_RANGE, rows_of_screen

SCORES: Final = (  # one after the other, as far as each changes something
    *("raw_scores", "relative_scores", "summed_scores"),
    "grown_scores",
    *("scaled_scores", "capped_scores", "biased_scores"),
    *("masked_scores", "tempered_scores"),
)
# The room below a title on a screen of 1280 x 720, in pixels of the board, as in
# ui/plot/js/presenting/on_screen.js.
SCREEN: Final = (580, 285)
LEAST_CELL: Final = 1
MOST_IN_A_ROW: Final = 6  # matrices of an operation


def operation_figure(
    trace: Trace, screen: Screen, head: int, look: Look | None = None, height: float = LOW
) -> Figure:
    """What goes into an operation and what comes out, where the walkthrough has it.

    Where there is room, all stand in one row: then cells can be larger. `height` is that of a cell,
    in its widths.
    """
    rows = rows_of_screen(trace, screen, head)
    matrices = _as_read(rows)
    in_a_row: list[Rows] = [[matrices]] if len(matrices) <= MOST_IN_A_ROW else []
    arrangements = [*in_a_row, rows, [[m] for m in matrices]]
    return _filling(arrangements, look, height, has_one_scale=screen.name in ONE_RANGE)


def step_on_screen(
    trace: Trace, step: str, heads: Sequence[int], look: Look | None = None
) -> Figure:
    """One step of some heads.

    From the raw scores to those that softmax gets, colours have one range: so people who go from
    part to part see that scores are divided.
    """
    reach = {"scores": _reach_of_scores(trace, heads)} if step in SCORES else {}
    return step_figure(trace, step, heads, look, reach=reach, spacing=PRESENTED)


def _reach_of_scores(trace: Trace, heads: Sequence[int]) -> float:
    """How far from 0 the scores of some heads go, before and after all that is done to them."""
    arrays = (getattr(trace, name)[list(heads)] for name in SCORES)
    return max(float(np.abs(scores[np.isfinite(scores)]).max(initial=0)) for scores in arrays)


def together_on_screen(trace: Trace, look: Look | None = None) -> Figure:
    """The concatenation of the heads, W_O, and the output."""
    return operation_figure(trace, SCREENS["output"], 0, look)


def short_equation_figure(
    trace: Trace, head: int, look: Look | None = None, height: float = LOW
) -> Figure:
    """One head: queries meet keys, and the resulting weights meet values.

    The steps from scores to weights are left out: with them there would be no room for numbers.
    """
    factors = ("q_rotated", "k_rotated", "weights", blended_values(trace), "head_outputs")
    queries, keys, weights, values, output = (_headed(trace, step, head) for step in factors)
    queries = replace(queries, is_left_factor=True)
    equation = HeadEquation(queries, upright(keys), [[weights]], values, output)
    return _filling(equation.arrangements, look, height=height)


def into_heads_on_screen(trace: Trace, look: Look | None = None) -> Figure | None:
    """The way into the heads as a whole; None where that is too much for one screen."""
    figure = into_heads_figure(trace, look)
    widest = figure.arrangements[0]
    needed = widest.width.at(LEAST_CELL), widest.height.at(LEAST_CELL)
    if any(n > room for n, room in zip(needed, SCREEN, strict=True)):
        return None
    return replace(figure, heatmaps=tuple(each.saying(caption="") for each in figure.heatmaps))


def _as_read(rows: Rows) -> list[Matrix]:
    """From left to right. The left factor of a product comes first."""
    *above, last = rows
    if above and above[0][0] is None and last[0]:
        return [last[0], *in_rows(above), *in_row(last[1:])]
    return in_rows(rows)


def _filling(
    arrangements: Sequence[Rows],
    look: Look | None,
    height: float = LOW,
    *,
    has_one_scale: bool = False,
) -> Figure:
    """Low rows, and colours that need no words: each matrix has its own, or all have the same."""
    own = {
        m: replace(m, row_height=height, color_group="" if has_one_scale else m.name)
        for m in in_rows(arrangements[0])
    }
    rows = [exchanged(each, own) for each in arrangements]
    across = max(sum(m.across for m in in_row(row)) for row in rows[0])
    look = replace(look or Look(), shared_scale=True)
    cell = cell_of_wide(across)
    return figure_of(
        *rows, look=look, high_if_wide=HIGH, cell=cell, color_bars=False, spacings=[TIGHT]
    )


def _headed(trace: Trace, step: str, head: int) -> Matrix:
    """A matrix of one head under its symbol and its shape."""
    matrix = matrix_of(trace, step, head)
    rows, columns = matrix.values.shape
    return replace(matrix, heading=f"{symbol_of(trace, step, head)}: {rows} × {columns}")
