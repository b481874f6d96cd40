"""The picture of one screen of the walkthrough: what goes in, and where it comes out.

A product stands where the rows of its left factor meet the columns of the other one. All else goes
from left to right. On a narrow screen all matrices stand below each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from mha_core import Trace
from mha_core.guide.screens import Screen
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.naming import has_heads
from mha_core.scenario.given_arrays import GIVEN
from ui.figures.board import Rows, in_row, in_rows
from ui.figures.drawing import Look, banded, figure_in_rows, matrix_of
from ui.figures.figure import Figure, Walk
from ui.figures.matrix import Matrix
from ui.figures.one_head import symbol_of, upright

MOST_HEADS: Final = 8  # that stand side by side before they are joined
MOST_ONE_BY_ONE: Final = 64  # numbers of a result that appear one after the other
MOST_TERMS: Final = 8  # of a sum that is written out
MOST_TERMS_IN_ALL: Final = 4096  # of all numbers of a result: 40 ms
MOST_IN_ONE_ROW: Final = 24  # columns of pairs that stand beside each other
PAIRS: Final = ("split", "rotation")
PRODUCTS: Final = (
    "queries",
    "keys",
    "values",
    "scores",
    "factor-scores",
    "blend",
    "gate-scores",
    "output",
)
# Screens whose matrices have one range of colours: what changes there is how large numbers are.
ONE_RANGE: Final = ("both", "growth", "scale", "cap", "additions", "temperature", "join")

Begins = Literal["by itself", "when asked"]


def screen_figure(
    trace: Trace, screen: Screen, head: int, begins: Begins = "by itself", look: Look | None = None
) -> Figure:
    """What goes into an operation and what comes out: of one head, where there is one for each.

    Its `walk` says which matrices come out, and how each of their numbers is computed,
    where they are few: the others come row by row, and so does what was given.
    """
    look = look or Look()
    rows = rows_of_screen(trace, screen, head)
    matrices = in_rows(rows)
    below = [[matrix] for matrix in matrices]
    is_narrow = screen.name in PAIRS and sum(m.across for m in matrices) <= MOST_IN_ONE_ROW
    arrangements = [[matrices], rows, below] if is_narrow else [rows, below]
    is_shared = screen.name in ONE_RANGE
    figure = figure_in_rows(*arrangements, look=look, shared_scale=is_shared)
    results = [_matrix(trace, name, head) for name in screen.gives]
    walk = Walk(
        begins_by_itself=begins == "by itself",
        results=[matrix.name for matrix in results],
        arithmetic={
            matrix.name: _arithmetic(trace, matrix, look.decimals)
            for matrix in results
            if screen.takes and _comes_one_by_one(trace, matrix)
        },
    )
    return replace(figure, walk=walk)


def _comes_one_by_one(trace: Trace, matrix: Matrix) -> bool:
    """Whether its numbers are so few, and made of so few, that each of them is written out."""
    count = matrix.values.size
    if count > MOST_ONE_BY_ONE:
        return False
    first = derive_cell(trace, Cell.of_matrix(matrix.name, 0, 0))
    return count * len(first.expression.parts) <= MOST_TERMS_IN_ALL


def _arithmetic(trace: Trace, matrix: Matrix, decimals: int) -> list[list[str]]:
    """How each number of a matrix is computed, with the numbers in."""
    rows, columns = matrix.values.shape
    return [
        [
            derive_cell(trace, Cell.of_matrix(matrix.name, row, column)).arithmetic(
                decimals=decimals, most_terms=MOST_TERMS
            )
            for column in range(columns)
        ]
        for row in range(rows)
    ]


class StandsFor(NamedTuple):
    """What a symbol of the formula stands for: the names of matrices, and the same in words."""

    matrices: tuple[str, ...]
    words: str


def shown_of(trace: Trace, screen: Screen, head: int) -> dict[str, StandsFor]:
    """What is shown of each step, and of each given array, on a screen."""
    names = [*screen.taken(trace.scenario), *screen.gives]
    return {name: _shown(_matrices(trace, screen, name, head)) for name in names}


def _shown(matrices: Sequence[Matrix]) -> StandsFor:
    first = matrices[0]
    symbol, _, _ = first.heading.partition(":")
    if len(matrices) > 1:
        words = first.title.partition(",")[0]
    else:
        words = first.title if symbol == first.title else f"{symbol}: {first.title}"
    return StandsFor(tuple(matrix.name for matrix in matrices), words)


def _matrices(trace: Trace, screen: Screen, name: str, head: int) -> list[Matrix]:
    """One, or one of each head where the heads are joined."""
    if screen.name == "join" and has_heads(trace, name):
        heads = range(min(trace.scenario.n_heads, MOST_HEADS))
        return [_matrix(trace, name, each) for each in heads]
    return [_matrix(trace, name, head)]


def is_of_one_head(trace: Trace, screen: Screen) -> bool:
    """Whether a screen shows one head, and another could be chosen."""
    return screen.name != "join" and any(has_heads(trace, name) for name in screen.gives)


def shapes_of(trace: Trace, screen: Screen, head: int) -> tuple[list[str], list[str]]:
    """The symbols and shapes of what goes in, and of what comes out."""
    taken = [_shape(trace, screen, name, head) for name in screen.taken(trace.scenario)]
    return taken, [_shape(trace, screen, name, head) for name in screen.gives]


def _shape(trace: Trace, screen: Screen, name: str, head: int) -> str:
    """Symbol and shape of an array; of heads that are joined, of the first and the last."""
    rows, columns = _matrix(trace, name, head).values.shape
    symbols = _symbol(trace, name, head)
    if screen.name == "join" and has_heads(trace, name) and trace.scenario.n_heads > 1:
        last = trace.scenario.n_heads - 1
        between = ", " if last == 1 else " … "
        symbols = f"{_symbol(trace, name, 0)}{between}{_symbol(trace, name, last)}"
    return f"{symbols}: {rows} × {columns}"


def rows_of_screen(trace: Trace, screen: Screen, head: int) -> Rows:
    """What goes in and what comes out, in places that show how."""
    if screen.name in PRODUCTS:
        return _product(trace, screen, head)
    if screen.name in PAIRS:
        pairs = zip(screen.taken(trace.scenario), screen.gives, strict=True)
        return [[_matrix(trace, name, head) for name in pair] for pair in pairs]
    names = [*screen.taken(trace.scenario), *screen.gives]
    return [[each for name in names for each in _matrices(trace, screen, name, head)]]


def _product(trace: Trace, screen: Screen, head: int) -> Rows:
    """Falk's scheme; a bias stands below the upper factor."""
    left, upper, *biases = (_matrix(trace, n, head) for n in screen.taken(trace.scenario))
    if screen.name == "scores":
        upper = upright(upper)
    result = _matrix(trace, screen.result, head)
    rows: list[Sequence[Matrix | None]] = [[None, upper], *([None, bias] for bias in biases)]
    return [row for row in [*rows, [replace(left, is_left_factor=True), result]] if in_row(row)]


def _matrix(trace: Trace, name: str, head: int) -> Matrix:
    own = head if has_heads(trace, name) else None
    matrix = matrix_of(trace, name, own)
    if not matrix.columns:
        matrix = replace(matrix, column_labels=(_symbol(trace, name, head),))
    elif name in GIVEN and name.startswith("b_") and len(GIVEN[name].dims.axes) == 1:
        matrix = replace(matrix, row_labels=(f"+ {GIVEN[name].symbol}",))
    matrix = matrix if own is not None else banded(trace, name, matrix)
    rows, columns = matrix.values.shape
    return replace(matrix, heading=f"{_symbol(trace, name, head)}: {rows} × {columns}")


def _symbol(trace: Trace, name: str, head: int) -> str:
    if has_heads(trace, name):
        return symbol_of(trace, name, head)
    return labelled_matrix(trace, name).symbol
