r"""A worksheet as data, in the order of the page: what is printed, and what is to be filled in.

>>> sheet = make_exercise(Exercise(seed=7))
>>> [section.title for section in sheet.sections]
['Queries, keys and values', 'Head 1', 'Head 2', 'Together']
>>> len(sheet.blanks), sheet.piece_of(sheet.blanks[0]).name
(144, 'q_heads/0')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import BoolArray, FloatArray, frozen
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.cells import Cell, matrix_name
from mha_core.layer.matrices import Axis, LabelledMatrix, labelled_matrix
from mha_core.layer.steps import latex_of_symbol
from mha_core.layer.trace import Trace
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.scenario import Scenario
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.kind_numbers import DECIMALS, kind_scenario
from mha_core.worksheets.on_paper import Rows, as_text, given_rows, rows_on_paper, table_of_powers
from mha_core.worksheets.words import formula_of, instruction_of, notes_of, title_of

MOST_SHEETS: Final = 100  # in one class set
FIRST_ROUNDED: Final = "weights"
AFTER_WEIGHTS: Final = ("head_outputs", "concat", "output")
PROJECTED: Final = {"q_heads": "w_q", "k_heads": "w_k", "v_heads": "w_v"}
EXACT: Final = 1e-6


@dataclass(frozen=True, eq=False)
class Piece:
    """One matrix of a sheet.

    `texts` has every number as one writes it; where `blanks` is True, it is the answer, and the
    sheet leaves it out. An answer is right within `tolerance` of `key`. Where the matrix is a
    product, `left` and `upper` name its factors, if they are on the same section of the sheet.
    `is_transposed` says that the page shows the matrix on its side, as K in Q K^T. `working` is how
    many lines a person may need beside it. Each blank is worth this many `points`.
    """

    matrix: LabelledMatrix
    texts: tuple[tuple[str, ...], ...]
    key: FloatArray
    blanks: BoolArray
    tolerance: float = EXACT
    instruction: str = ""
    formula: str = ""
    left: str = ""
    upper: str = ""
    is_transposed: bool = False
    working: int = 0
    points: int = 0

    @property
    def step(self) -> str:
        return self.matrix.step

    @property
    def head(self) -> int | None:
        return self.matrix.head

    @property
    def name(self) -> str:
        return self.matrix.name

    @property
    def latex(self) -> str:
        """The symbol of the matrix, with the number of its head."""
        symbol = self.matrix.symbol
        if self.step in GIVEN and self.head is not None:
            symbol = f"{symbol}_{self.head + 1}"
        return latex_of_symbol(f"{symbol}^T" if self.is_transposed else symbol)

    @property
    def is_given(self) -> bool:
        return not self.blanks.any()

    @property
    def rows(self) -> Axis:
        return self.matrix.columns if self.is_transposed else self.matrix.rows

    @property
    def columns(self) -> Axis:
        return self.matrix.rows if self.is_transposed else self.matrix.columns

    def place_of(self, row: int, column: int) -> tuple[int, int]:
        """Where the number that the page shows in this row and column stands in the matrix."""
        return (column, row) if self.is_transposed else (row, column)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The blanks, row by row."""
        places = np.argwhere(self.blanks).tolist()
        return tuple(Cell(self.step, self.head, row, column) for row, column in places)


@dataclass(frozen=True, eq=False)
class SheetSection:
    """Pieces that belong together: the projections, one head, or what joins the heads."""

    title: str
    pieces: tuple[Piece, ...]

    def named(self, name: str) -> Piece:
        """A piece by the name of its matrix, as `left` and `upper` of another piece have it."""
        return next(piece for piece in self.pieces if piece.name == name)

    def instructions(self, *, of_all_heads: bool) -> Mapping[str, Sequence[str]]:
        """What to do, each with its formulas in LaTeX: those of all heads, or of the first one."""
        formulas: dict[str, list[str]] = {}
        for piece in self.pieces:
            if piece.instruction and (of_all_heads or not piece.head):
                formulas.setdefault(piece.instruction, []).append(piece.formula)
        return formulas


@dataclass(frozen=True, eq=False)
class Worksheet:
    """One exercise with its numbers: what is given, the blanks, and the answer of each.

    `table` has the powers that the softmax needs. `notes` say how numbers are to be written.
    """

    exercise: Exercise
    scenario: Scenario
    sections: tuple[SheetSection, ...]
    table: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    title: str

    @cached_property
    def trace(self) -> Trace:
        return attend(self.scenario)

    @property
    def powers(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The table as two rows, each with its symbol in LaTeX."""
        exponents, powers = zip(*self.table, strict=True)
        return ("s", exponents), (f"{self.exercise.base}^s", powers)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(piece for section in self.sections for piece in section.pieces)

    @cached_property
    def blanks(self) -> tuple[Cell, ...]:
        """All blanks, in the order of the page."""
        return tuple(cell for piece in self.pieces for cell in piece.cells)

    @property
    def points(self) -> int:
        """What all blanks are worth."""
        return sum(self.piece_of(cell).points for cell in self.blanks)

    @cached_property
    def _pieces_by_name(self) -> Mapping[str, Piece]:
        return {piece.name: piece for piece in self.pieces}

    def piece_of(self, cell: Cell) -> Piece:
        """The piece that a blank is in."""
        return self._pieces_by_name[cell.matrix]

    def answer(self, cell: Cell) -> str:
        """The answer of a blank, as one writes it."""
        return self.piece_of(cell).texts[cell.row][cell.column]


def make_exercise(exercise: Exercise) -> Worksheet:
    """The worksheet of an exercise: the same for the same settings."""
    scenario = kind_scenario(exercise)
    trace = attend(scenario)
    return Worksheet(
        exercise,
        scenario,
        tuple(_Maker(exercise, trace).sections()),
        table_of_powers(exercise.base),
        notes_of(exercise),
        title_of(exercise),
    )


class _Maker:
    """Makes the sections of one sheet."""

    def __init__(self, exercise: Exercise, trace: Trace) -> None:
        self.exercise = exercise
        self.trace = trace
        self.on_paper = rows_on_paper(trace, exercise.base)

    def sections(self) -> Iterator[SheetSection]:
        heads = range(self.exercise.n_heads)
        is_whole_way = self.exercise.difficulty in ("whole_way", "first_row_given")
        if is_whole_way:
            yield SheetSection(say("Queries, keys and values"), tuple(self._projections(heads)))
        for head in heads:
            yield SheetSection(say("Head {head}").format(head=head + 1), tuple(self._head(head)))
        if is_whole_way:
            yield SheetSection(say("Together"), tuple(self._together()))

    def _projections(self, heads: Sequence[int]) -> Iterator[Piece]:
        yield self._given("x")
        for head in heads:
            for result, projection in PROJECTED.items():
                yield self._given(projection, head)
                upper = matrix_name(projection, head)
                yield self._asked(result, head, left="x", upper=upper)

    def _head(self, head: int) -> Iterator[Piece]:
        queries, keys, values, weights = (
            matrix_name(step, head) for step in ("q_heads", "k_heads", "v_heads", "weights")
        )
        match self.exercise.difficulty:
            case "scores_given":
                yield self._given("raw_scores", head)
            case "queries_given":
                yield self._given("q_heads", head)
                yield replace(self._given("k_heads", head), is_transposed=True)
                yield self._asked("raw_scores", head, left=queries, upper=keys)
            case _:
                yield self._asked("raw_scores", head)
        if self.exercise.factor != 1:
            yield self._asked("scaled_scores", head)
        if self.exercise.mask != "none":
            yield self._asked("masked_scores", head)
        yield replace(self._asked("weights", head), working=self.exercise.n_tokens)
        if self.exercise.difficulty in ("scores_given", "queries_given"):
            yield self._given("v_heads", head)
            yield self._asked("head_outputs", head, left=weights, upper=values)
        else:
            yield self._asked("head_outputs", head)

    def _together(self) -> Iterator[Piece]:
        yield self._asked("concat")
        yield self._given("w_o")
        yield self._asked("output", left="concat", upper="w_o")

    def _given(self, step: str, head: int | None = None) -> Piece:
        matrix = labelled_matrix(self.trace, step, head)
        return Piece(matrix, *self._numbers(matrix), np.zeros(matrix.values.shape, np.bool_))

    def _asked(self, step: str, head: int | None = None, left: str = "", upper: str = "") -> Piece:
        """A piece to be filled in, all but the first row where that is an example."""
        matrix = labelled_matrix(self.trace, step, head)
        blanks = np.ones(matrix.values.shape, np.bool_)
        blanks[0] = self.exercise.difficulty != "first_row_given"
        points = points_of(self.exercise, step)
        return Piece(
            matrix,
            *self._numbers(matrix),
            frozen(blanks),
            tolerance_of(self.exercise, step),
            instruction_of(self.exercise, step, points),
            formula_of(self.exercise, self.trace.scenario, step, head),
            left,
            upper,
            points=points,
        )

    def _numbers(self, matrix: LabelledMatrix) -> tuple[tuple[tuple[str, ...], ...], FloatArray]:
        """The numbers of the key, as texts and as floats."""
        rows = self.on_paper.get(matrix.name) or given_rows(matrix.values)
        is_rounded = self.exercise.base == "e" and matrix.name in self.on_paper
        decimals = DECIMALS if is_rounded else None
        texts = tuple(tuple(as_text(number, decimals) for number in row) for row in rows)
        return texts, frozen(_as_floats(rows))


def points_of(exercise: Exercise, step: str) -> int:
    """What one number of a step is worth: a point for each product or division that it takes.

    A number that is copied is worth one too, and a weight two: for its power, and for its share.

    >>> [points_of(Exercise(n_tokens=3), step) for step in ("q_heads", "masked_scores", "weights")]
    [4, 1, 2]
    """
    products = {
        **dict.fromkeys((*PROJECTED, "output"), exercise.d_model),
        "raw_scores": exercise.d_k,
        "weights": 2,
        "head_outputs": exercise.n_tokens,
    }
    return products.get(step, 1)


def tolerance_of(exercise: Exercise, step: str) -> float:
    """How far from the key an answer may be.

    >>> [tolerance_of(Exercise(base="e"), step) for step in ("raw_scores", "weights", "output")]
    [1e-06, 0.01, 0.05]
    """
    if step == FIRST_ROUNDED:
        return 0.01
    if step in AFTER_WEIGHTS:
        return 0.05 if exercise.base == "e" else 0.01
    return EXACT


def _as_floats(rows: Rows) -> npt.NDArray[np.float64]:
    return np.array([[-np.inf if n is None else float(n) for n in row] for row in rows])
