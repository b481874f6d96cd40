"""Into the heads: X, the projections, and Q, K and V where they meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mha_core import Scenario, Trace
from mha_core.layer.matrices import head_that_serves, labelled_matrix
from mha_core.layer.unchanged import (
    without_factor_of_values,
    without_gate,
    without_gate_of_additions,
    without_norm_of_values,
    without_norms,
    without_rotations,
)
from ui import theme
from ui.figures.board import in_row, in_rows
from ui.figures.drawing import (
    CELL_OF_FOUR,
    HIGH,
    HIGH_AMONG_FOUR,
    Look,
    cell_size,
    figure_of,
    matrix_of,
    with_bands,
)
from ui.figures.figure import Figure
from ui.figures.matrix import Matrix
from ui.figures.one_head import symbol_of
from ui.figures.pictures import arrangements

POSITIONED: Final = {  # the positions of an input, and the sum of both
    "x": ("positions", "x_positioned"),
    "context": ("context_positions", "context_positioned"),
}


def projected(s: Scenario) -> tuple[str, ...]:
    """The steps that projections make: queries, keys and values, and the scores of gates."""
    of_gates = {"f": without_gate_of_additions(s), "g": without_gate(s)}
    return ("q", "k", "v", *(name for name, is_missing in of_gates.items() if not is_missing))


def into_heads_figure(trace: Trace, look: Look | None = None) -> Figure:
    """From X to Q, K and V, and to the scores of gates.

    A product stands right of its left factor and below the other one. What is added stands below: P
    below X and above their sum, a bias below its projection. Where there is a second sequence, Q
    and the gates stand in the row of X, K and V in the row of C, and lines say so. Where values
    have rows of their own, V stands in the row of these.
    """
    s = trace.scenario
    names = projected(s)
    projections = {name: _projection(trace, name) for name in names}
    made = _made_of_each(s, names)
    sources = {name: _sources(trace, name) for name in made}
    if len(made) > 1:
        beside = _in_rows_of_their_sources(sources, made, projections)
        groups = [(sources[name], [projections[each] for each in of]) for name, of in made.items()]
    else:
        beside = _meeting(sources["x"], [*projections.values()])
        q, k, v, *of_gates = projections.values()
        groups = [(sources["x"], [q, *of_gates]), ([], [k, v])]
    in_two = [row for source, of in groups for row in _meeting(source, of)]
    before = {of[0]: sources[source] for source, of in made.items()}  # the first that is made of it
    one_below_the_other = [
        [matrix]
        for name, one in projections.items()
        for matrix in (*before.get(name, ()), *one)
        if matrix
    ]
    return figure_of(
        beside,
        in_two,
        one_below_the_other,
        look=replace(look or Look(), shared_scale=False),
        high_if_wide=HIGH_AMONG_FOUR,
        cell=min(CELL_OF_FOUR, cell_size(max(max(m.values.shape) for m in in_rows(beside)))),
    )


def rotated_figure(trace: Trace, heads: Sequence[int], look: Look | None = None) -> Figure | None:
    """The queries of some heads above their keys, as they meet: after their norm and rotation.

    Values that are normed or have a factor stand below. None where there is neither.

    Keys and values that heads share stand below the first of these heads.
    """
    s = trace.scenario
    steps = [] if without_rotations(s) and without_norms(s) else ["q_rotated", "k_rotated"]
    keeps_values = without_norm_of_values(s) and without_factor_of_values(s)
    steps += [] if keeps_values else ["v_normed"]
    if not steps:
        return None
    columns = [[_once(trace, step, head, heads) for step in steps] for head in heads]
    side = max(s.n_q, s.n_k, s.d_k)
    look = replace(look or Look(), shared_scale=True)
    arranged = [[row for row in rows if in_row(row)] for rows in arrangements(columns)]
    return figure_of(*arranged, look=look, high_if_wide=HIGH, cell=cell_size(side))


def gated_figure(trace: Trace, heads: Sequence[int], look: Look | None = None) -> Figure | None:
    """What some heads give, their gates, and what these let through; None without a gate."""
    s = trace.scenario
    if without_gate(s):
        return None
    steps = ("head_outputs", "gates", "gated_outputs")
    columns = [[_turned(trace, step, head) for step in steps] for head in heads]
    look = replace(look or Look(), shared_scale=True)
    cell = cell_size(max(s.n_q, s.d_v))
    return figure_of(*arrangements(columns), look=look, high_if_wide=HIGH, cell=cell)


def gated_additions_figure(
    trace: Trace, heads: Sequence[int], look: Look | None = None
) -> Figure | None:
    """The shares and factors of some heads, and what they add; None without that gate."""
    s = trace.scenario
    if without_gate_of_additions(s):
        return None
    steps = ("f_gates", "factors", "bias")
    columns = [[_turned(trace, step, head) for step in steps] for head in heads]
    cell = cell_size(max(s.n_q, s.n_k))
    return figure_of(*arrangements(columns), look=look, high_if_wide=HIGH, cell=cell)


def _once(trace: Trace, step: str, head: int, heads: Sequence[int]) -> Matrix | None:
    """The vectors of a head, unless an earlier one of these heads has the same."""
    own = head_that_serves(trace, step, head)
    first = next(each for each in heads if head_that_serves(trace, step, each) == own)
    return _turned(trace, step, head) if head == first else None


def _turned(trace: Trace, step: str, head: int) -> Matrix:
    """Vectors of a head under their symbol and their shape, in the colour of the query head."""
    matrix = matrix_of(trace, step, head, color=theme.head_color(head))
    rows, columns = matrix.values.shape
    return replace(matrix, heading=f"{symbol_of(trace, step, head)}: {rows} × {columns}")


class _Projection(NamedTuple):
    """A projection with its bias, if it has one, and what it makes of its input."""

    weights: Matrix
    bias: Matrix | None
    result: Matrix


def _projection(trace: Trace, name: str) -> _Projection:
    """Q, K or V by its step's name, with what makes it."""
    s = trace.scenario
    weights, result = (with_bands(s, _shaped(trace, n)) for n in (f"w_{name}", name))
    bias = None
    if getattr(s, f"b_{name}") is not None:
        bias = matrix_of(trace, f"b_{name}", row_labels=(f"+ b_{name.upper()}",))
    return _Projection(weights, bias, result)


def _made_of_each(s: Scenario, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What is made of X, of a second sequence, and of rows that values alone are made from."""
    of_keys = "x" if s.context is None else "context"
    of_values = of_keys if s.context_v is None else "context_v"
    source_of = {"q": "x", "k": of_keys, "v": of_values, "f": "x", "g": "x"}
    return {
        source: tuple(name for name in names if source_of[name] == source)
        for source in dict.fromkeys(source_of[name] for name in names)
    }


def _in_rows_of_their_sources(
    sources: Mapping[str, list[Matrix]],
    made: Mapping[str, tuple[str, ...]],
    projections: Mapping[str, _Projection],
) -> list[Sequence[Matrix | None]]:
    """All projections in one row, and each product in the row of what it is made of."""
    for name, of in made.items():
        feeds = tuple(projections[each].result.name for each in of)
        sources[name][-1] = replace(sources[name][-1], feeds=feeds)
    rows = _meeting(sources["x"], [*projections.values()])[:-1]
    for name, of in made.items():
        *parts, factor = sources[name]
        if name != "x":  # whose parts stand above already
            rows += [[part, *[None] * len(projections)] for part in parts]
        products = [one.result if each in of else None for each, one in projections.items()]
        rows.append([factor, *products])
    return rows


def _sources(trace: Trace, given: str) -> list[Matrix]:
    """An input as it was given. If positions are added to it, also those and the sum."""
    if given not in POSITIONED:
        return [_shaped(trace, given)]
    positions, positioned = POSITIONED[given]
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
