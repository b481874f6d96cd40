"""One head, looked at closely: as its equations, from Q, K and V to its output."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from mha_core import Scenario, Trace
from mha_core.language import say
from mha_core.layer.made_of import Changed
from mha_core.layer.matrices import head_that_serves
from mha_core.layer.naming import title_of_array
from mha_core.layer.steps import Step
from mha_core.layer.trace import HEAD_STEPS
from mha_core.layer.unchanged import is_unused, without_gate_of_additions, without_row_max
from mha_core.options.registry import OPTIONS
from ui.figures.board import Rows, exchanged, in_rows
from ui.figures.drawing import (
    HIGH,
    LARGE_TEXT,
    LARGE_UP_TO,
    LOW,
    Look,
    cell_of_wide,
    cell_size,
    figure_of,
    matrix_of,
    sized,
)
from ui.figures.equation import HeadEquation, Link, chain_in_lines
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix

IN_AN_EQUATION: Final = 8  # most columns of a head's vectors, if its scores have fewer
LARGE_CELL: Final = 48  # of a head that is looked at closely
IN_PAIRS: Final = 16  # most columns of a head's matrices, if two of them stand in one row
SUBSCRIPTS: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def one_head_figure(trace: Trace, head: int, look: Look | None = None) -> Figure:
    """One head from Q, K and V to its output; if they are wide, from its scores to its weights.

    A product stands right of its left factor and below the other one. A step that changes nothing
    is left out. If there are few columns, numbers are large, however high the picture is.
    """
    s = trace.scenario
    look = look or Look()
    steps = _links_of_head(trace, head, look)
    if is_wide(trace):
        return _large_figure(chain_in_lines(steps), look, max(s.n_q, s.n_k))
    queries, keys, values, output = (
        _of_one_head(trace, step, head, look) for step in vectors(trace)
    )
    queries = replace(queries, is_left_factor=True)
    equation = HeadEquation(queries, upright(keys), steps, values, output)
    return _large_figure(equation.arrangements, look, max(s.n_q, s.n_k, s.d_k, s.d_v))


def wide_head_figure(trace: Trace, head: int, look: Look | None = None) -> Figure | None:
    """Q, K, V and output of one head, where they are too wide to stand beside its scores."""
    if not is_wide(trace):
        return None
    q, k, v, output = (sized(_of_one_head(trace, step, head, look)) for step in vectors(trace))
    side = max(trace.scenario.d_k, trace.scenario.d_v)
    if side <= IN_PAIRS:
        return figure_of(
            [[q, k], [v, output]], look=look, high_if_wide=HIGH, cell=cell_of_wide(2 * side)
        )
    return figure_of(
        [[q], [k], [v], [output]], look=look, high_if_wide=HIGH, cell=cell_of_wide(side)
    )


def vectors(trace: Trace) -> tuple[str, ...]:
    """The steps with one head's vectors, a row for each token: values as they are blended."""
    return ("q_rotated", "k_rotated", blended_values(trace), "head_outputs")


def blended_values(trace: Trace) -> str:
    """The step with the values that weights blend."""
    return Trace.v_normed.computed_by(trace.scenario).name


def is_wide(trace: Trace) -> bool:
    """Whether a head's Q, K and V are too wide to stand beside its scores."""
    s = trace.scenario
    return max(s.d_k, s.d_v) > max(IN_AN_EQUATION, s.n_q, s.n_k)


def symbol_of(trace: Trace, step: str, head: int) -> str:
    """The symbol of a head's matrix, in letters.

    Under grouped queries, keys and values have the number of their own head.
    """
    own, s = head_that_serves(trace, step, head), trace.scenario
    symbol: str = getattr(type(trace), step).computed_by(s).symbol_in(s, own)
    in_letters = re.sub(r"_(\d+)", lambda number: number[1].translate(SUBSCRIPTS), symbol)
    return in_letters.replace("^M", "ᴹ").replace("^R", "ᴿ").replace("^G", "ᴳ").replace("^T", "ᵀ")


def upright(keys: Matrix) -> Matrix:
    """K_i^T from K_i, whose heading says "symbol: rows × columns"."""
    symbol, _, shape = keys.heading.partition(": ")
    rows, _, columns = shape.partition(" × ")
    return replace(keys.transposed, heading=f"{symbol}ᵀ: {columns} × {rows}")


def _of_one_head(trace: Trace, step: str, head: int, look: Look | None) -> Matrix:
    """A matrix in the picture of one head, under its title and its symbol.

    Vectors stand under their symbol, and what is on their axes: they share row labels with others.
    The caption says what happens, unless it has to say what colours stand for.
    """
    matrix = matrix_of(trace, step, head)
    symbol = symbol_of(trace, step, head)
    if matrix.columns == "key":
        is_a_letter = " " not in symbol  # a sum or a product, as Q_i K_i^T, is said in the caption
        heading = f"{title_of_array(step, type(trace))} {symbol if is_a_letter else ''}".strip()
    elif matrix.columns:
        heading = f"{symbol}: {' × '.join(matrix.words)}"
    else:
        heading = ""  # the symbol stands above the column
        matrix = replace(matrix, column_labels=(symbol,))
    says_colors = look is not None and not look.shared_scale
    caption = "" if says_colors else _what_happens(trace, step, head)
    return replace(matrix, heading=heading, caption=caption)


def _links_of_head(trace: Trace, head: int, look: Look) -> list[Link]:
    """The steps from the raw scores to the weights that change something.

    The exponentials have their sums beside them. They are from 0 to 1, like the weights, except
    those of a naive softmax.
    """
    links: list[list[Matrix]] = []
    for step in _steps_of_chain(trace.scenario):
        matrix = _of_one_head(trace, step, head, look)
        if step == "exponentials" and not without_row_max(trace.scenario):
            matrix = replace(matrix, scale="sequential", color_group="weights")
        if matrix.columns:
            links.append([matrix])
        elif step == "sink_weights":
            links[-1].append(matrix)  # beside the weights, in their colours
        else:
            links[-1].append(replace(matrix, color_group=step, has_own_range=True))
    return list(links)


def head_steps_in_use(s: Scenario) -> list[Step[Any]]:
    """The steps of a head from its scores to its output, so far as they change something.

    The largest score of a row is among them even where a naive softmax does not subtract it.
    """
    in_use = [
        step
        for step in HEAD_STEPS
        if step.computed_by(s) is step and (step is Trace.row_max or not is_unused(step.name, s))
    ]
    return in_use[in_use.index(Trace.raw_scores) :]


def _steps_of_chain(s: Scenario) -> list[str]:
    """The names of a head's steps, from its raw scores to its weights and its sink's share.

    The largest score of a row is left out. It keeps exp from overflowing, and no weight depends on
    it. A reader sees it in its row.
    """
    names = [step.name for step in head_steps_in_use(s)]
    left_out = {"row_max", *(["scaled_scores"] if s.scores.factor(s.d_k) == 1 else [])}
    return [name for name in names[: names.index("head_outputs")] if name not in left_out]


def _what_happens(trace: Trace, step: str, head: int) -> str:
    """How the matrix follows from those before it, in a few letters; nothing for a new step."""
    s = trace.scenario
    symbol = partial(symbol_of, trace, head=head)
    made_of = getattr(type(trace), step).made_of
    if isinstance(made_of, Changed):
        change, name = OPTIONS[made_of.option].step, made_of.option
        assert change is not None
        return change.happens(getattr(s.scores, name), s.scores.number(name, s.d_k))
    match step:
        case "raw_scores":
            return f"{symbol('q_rotated')} × {symbol('k_rotated')}ᵀ"
        case "relative_scores":
            return say("× R, by distance")
        case "summed_scores":
            return f"+ {symbol('relative_scores')}"
        case "grown_scores":
            return say("× growth of its row")
        case "f_gates":
            return say("two shares of each query")
        case "factors":
            return say("its factor")
        case "bias":
            return "" if without_gate_of_additions(s) else f"{symbol('factors')} × b_S"
        case "biased_scores":
            return f"+ {symbol('bias')}"
        case "masked_scores":
            return say("hidden: −∞")
        case "exponentials":
            return say("e^score") if without_row_max(s) else say("e^(score − max)")
        case "row_sums":
            return say("row sums")
        case "weights":
            return f"softmax: {symbol('exponentials')} ÷ {symbol('row_sums')}"
        case "sink_weights":
            return say("the sink's share")
        case "head_outputs":
            is_off = head in s.heads_off
            return say("off: all 0") if is_off else f"{symbol('weights')} × {symbol('v_normed')}"
    return ""


def _large_figure(arrangements: Sequence[Rows], look: Look, side: int) -> Figure:
    """A figure with large numbers, where there are few columns."""
    if side > LARGE_UP_TO:
        return figure_of(*arrangements, look=look, high_if_wide=HIGH, cell=cell_size(side))
    low = {m: replace(m, row_height=LOW) for m in in_rows(arrangements[0])}
    rows = [exchanged(each, low) for each in arrangements]
    return figure_of(*rows, look=look, cell=LARGE_CELL, text=LARGE_TEXT)
