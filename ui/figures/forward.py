"""The pictures of a forward pass: every head's scores and weights, and the heads together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from mha_core import Trace
from mha_core.checks.shapes import FloatArray
from ui import theme
from ui.figures.heatmap import LARGE, MOST, Band, Figure, Matrix, heatmap_grid

# The steps that a row of the picture may show, by the word of the page.
SCORE_STEPS: Final = {"raw": "raw_scores", "scaled": "scaled_scores", "masked": "masked_scores"}
HEADS_A_PAGE: Final = 16

PAGE_WIDTH: Final = 900  # pixels that the heads share on a projector
LABELS: Final = 150  # pixels beside a wide matrix, for its labels
CELL: Final = 40
TEXTURE_SIDE: Final = 250  # of a matrix whose cells are too many to read
MOST_IN_A_ROW: Final = 8
SIDE_BY_SIDE: Final = 12  # columns of the widest matrices whose values fit beside each other
IN_A_ROW: Final = 6  # and of a head's, of which there are six
IN_PAIRS: Final = 16  # and where two stand beside each other
WHOLES: Final = ("concat", "w_o", "output")
OF_A_HEAD: Final = ("q", "k", "v", "out")

Axis = tuple[str, Sequence[str]]  # the kind of thing on an axis, and its labels


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
        [
            head_matrix(trace, step, head, heading=step == steps[0], row_title=ROW_TITLES[step])
            for head in band
        ]
        for band in bands
        for step in steps
    ]
    return _figure(grid, look, cell)


def one_head_figure(
    trace: Trace, head: int, scores: str = "masked", look: Look | None = None
) -> Figure:
    """One head from Q, K and V to its output; where they are wide, its scores and weights alone."""
    s = trace.scenario
    row = [
        head_matrix(trace, SCORE_STEPS[scores], head, title="Scores"),
        head_matrix(trace, "weights", head, title="Weights"),
    ]
    if is_wide(trace):
        return _figure([row], look, cell_size(max(s.n_q, s.n_k)))
    q, k, v, output = (whole(trace, f"{name}/{head}") for name in OF_A_HEAD)
    cell = cell_size(max(s.n_q, s.n_k, s.d_k, s.d_v))
    return _figure([[q, k, v, *row, output]], look, cell)


def wide_head_figure(trace: Trace, head: int, look: Look | None = None) -> Figure | None:
    """Q, K, V and output of one head, where they are too wide to stand beside its scores."""
    if not is_wide(trace):
        return None
    q, k, v, output = (_sized(whole(trace, f"{name}/{head}")) for name in OF_A_HEAD)
    side = max(trace.scenario.d_k, trace.scenario.d_v)
    if side <= IN_PAIRS:
        return _figure([[q, k], [v, output]], look, _cell_of_wide(2 * side))
    return _figure([[q], [k], [v], [output]], look, _cell_of_wide(side))


def together_figure(trace: Trace, look: Look | None = None) -> Figure:
    """What the heads make together: concatenation, W_O and output; wide ones without W_O."""
    concat, w_o, output = (_sized(whole(trace, name)) for name in WHOLES)
    look = replace(look or Look(), shared_scale=False)
    side = _widest(trace)
    if side <= SIDE_BY_SIDE:
        return _figure([[concat, w_o, output]], look, cell_size(side))
    return _figure([[concat], [output]], look, _cell_of_wide(side))


def w_o_figure(trace: Trace, look: Look | None = None) -> Figure | None:
    """W_O by itself, where it is too wide to stand beside the others; else None."""
    side = _widest(trace)
    if side <= SIDE_BY_SIDE:
        return None
    return _figure([[_sized(whole(trace, "w_o"))]], look, cell_size(side) + 1)


def contributions_figure(trace: Trace, heads: Sequence[int], look: Look | None = None) -> Figure:
    """What each head alone adds to the output: head_i W_O_i."""
    s = trace.scenario
    cell = cell_size(max(s.n_q, s.d_out))
    across = heads_across(len(heads), min(s.d_out, MOST) * cell)
    matrices = [_sized(whole(trace, f"contributions/{head}")) for head in heads]
    rows = [matrices[start : start + across] for start in range(0, len(heads), across)]
    return _figure(rows, look, cell)


def whole(trace: Trace, name: str) -> Matrix:
    """Any matrix over d_k, d_v or d_model by the name that a click reports, all of it."""
    s = trace.scenario
    kind, _, number = name.partition("/")
    head = int(number or 0)
    shared = head * s.n_kv_heads // s.n_heads
    inner = [f"{i + 1}.{j + 1}" for i in range(s.n_heads) for j in range(s.d_v)]
    q, k = ("query", s.tokens), ("key", s.key_tokens)
    d_k, d_v = ("d_k", numbers(s.d_k)), ("d_v", numbers(s.d_v))
    middle, out = ("concat", inner), ("output", numbers(s.d_out))
    sources: Mapping[str, tuple[str, Callable[[], FloatArray], Axis, Axis]] = {
        "q": ("Q", lambda: trace.q_rotated[head], q, d_k),
        "k": ("K", lambda: trace.k_rotated[shared], k, d_k),
        "v": ("V", lambda: trace.v_heads[shared], k, d_v),
        "out": ("Output", lambda: trace.head_outputs[head], q, d_v),
        "contributions": (f"Head {head + 1}", lambda: trace.contributions[head], q, out),
        "concat": ("Concatenation", lambda: trace.concat, q, middle),
        "w_o": ("W_O", lambda: s.w_o, middle, out),
        "output": ("Output", lambda: trace.output, q, out),
    }
    heading, values, (rows, row_labels), (columns, column_labels) = sources[kind]
    bands = [Band(i * s.d_v, (i + 1) * s.d_v, theme.head_color(i)) for i in range(s.n_heads)]
    return Matrix(
        name=name,
        title=heading,
        values=values(),
        row_labels=row_labels,
        column_labels=column_labels,
        rows=rows,
        columns=columns,
        heading=head_title(trace, head) if kind == "contributions" else heading,
        color=theme.head_color(head) if kind == "contributions" else "",
        bands=bands if kind == "concat" else (),
        high_rows=True,
    )


def head_matrix(
    trace: Trace,
    step: str,
    head: int,
    *,
    heading: bool = True,
    title: str = "",
    row_title: str = "",
) -> Matrix:
    """One step of one head as a heatmap, headed by the head or by a title of its own."""
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
        heading=(title or head_title(trace, head)) if heading else "",
        row_title=row_title,
        color="" if title else theme.head_color(head),
    )


def head_title(trace: Trace, head: int) -> str:
    return f"Head {head + 1}" + (", off" if head in trace.scenario.heads_off else "")


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
    return _figure([[matrix]], look, cell_size(max(s.n_q, s.n_k)), color_bars=False)


def is_wide(trace: Trace) -> bool:
    """Whether a head's Q, K and V are too wide to stand beside its scores."""
    s = trace.scenario
    return max(s.d_k, s.d_v) > max(IN_A_ROW, s.n_q, s.n_k)


def cell_size(side: int) -> int:
    """Pixels of a cell: large enough to read while a matrix has few, else a texture."""
    return max(2, min(CELL, TEXTURE_SIDE // min(side, MOST)))


def heads_across(count: int, width: int) -> int:
    """How many matrices of so many pixels stand side by side."""
    return max(1, min(count, MOST_IN_A_ROW, PAGE_WIDTH // (width + 30)))


def numbers(count: int) -> list[str]:
    """Columns that have no name of their own, counted from 1."""
    return [str(i + 1) for i in range(count)]


ROW_TITLES: Final = {
    "raw_scores": "raw scores",
    "scaled_scores": "scaled scores",
    "masked_scores": "scores",
    "weights": "weights",
    "head_outputs": "outputs",
}
_ROWS: Final = {"weights": "weights", "outputs": "head_outputs"}
_WORDS: Final = {"weights": "weights", "head_outputs": "output"}


def _widest(trace: Trace) -> int:
    """The longest side of what the heads make together."""
    s = trace.scenario
    return max(s.n_q, s.n_heads * s.d_v, s.d_out)


def _cell_of_wide(side: int) -> int:
    """Pixels of a cell where so many share the width of the page."""
    return min(CELL, (PAGE_WIDTH - LABELS) // min(side, MOST))


def _sized(matrix: Matrix) -> Matrix:
    """The matrix, its caption saying how many numbers it has where they are too many to count."""
    if max(matrix.values.shape) <= MOST:
        return matrix
    n_rows, n_columns = matrix.values.shape
    return replace(matrix, caption=f"{n_rows} × {n_columns} numbers")


def _figure(
    rows: Sequence[Sequence[Matrix]], look: Look | None, cell: int, *, color_bars: bool = True
) -> Figure:
    look = look or Look()
    return heatmap_grid(
        rows,
        color_bars=color_bars,
        cell=cell,
        least_cell=18 if cell > 18 else 1.5 if cell < 4 else cell,
        decimals=look.decimals,
        values=look.values,
        shared_scale=look.shared_scale,
        palette=look.palette,
        zoom=cell < LARGE,
    )
