"""Which matrices make which picture: into the heads, the heads, one head, the heads together.

What is said of a matrix (title, symbol, axes, labels) comes from its step, by `labelled_matrix`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core import Scenario, Trace
from mha_core.checks.shapes import FloatArray
from mha_core.layer.matrices import LabelledMatrix, head_that_serves, labelled_matrix
from mha_core.layer.naming import dims_of, has_heads, title_of_array
from mha_core.layer.trace import HEAD_STEPS
from mha_core.layer.unchanged import without_row_max
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.score_options import BY_ROOT_D_K
from ui import theme
from ui.figures.board import LEAST, Rows, exchanged, in_row, in_rows
from ui.figures.equation import HeadEquation, Link, chain_in_lines
from ui.figures.heatmap import LARGE, Figure, heatmap_grid
from ui.figures.matrix import MOST_CELLS_A_SIDE, Band, Headed, Matrix
from ui.number_format import MINUS, format_number

HEADS_A_PAGE: Final = 16
# A picture shows one of them.
SCORE_MATRICES: Final = ("raw_scores", "scaled_scores", "masked_scores")

PAGE_WIDTH: Final = 900  # pixels that the heads share on a projector
LABELS: Final = 150  # pixels beside a wide matrix, for its labels
CELL: Final = 40
CELL_OF_FOUR: Final = 30  # where four matrices share the width of the page
SMALLEST: Final = 1.5  # pixels of a cell without a number, on a narrow screen
LEAST_SIDE: Final = 160  # pixels of a matrix of many cells, on a narrow screen
TEXTURE_SIDE: Final = 320  # pixels of a matrix of many cells, on a wide screen
MOST_IN_A_ROW: Final = 8
IN_A_ROW: Final = 6  # cells that an output takes below its scores
IN_AN_EQUATION: Final = 8  # most columns of a head's vectors, if its scores have fewer
LARGE_CELL: Final = 48  # of a head that is looked at closely
SCREEN_HEIGHT: Final = 430  # pixels of all rows of a picture that fits on a projector
LARGE_TEXT: Final = 14  # pixels at which its numbers are read
LARGE_UP_TO: Final = 8  # columns
LOW: Final = 0.7  # widths of a cell that is as high as its number asks
WIDE_FROM: Final = 64  # columns
HIGH: Final = 3  # widths of a cell, in a row of so many columns
IN_PAIRS: Final = 16  # most columns of a head's matrices, if two of them stand in one row
VECTORS: Final = ("q_rotated", "k_rotated", "v_heads", "head_outputs")  # one head's, a row a token
MOST_WRITTEN: Final = 4096  # numbers; the browser writes no more into cells
SHARED: Final = ("w_k", "k", "w_v", "v")  # among query heads, where there are fewer key/value heads
MOST_BANDS: Final = 64  # above a matrix whose columns are shared
WHOLES: Final = ("concat", "w_o", "output")
SUBSCRIPTS: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Look:
    """How a figure shows its numbers."""

    decimals: int = 2
    shared_scale: bool = True
    values: bool = True
    palette: str = theme.DEFAULT_PALETTE


def into_heads_figure(trace: Trace, look: Look | None = None) -> Figure:
    """From X to Q, K and V: a product stands right of its left factor and below the other one.

    What is added stands below: P below X and above their sum, a bias below its projection.
    Where there is a second sequence, Q stands in the row of X, K and V in the row of C, and lines
    say so.
    """
    x = _sources(trace, "x", "positions", "x_positioned")
    c = (
        _sources(trace, "context", "context_positions", "context_positioned")
        if trace.scenario.context is not None
        else []
    )
    q, k, v = projected = [_projection(trace, name) for name in ("q", "k", "v")]
    if c:
        x[-1], c[-1] = replace(x[-1], feeds=("q",)), replace(c[-1], feeds=("k", "v"))
        *above, _ = _meeting(x, projected)
        its_parts = [[part, None, None, None] for part in c[:-1]]
        of_x, of_c = [x[-1], q.result, None, None], [c[-1], None, k.result, v.result]
        beside = [*above, of_x, *its_parts, of_c]
    else:
        beside = _meeting(x, projected)
    in_two = [*_meeting(x, [q]), *_meeting(c, [k, v])]
    one_below_the_other = [[m] for m in (*x, *q, *c, *k, *v) if m]
    return _figure(
        beside,
        in_two,
        one_below_the_other,
        look=replace(look or Look(), shared_scale=False),
        high_if_wide=True,
        cell=min(CELL_OF_FOUR, cell_size(max(max(m.values.shape) for m in in_rows(beside)))),
    )


def heads_figure(
    trace: Trace,
    heads: Sequence[int],
    steps: Sequence[str] = ("masked_scores", "weights"),
    look: Look | None = None,
) -> Figure:
    """Some heads, a column a head: the matrices of some steps below each other.

    Heads that do not fit side by side go on below: the browser takes the arrangement that suits
    its room. Cells that the mask hides are hatched.
    """
    s = trace.scenario
    look = look or Look()
    columns = [[_of_column(trace, step, head, steps) for step in steps] for head in heads]
    widest, title_chars = _widest_score(trace, heads, steps, look), _longest_title(trace, steps)
    return _figure(
        *arrangements(columns),
        look=look,
        cell=cell_size(max(s.n_q, s.n_k)),
        row_title_chars=title_chars,
        widest=widest,
    )


def one_head_figure(trace: Trace, head: int, look: Look | None = None) -> Figure:
    """One head from Q, K and V to its output; where they are wide, from its scores to its weights.

    A product stands right of its left factor and below the other one. A step that changes nothing
    is left out. Few numbers are large, however high the picture is.
    """
    s = trace.scenario
    look = look or Look()
    steps = _links_of_head(trace, head, look)
    if is_wide(trace):
        return _large_figure(chain_in_lines(steps), look, max(s.n_q, s.n_k))
    queries, keys, values, output = (_of_one_head(trace, step, head, look) for step in VECTORS)
    queries = replace(queries, is_left_factor=True)
    equation = HeadEquation(queries, upright(keys), steps, values, output)
    return _large_figure(equation.arrangements, look, max(s.n_q, s.n_k, s.d_k, s.d_v))


def wide_head_figure(trace: Trace, head: int, look: Look | None = None) -> Figure | None:
    """Q, K, V and output of one head, where they are too wide to stand beside its scores."""
    if not is_wide(trace):
        return None
    q, k, v, output = (_sized(_of_one_head(trace, step, head, look)) for step in VECTORS)
    side = max(trace.scenario.d_k, trace.scenario.d_v)
    if side <= IN_PAIRS:
        return _figure(
            [[q, k], [v, output]], look=look, high_if_wide=True, cell=_cell_of_wide(2 * side)
        )
    return _figure(
        [[q], [k], [v], [output]], look=look, high_if_wide=True, cell=_cell_of_wide(side)
    )


def together_figure(trace: Trace, look: Look | None = None) -> Figure:
    """What the heads make together: the output, right of the concatenation and below W_O.

    The bias stands below W_O, to which it is added as one more row.
    """
    s = trace.scenario
    concat, w_o, output = (_sized(_whole(trace, name)) for name in WHOLES)
    concat, b_o = replace(concat, is_left_factor=True), _bias_of_output(trace)
    meeting: Rows = [*([None, m] for m in (w_o, b_o) if m), [concat, output]]
    below: Rows = [[m] for m in (concat, w_o, b_o, output) if m]  # on a phone
    look = replace(look or Look(), shared_scale=False)
    cell = _cell_of_wide(max(s.n_q, s.n_heads * s.d_v + s.d_out))
    return _figure(meeting, below, look=look, high_if_wide=True, cell=cell)


def step_figure(
    trace: Trace, step: str, heads: Sequence[int], look: Look | None = None, **said: Any
) -> Figure:
    """One step or given array: some heads of it, a column a head; or all, where it has no heads.

    Keys and values that heads share stand there once. `said` is said of each matrix. One matrix
    says below it what its colours stand for: a bar would take the room of three columns.
    """
    axes = dims_of(trace, step).axes
    if not has_heads(trace, step):
        look = replace(look or Look(), shared_scale=False)
        return figure_of_one(replace(banded(trace, step, _whole(trace, step)), **said), look)
    columns = [
        [_sized(matrix_of(trace, step, head, **{**_headed_by(trace, axes[0], head), **said}))]
        for head in _one_for_each(trace, axes[0], heads)
    ]
    side = max(columns[0][0].values.shape)
    return _figure(
        *arrangements(columns), look=look, high_if_wide=True, cell=cell_size(side), smallest=1
    )


def mask_figure(trace: Trace, look: Look | None = None) -> Figure:
    """Who may attend to whom: 1 where a query may, hatched where it may not."""
    s = trace.scenario
    hidden = np.logical_not(trace.mask)
    matrix = matrix_of(trace, "mask", masked=hidden, is_zero_where_masked=True, heading="Mask")
    look = replace(look or Look(), values=False)
    return _figure([[matrix]], look=look, cell=cell_size(max(s.n_q, s.n_k)), color_bars=False)


def additive_figure(trace: Trace, look: Look | None = None) -> Figure:
    """What a person adds to the scores of every head; hatched where -inf hides a key."""
    s = trace.scenario
    added = added_mask(s)
    hidden = np.isneginf(added)
    matrix = matrix_of(
        trace,
        "mask",
        name="mask.additive",
        title="Additive mask",
        heading="Additive mask",
        values=np.where(hidden, 0, added),
        masked=hidden if hidden.any() else None,
        scale="diverging",
        color_group="added",
        is_given=True,
    )
    return _figure([[matrix]], look=look, cell=cell_size(max(s.n_q, s.n_k)))


def figure_of_one(matrix: Matrix, look: Look | None = None) -> Figure:
    """One matrix by itself, of any size."""
    cell = min(CELL_OF_FOUR, _cell_of_wide(max(matrix.values.shape)))
    low = replace(_sized(matrix), row_height=LOW)
    return _figure([[low]], look=look, high_if_wide=True, cell=cell)


def figure_in_rows(
    rows: Rows, *others: Rows, look: Look | None = None, shared_scale: bool = False
) -> Figure:
    """Matrices in rows, each in colours of its own, low enough for all of them to be in sight."""
    low = {m: replace(m, row_height=LOW) for m in in_rows(rows)}
    first, *more = [exchanged(each, low) for each in (rows, *others)]
    across = max(sum(m.across for m in in_row(row)) for row in first)
    down = sum(max(m.down for m in in_row(row)) for row in first)
    cell = min(_cell_of_wide(across), max(2, int(SCREEN_HEIGHT / down / 2)))
    look = replace(look or Look(), shared_scale=shared_scale)
    text = LARGE_TEXT if across <= LARGE_UP_TO + 1 else None  # scores, and a number for each row
    return _figure(first, *more, look=look, high_if_wide=True, cell=cell, text=text)


def added_mask(s: Scenario) -> FloatArray:
    """What is added to the scores of every head; zeros where nothing is given."""
    return np.zeros((s.n_q, s.n_k)) if s.mask.additive is None else s.mask.additive


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
        "row_source": matrix.rows.source,
        "column_source": matrix.columns.source,
        "scale": "sequential" if matrix.from_0_to_1 else "diverging",
        "color_group": _color_group(matrix, trace.scenario),
        "masked": matrix.hidden,
        "is_given": head is None and step in GIVEN,
    }
    return Matrix(**{**shown, **look})


def head_title(trace: Trace, head: int) -> str:
    return f"Head {head + 1}" + (", off" if head in trace.scenario.heads_off else "")


def is_wide(trace: Trace) -> bool:
    """Whether a head's Q, K and V are too wide to stand beside its scores."""
    s = trace.scenario
    return max(s.d_k, s.d_v) > max(IN_AN_EQUATION, s.n_q, s.n_k)


def cell_size(side: int) -> int:
    """Pixels of a cell: large enough to read while a matrix has few, else a texture."""
    return max(2, min(CELL, TEXTURE_SIDE // min(side, MOST_CELLS_A_SIDE)))


def arrangements(columns: Sequence[Sequence[Matrix]]) -> list[list[list[Matrix]]]:
    """Columns of matrices side by side, in fewer and fewer to a row, each as rows of matrices."""
    return [
        [
            [column[i] for column in columns[start : start + count]]
            for start in range(0, len(columns), count)
            for i in range(len(columns[0]))
        ]
        for count in even_counts(len(columns))
    ]


def even_counts(n: int) -> list[int]:
    """How many of n may stand in a row, the most first, so that all rows have as many.

    Where no number divides n, the last row may have one less.

    >>> even_counts(8), even_counts(4), even_counts(5)
    ([8, 4, 2, 1], [4, 2, 1], [5, 3, 2, 1])
    """
    counts = range(min(n, MOST_IN_A_ROW), 0, -1)
    is_prime = all(n % count for count in range(2, n))
    return [count for count in counts if n % count == 0 or (is_prime and n % count == count - 1)]


def _of_column(trace: Trace, step: str, head: int, steps: Sequence[str]) -> Matrix:
    """A matrix in the column of its head, whose name stands above the first."""
    heading = _headed(trace, head) if step == steps[0] else {}
    room = max(trace.scenario.n_k, IN_A_ROW)
    title = _row_title(trace, step)
    return matrix_of(trace, step, head, row_title=title, most_across=room, **heading)


def _headed(trace: Trace, head: int) -> dict[str, Any]:
    s = trace.scenario
    return {
        "heading": head_title(trace, head),
        "headed": Headed(head, s.n_heads, head in s.heads_off),
        "color": theme.head_color(head),
    }


def _one_for_each(trace: Trace, axis: str, heads: Sequence[int]) -> Sequence[int]:
    """Of these query heads, the first of those that share a matrix."""
    s = trace.scenario
    shared_by = s.n_heads // s.n_kv_heads if axis == "n_kv_heads" else 1
    return [head for head in heads if head % shared_by == 0] or heads[:1]


def _headed_by(trace: Trace, axis: str, head: int) -> dict[str, Any]:
    """The heading of a query head; of keys and values that heads share, that of their own head."""
    s = trace.scenario
    if axis == "n_heads" or s.n_heads == s.n_kv_heads:
        return _headed(trace, head)
    return {"heading": f"Key/value head {head * s.n_kv_heads // s.n_heads + 1}"}


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


def longest_number(
    arrays: Iterable[FloatArray], decimals: int, write: Callable[..., str] = format_number
) -> str:
    """The longest of their numbers as text: one at an end. What is hidden is none."""
    seen = [values[np.isfinite(values)] for values in arrays]
    ends = [float(end) for values in seen if values.size for end in (values.min(), values.max())]
    return max((write(end, decimals) for end in ends), key=len, default="")


def _row_title(trace: Trace, step: str) -> str:
    """A row of masked scores is one of scores where no mask hides any."""
    is_unmasked = step == "masked_scores" and trace.scenario.mask.hides_nothing
    return "Scores" if is_unmasked else title_of_array(step, type(trace))


def _of_one_head(trace: Trace, step: str, head: int, look: Look | None) -> Matrix:
    """A matrix in the picture of one head, under its title and its symbol.

    Vectors stand under their symbol, and what is on their axes: they share row labels with others.
    The caption says what happens; it has no room for that where it says what colours stand for.
    """
    matrix = matrix_of(trace, step, head)
    symbol = symbol_of(trace, step, head)
    if matrix.columns == "key":
        is_a_letter = " " not in symbol  # a sum or a product, as Q_i K_i^T, is said in the caption
        heading = f"{title_of_array(step, type(trace))} {symbol if is_a_letter else ''}".strip()
    elif matrix.columns:
        heading = f"{symbol}: {matrix.rows} × {matrix.columns}"
    else:
        heading = ""  # the symbol stands above the column
        matrix = replace(matrix, column_labels=(symbol,))
    says_colors = look is not None and not look.shared_scale
    caption = "" if says_colors else _what_happens(trace, step, head)
    return replace(matrix, heading=heading, caption=caption)


def upright(keys: Matrix) -> Matrix:
    """K_i^T from K_i, whose heading says "symbol: rows × columns"."""
    symbol, _, shape = keys.heading.partition(": ")
    rows, _, columns = shape.partition(" × ")
    return replace(keys.transposed, heading=f"{symbol}ᵀ: {columns} × {rows}")


def _links_of_head(trace: Trace, head: int, look: Look) -> list[Link]:
    """The steps from the raw scores to the weights that change something.

    The exponentials have their sums beside them. They are from 0 to 1, like the weights, but those
    of a naive softmax.
    """
    links: list[list[Matrix]] = []
    for step in _steps_in_use(trace):
        matrix = _of_one_head(trace, step, head, look)
        if step == "exponentials" and not without_row_max(trace.scenario):
            matrix = replace(matrix, scale="sequential", color_group="weights")
        if matrix.columns:
            links.append([matrix])
        else:
            links[-1].append(replace(matrix, color_group=step, has_own_range=True))
    return list(links)


def _steps_in_use(trace: Trace) -> list[str]:
    """The names of a head's steps, from its raw scores to its weights.

    The largest score of a row is left out. It keeps exp from overflowing, and no weight depends on
    it. A reader sees it in its row.
    """
    s = trace.scenario
    names = [step.name for step in HEAD_STEPS if step.computed_by(s) is step]
    changing = names[names.index("raw_scores") : names.index("weights") + 1]
    idle = {"row_max"}
    if s.scores.factor(s.d_k) == 1:
        idle.add("scaled_scores")
    if "biased_scores" not in changing:
        idle.add("bias")
    return [name for name in changing if name not in idle]


def _what_happens(trace: Trace, step: str, head: int) -> str:
    """How the matrix follows from those before it, in a few letters; of a new step, nothing."""
    s = trace.scenario
    symbol = partial(symbol_of, trace, head=head)
    match step:
        case "raw_scores":
            return f"{symbol('q_rotated')} × {symbol('k_rotated')}ᵀ"
        case "scaled_scores" if s.scores.scale == BY_ROOT_D_K:
            return "÷ √d_k"
        case "scaled_scores":
            return f"× {s.scores.factor(s.d_k):.4g}".replace("-", MINUS)
        case "capped_scores":
            return f"bent to ±{s.scores.softcap:g}"
        case "biased_scores":
            return f"+ {symbol('bias')}"
        case "masked_scores":
            return "hidden: −∞"
        case "tempered_scores":
            return f"÷ {s.scores.temperature:.4g}"
        case "exponentials":
            return "e^score" if without_row_max(s) else "e^(score − max)"
        case "row_sums":
            return "row sums"
        case "weights":
            return f"softmax: {symbol('exponentials')} ÷ {symbol('row_sums')}"
        case "head_outputs":
            is_off = head in s.heads_off
            return "off: all 0" if is_off else f"{symbol('weights')} × {symbol('v_heads')}"
    return ""


def symbol_of(trace: Trace, step: str, head: int) -> str:
    """The symbol of a head's matrix, in letters.

    Under grouped queries, keys and values have the number of their own head.
    """
    own = head_that_serves(trace, step, head)
    symbol: str = getattr(type(trace), step).computed_by(trace.scenario).symbol
    in_letters = symbol.replace("_i", str(own + 1).translate(SUBSCRIPTS))
    return in_letters.replace("^M", "ᴹ").replace("^T", "ᵀ")


class _Projection(NamedTuple):
    """A projection with its bias, if it has one, and what it makes of its input."""

    weights: Matrix
    bias: Matrix | None
    result: Matrix


def _projection(trace: Trace, name: str) -> _Projection:
    """Q, K or V by its step's name, with what makes it."""
    s = trace.scenario
    weights, result = (_with_bands(s, _shaped(trace, n)) for n in (f"w_{name}", name))
    bias = None
    if getattr(s, f"b_{name}") is not None:
        bias = matrix_of(trace, f"b_{name}", row_labels=(f"+ b_{name.upper()}",))
    return _Projection(weights, bias, result)


def _sources(trace: Trace, given: str, positions: str, positioned: str) -> list[Matrix]:
    """An input as it was given; where positions are added to it, those too, and the sum."""
    is_moved = getattr(type(trace), positioned).computed_by(trace.scenario).name == positioned
    names = [given, positions, positioned] if is_moved else [given]
    return [_shaped(trace, name) for name in names]


def _meeting(
    source: Sequence[Matrix], projections: Sequence[_Projection]
) -> list[Sequence[Matrix | None]]:
    """The left factor, the projections above its right side, and the products where they meet.

    The last of the source is the factor; those before it are its parts, and stand above it. Without
    a source there is no column for one.
    """
    weights, biases, results = zip(*projections, strict=True)
    left: list[Sequence[Matrix | None]] = [[], [], []]
    if source:
        parts: Sequence[Matrix | None] = source[:-1] or [None, None]
        left = [[part] for part in (*parts, source[-1])]
    rows = [[*left[0], *weights], [*left[1], *biases], [*left[2], *results]]
    return [row for row in rows if in_row(row)]


def _shaped(trace: Trace, name: str) -> Matrix:
    """A matrix under its symbol and its shape."""
    matrix = matrix_of(trace, name)
    rows, columns = matrix.values.shape
    symbol = labelled_matrix(trace, name).symbol
    return replace(matrix, heading=f"{symbol}: {rows} × {columns}")


def _with_bands(s: Scenario, matrix: Matrix) -> Matrix:
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


def _bias_of_output(trace: Trace) -> Matrix | None:
    return None if trace.scenario.b_o is None else matrix_of(trace, "b_o", row_labels=("+ b_O",))


def _whole(trace: Trace, name: str) -> Matrix:
    """A matrix of all heads, under its title; where heads stand side by side, in their colours."""
    matrix = matrix_of(trace, name)
    matrix = replace(matrix, heading=matrix.title)
    return _with_bands(trace.scenario, matrix) if matrix.columns == "concat" else matrix


def banded(trace: Trace, name: str, matrix: Matrix) -> Matrix:
    """An array of all heads: where these stand side by side, in their colours."""
    heads, stand_beside, _ = dims_of(trace, name).axes[-1].partition("*")
    has_own_bands = heads == "n_heads" or name in SHARED
    if stand_beside and has_own_bands and not matrix.bands:
        return _with_bands(trace.scenario, matrix)
    return matrix


def _finite(matrix: LabelledMatrix) -> Any:
    """The numbers, with 0 for what is hidden, as minus infinity has no colour."""
    values = np.asarray(matrix.values, np.float64) if matrix.values.dtype == bool else matrix.values
    return values if matrix.hidden is None else np.where(matrix.hidden, 0, values)


def _color_group(matrix: LabelledMatrix, s: Scenario) -> str:
    """Numbers of one kind share a range of colours: weights, scores, and vectors.

    The exponentials of a naive softmax may be so large that beside them no score had a colour.
    """
    if matrix.from_0_to_1:
        return "weights"
    if without_row_max(s) and matrix.step in ("exponentials", "row_sums"):
        return "exponentials"
    return "scores" if matrix.columns.kind == "key" else "vectors"


def _cell_of_wide(side: int) -> int:
    """Pixels of a cell where so many share the width of the page."""
    return min(CELL, (PAGE_WIDTH - LABELS) // min(side, MOST_CELLS_A_SIDE))


def _sized(matrix: Matrix) -> Matrix:
    """The matrix, its caption saying how many numbers it has where they are too many to count."""
    if max(matrix.values.shape) <= MOST_CELLS_A_SIDE:
        return matrix
    n_rows, n_columns = matrix.values.shape
    return replace(matrix, caption=f"{n_rows} × {n_columns} numbers")


def _large_figure(arrangements: Sequence[Rows], look: Look, side: int) -> Figure:
    """A figure with large numbers, where there are few columns."""
    if side > LARGE_UP_TO:
        return _figure(*arrangements, look=look, high_if_wide=True, cell=cell_size(side))
    low = {m: replace(m, row_height=LOW) for m in in_rows(arrangements[0])}
    rows = [exchanged(each, low) for each in arrangements]
    return _figure(*rows, look=look, cell=LARGE_CELL, text=LARGE_TEXT)


def _figure(
    rows: Rows,
    *others: Rows,
    look: Look | None,
    cell: int,
    text: int | None = None,
    high_if_wide: bool = False,
    color_bars: bool = True,
    row_title_chars: int = 0,
    widest: str = "",
    smallest: float = SMALLEST,
) -> Figure:
    """`high_if_wide` makes all rows high where one matrix has many columns: rows stay aligned."""
    look = look or Look()
    if high_if_wide and any(len(m.column_labels) > WIDE_FROM for m in in_rows(rows)):
        high = {m: replace(m, row_height=HIGH) for m in in_rows(rows)}
        rows, others = exchanged(rows, high), tuple(exchanged(each, high) for each in others)
    is_small = cell < LARGE or any(matrix.is_squeezed for matrix in in_rows(rows))
    longest = max(matrix.across for matrix in in_rows(rows))
    return heatmap_grid(
        rows,
        others=others,
        widest=widest,
        text=text,
        color_bars=color_bars,
        cell=cell,
        least_cell=min(cell, LEAST, max(smallest, LEAST_SIDE / longest)),
        decimals=look.decimals,
        values=look.values,
        shared_scale=look.shared_scale,
        palette=look.palette,
        zoom=is_small,
        row_title_chars=row_title_chars,
    )
