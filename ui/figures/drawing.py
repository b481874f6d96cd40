"""What all pictures are drawn with: a matrix of a trace, how a figure shows it, the sizes of cells.

The words on a matrix (title, symbol, axes, labels) come from its step, by `labelled_matrix`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np

from mha_core import Scenario, Trace
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.matrices import LabelledMatrix, head_that_serves, labelled_matrix
from mha_core.layer.naming import dims_of
from mha_core.layer.unchanged import without_row_max
from mha_core.scenario.given_arrays import GIVEN
from ui import theme
from ui.figures.board import LEAST, USUAL, Rows, Spacing, exchanged, in_row, in_rows
from ui.figures.figure import Figure
from ui.figures.heatmap import LARGE, heatmap_grid
from ui.figures.matrix import MOST_CELLS_A_SIDE, Band, Matrix
from ui.number_format import format_number

PAGE_WIDTH: Final = 900  # pixels that the heads share on a projector
LABELS: Final = 150  # pixels beside a wide matrix, for its labels
CELL: Final = 40
CELL_OF_FOUR: Final = 30  # where four matrices share the width of the page
SMALLEST: Final = 1.5  # pixels of a cell without a number, on a narrow screen
LEAST_SIDE: Final = 160  # pixels of a matrix of many cells, on a narrow screen
TEXTURE_SIDE: Final = 320  # pixels of a matrix of many cells, on a wide screen
SCREEN_HEIGHT: Final = 430  # pixels of all rows of a picture that fits on a projector
LARGE_TEXT: Final = 14  # pixels at which its numbers are read
LARGE_UP_TO: Final = 8  # columns
LOW: Final = 0.7  # widths of a cell that is as high as its number asks
WIDE_FROM: Final = 64  # columns
# Widths of a cell, in a row of so many columns: zoomed in, numbers have room. Where matrices stand
# side by side, the cells are narrower.
HIGH: Final = 3
HIGH_BESIDE_ANOTHER: Final = 2 * HIGH
HIGH_AMONG_FOUR: Final = 3.5 * HIGH
SHARED: Final = ("w_k", "k", "w_v", "v")  # among query heads, where there are fewer key/value heads
MOST_BANDS: Final = 64  # above a matrix whose columns are shared


@dataclass(frozen=True)
class Look:
    """How a figure shows its numbers."""

    decimals: int = 2
    shared_scale: bool = True
    values: bool = True
    palette: str = theme.DEFAULT_PALETTE


def matrix_of(trace: Trace, step: str, head: int | None = None, **look: Any) -> Matrix:
    """The matrix of a step or of a given array, as a picture shows it.

    `head` is a query head; under grouped queries it shares its keys and values with others.
    """
    own = None if head is None else head_that_serves(trace, step, head)
    matrix = labelled_matrix(trace, step, own)
    shown: dict[str, Any] = {
        "name": matrix.name,
        "title": matrix.title,
        "values": _finite(matrix),
        "row_labels": matrix.rows.labels,
        "column_labels": matrix.columns.labels,
        "rows": matrix.rows.kind,
        "columns": matrix.columns.kind,
        "row_word": matrix.rows.word,
        "column_word": matrix.columns.word,
        "row_source": matrix.rows.source,
        "column_source": matrix.columns.source,
        "scale": "sequential" if matrix.from_0_to_1 else "diverging",
        "color_group": _color_group(matrix, trace.scenario),
        "masked": matrix.hidden,
        "is_given": head is None and step in GIVEN,
    }
    return Matrix(**{**shown, **look})


def figure_of(
    rows: Rows,
    *others: Rows,
    look: Look | None,
    cell: float,
    text: int | None = None,
    high_if_wide: float = 0,
    color_bars: bool = True,
    row_title_chars: int = 0,
    spacings: Sequence[Spacing] = (USUAL,),
    shows_free_place: bool = False,
    widest: str = "",
    smallest: float = SMALLEST,
    enough: float | None = None,
    least: float | None = None,
    reach: Mapping[str, float] | None = None,
    zooms: bool = True,
) -> Figure:
    """`high_if_wide` is how high all rows are where one matrix has many columns.

    Where cells are small, a part of a matrix is zoomed into, unless it never `zooms`.
    """
    look = look or Look()
    if high_if_wide and any(len(m.column_labels) > WIDE_FROM for m in in_rows(rows)):
        high = {m: replace(m, row_height=high_if_wide) for m in in_rows(rows)}
        rows, others = exchanged(rows, high), tuple(exchanged(each, high) for each in others)
    is_small = cell < LARGE or any(matrix.is_squeezed for matrix in in_rows(rows))
    longest = max(matrix.across for matrix in in_rows(rows))
    return heatmap_grid(
        rows,
        others=others,
        widest=widest,
        text=text,
        reach=reach,
        color_bars=color_bars,
        cell=cell,
        least_cell=least or min(cell, LEAST, max(smallest, LEAST_SIDE / longest)),
        enough=enough,
        decimals=look.decimals,
        values=look.values,
        shared_scale=look.shared_scale,
        palette=look.palette,
        zoom=is_small and zooms,
        row_title_chars=row_title_chars,
        spacings=spacings,
        shows_free_place=shows_free_place,
    )


def figure_of_one(matrix: Matrix, look: Look | None = None) -> Figure:
    """One matrix by itself, of any size."""
    cell = min(CELL_OF_FOUR, cell_of_wide(max(matrix.values.shape)))
    low = replace(sized(matrix), row_height=LOW)
    return figure_of([[low]], look=look, high_if_wide=HIGH, cell=cell)


def figure_in_rows(
    rows: Rows, *others: Rows, look: Look | None = None, shared_scale: bool = False
) -> Figure:
    """Matrices in rows, each in its own colours, so low that all of them are in sight."""
    low = {m: replace(m, row_height=LOW) for m in in_rows(rows)}
    first, *more = [exchanged(each, low) for each in (rows, *others)]
    across = max(sum(m.across for m in in_row(row)) for row in first)
    down = sum(max(m.down for m in in_row(row)) for row in first)
    cell = min(cell_of_wide(across), max(2, int(SCREEN_HEIGHT / down / 2)))
    look = replace(look or Look(), shared_scale=shared_scale)
    text = LARGE_TEXT if across <= LARGE_UP_TO + 1 else None  # scores, and a number for each row
    return figure_of(first, *more, look=look, high_if_wide=HIGH, cell=cell, text=text)


def cell_size(side: int) -> int:
    """Pixels of a cell: large enough to read while a matrix has few, else a texture."""
    return max(2, min(CELL, TEXTURE_SIDE // min(side, MOST_CELLS_A_SIDE)))


def cell_of_wide(side: int) -> int:
    """Pixels of a cell where so many share the width of the page."""
    return min(CELL, (PAGE_WIDTH - LABELS) // min(side, MOST_CELLS_A_SIDE))


def sized(matrix: Matrix) -> Matrix:
    """The matrix. Its caption says how many numbers it has, if they are too many to count."""
    if max(matrix.values.shape) <= MOST_CELLS_A_SIDE:
        return matrix
    n_rows, n_columns = matrix.values.shape
    says = say("{rows} × {columns} numbers")
    return replace(matrix, caption=says.format(rows=n_rows, columns=n_columns))


def longest_number(
    arrays: Iterable[FloatArray], decimals: int, write: Callable[..., str] = format_number
) -> str:
    """Their longest number as text: a smallest or a largest. Hidden cells do not count."""
    seen = [values[np.isfinite(values)] for values in arrays]
    ends = [float(end) for values in seen if values.size for end in (values.min(), values.max())]
    return max((write(end, decimals) for end in ends), key=len, default="")


def banded(trace: Trace, name: str, matrix: Matrix) -> Matrix:
    """An array of all heads. If they stand side by side, it has their colours."""
    heads, stand_beside, _ = dims_of(trace, name).axes[-1].partition("*")
    has_own_bands = heads == "n_heads" or name in SHARED
    if stand_beside and has_own_bands and not matrix.bands:
        return with_bands(trace.scenario, matrix)
    return matrix


def with_bands(s: Scenario, matrix: Matrix) -> Matrix:
    """The matrix with the colours of the heads above their columns.

    Query heads that share a key/value head take turns above its columns: in each column, or once
    where that would be too many.
    """
    heads = s.n_kv_heads if matrix.name in SHARED else s.n_heads
    n_columns, sharing = matrix.values.shape[1], s.n_heads // heads
    turns = heads if sharing == 1 or n_columns * sharing > MOST_BANDS else n_columns
    width = n_columns / turns / sharing
    bands = [
        Band(i * width, (i + 1) * width, theme.head_color(sharing * (turn * heads // turns) + part))
        for i, (turn, part) in enumerate(product(range(turns), range(sharing)))
    ]
    return replace(matrix, bands=bands)


def _finite(matrix: LabelledMatrix) -> Any:
    """The numbers, with 0 for what is hidden, as minus infinity has no colour."""
    values = np.asarray(matrix.values, np.float64) if matrix.values.dtype == bool else matrix.values
    return values if matrix.hidden is None else np.where(matrix.hidden, 0, values)


def _color_group(matrix: LabelledMatrix, s: Scenario) -> str:
    """Numbers of one kind share a range of colours: weights, scores, and vectors.

    The exponentials of a naive softmax may be so large that no score beside them has a colour.
    """
    if matrix.from_0_to_1:
        return "weights"
    if without_row_max(s) and matrix.step in ("exponentials", "row_sums"):
        return "exponentials"
    return "scores" if matrix.columns.kind == "key" else "vectors"
