r"""Matrices as `bmatrix`. A large one is shown in part, with dots for what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.values import check_limit, check_whole
from mha_core.io.latex.widths import shortened, width_of_latex, width_of_text
from mha_core.io.latex.words import escaped
from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.matrices import Axis, LabelledMatrix, axis_of, labelled_matrix
from mha_core.layer.steps import latex_of_symbol
from mha_core.layer.trace import Trace
from mha_core.layer.where import ADDITIVE
from mha_core.layer.written import written
from mha_core.scenario.scenario import Scenario

MOST_COLUMNS: Final = 16  # that are shown of a matrix; as many rows, so that it stays on its page
MOST_CELLS: Final = 2**14  # of a matrix to paste: 128 tokens by 128
MOST_DECIMALS: Final = 12
AMSMATH_COLUMNS: Final = 10  # what amsmath takes without being told
BETWEEN_COLUMNS: Final = 10.0  # points
WIDEST_NAME: Final = 80.0  # points, of the label of a row
TOKENS: Final = ("tokens", "context_tokens")  # the sources of axes whose labels are words


@dataclass(frozen=True)
class Room:
    """How much of a matrix is shown: the most rows, columns and points of its width."""

    rows: int
    columns: int
    width: float


@dataclass(frozen=True)
class ShownMatrix:
    """A part of a matrix as LaTeX, and what of it is shown."""

    matrix: LabelledMatrix
    latex: str
    width: float
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        return (len(self.rows), len(self.columns)) == self.matrix.values.shape


def matrix_as_bmatrix(
    trace: Trace, step: str, head: int | None = None, *, decimals: int = 2
) -> str:
    r"""All numbers of one matrix, to be pasted into any document that loads amsmath.

    `step` is a step or a given array, `head` the head of it, counted from 0.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> print(matrix_as_bmatrix(attend(load_example("two-tokens")), "weights", 1, decimals=3))
    A_2 = \begin{bmatrix}
      0.944 & 0.056 \\
      0.000 & 1.000
    \end{bmatrix}
    """
    check_decimals(decimals)
    matrix = labelled_matrix(trace, step, head)
    way_out = say("Save it as CSV or NumPy.")
    check_limit(say("The count of numbers in a bmatrix"), matrix.values.size, MOST_CELLS, way_out)
    text = f"{latex_of_symbol(matrix.symbol)} = {bmatrix(_grid(matrix.values, decimals))}"
    columns = matrix.values.shape[1]
    if columns > AMSMATH_COLUMNS:
        return f"\\setcounter{{MaxMatrixCols}}{{{columns}}}\n{text}"
    return text


def check_decimals(decimals: int) -> None:
    check_whole("The number of decimals", decimals, 0, MOST_DECIMALS)


def shown(
    trace: Trace, matrix: LabelledMatrix, decimals: int, room: Room, cell: Cell | None
) -> ShownMatrix:
    """As much of a matrix as there is room for: its first rows and columns, and the last ones.

    The row and the column of `cell` are among them.
    """
    n_rows, n_columns = matrix.values.shape
    row, column = (cell.row, cell.column) if cell else (0, 0)
    rows = places(n_rows, room.rows, row)
    most = room.columns
    while True:
        columns = places(n_columns, most, column)
        found = _shown(trace, matrix, decimals, rows, columns)
        if found.width <= room.width or most <= 3:
            return found
        most -= 1


def places(count: int, most: int, also: int = 0) -> tuple[int, ...]:
    """The places that are shown of `count`: the first, the last, and one that must be there.

    >>> places(4, 5), places(9, 5), places(9, 5, also=6)
    ((0, 1, 2, 3), (0, 1, 2, 3, 8), (0, 1, 2, 6, 8))
    """
    if count <= most:
        return tuple(range(count))
    must = {count - 1, also} if most > 1 else {also}
    first = (place for place in range(count) if place not in must)
    return tuple(sorted(must | {next(first) for _ in range(most - len(must))}))


def bmatrix(grid: Iterable[Sequence[str]]) -> str:
    """Written numbers as a `bmatrix`, a row a line."""
    return _environment("bmatrix", grid)


def has_words(axis: Axis) -> bool:
    """Whether the labels of an axis are tokens, and not numbers from 1 on."""
    return axis.source in TOKENS


def additive_mask(s: Scenario) -> LabelledMatrix:
    """The additive mask, which is no step and no given array of the layer."""
    assert s.mask.additive is not None
    rows, columns = axis_of(s, "n_q"), axis_of(s, "n_k")
    symbol = "M_{add}"
    return LabelledMatrix(ADDITIVE, None, "Additive mask", symbol, s.mask.additive, rows, columns)


def _shown(
    trace: Trace,
    matrix: LabelledMatrix,
    decimals: int,
    rows: tuple[int, ...],
    columns: tuple[int, ...],
) -> ShownMatrix:
    symbol = latex_of_symbol(matrix.symbol)
    grid = _grid(matrix.values[np.ix_(rows, columns)], decimals)
    widest = [width_of_latex(max(column, key=len)) for column in zip(*grid, strict=True)]
    width = width_of_latex(f"{symbol} =") + sum(widest) + BETWEEN_COLUMNS * (len(columns) + 1)
    names = ""
    if has_words(matrix.rows):
        labels = _short_names(matrix.rows, rows)
        width += max(map(width_of_text, labels))
        beside = [[rf"\rowname{{{escaped(label)}}}"] for label in labels]
        names = _environment("matrix", _with_dots(beside, rows, (0,))) + "\n"
    latex = f"{symbol} =\n{names}{bmatrix(_with_dots(grid, rows, columns))}"
    return ShownMatrix(matrix, latex, width, rows, columns)


def _short_names(axis: Axis, places: Sequence[int]) -> list[str]:
    names = axis.names
    return [shortened(names[place], WIDEST_NAME) for place in places]


def _grid(values: npt.NDArray[Any], decimals: int) -> list[list[str]]:
    return [[written(number, decimals, "latex") for number in row] for row in values]


def _with_dots(
    grid: Sequence[Sequence[str]], rows: Sequence[int], columns: Sequence[int]
) -> list[list[str]]:
    """A grid with dots where places are left out between its rows and columns."""
    wide = [_spread(row, columns, r"\cdots") for row in grid]
    gap = _spread([r"\vdots"] * len(columns), columns, r"\ddots")
    return _spread(wide, rows, gap)


def _spread(items: Sequence[Any], places: Sequence[int], gap: Any) -> list[Any]:
    """The items, with `gap` before each whose place does not follow the one before."""
    spread: list[Any] = []
    for item, place, before in zip(items, places, (-1, *places), strict=False):
        spread += [item] if place == before + 1 else [gap, item]
    return spread


def _environment(name: str, grid: Iterable[Sequence[str]]) -> str:
    rows = " \\\\\n".join(f"  {' & '.join(row)}" for row in grid)
    return f"\\begin{{{name}}}\n{rows}\n\\end{{{name}}}"
