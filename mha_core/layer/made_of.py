"""What one number of a step is made of: for each kind of equation, its operands cell by cell.

Each step names one of these beside its equation. `at` gives the number of a cell as an expression
of other cells. `readers` goes the other way: which cells of the step read a cell of an earlier one.
Steps that change nothing are passed over: operands stand in the step whose array is handed on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mha_core.layer.cells import Cell
from mha_core.layer.expressions import (
    Applied,
    Constant,
    Difference,
    Expression,
    Given,
    Hidden,
    Largest,
    Operand,
    Product,
    Quotient,
    Sum,
    Zero,
)
from mha_core.layer.positions import BASE, alibi_slopes
from mha_core.layer.unchanged import without_alibi
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import BY_ROOT_D_K

if TYPE_CHECKING:
    from mha_core.layer.trace import Trace

ADDITIVE = "mask.additive"  # the additive mask, which may be edited like a given array
Make = Callable[["Trace", Cell, "list[Operand]"], Expression]


class MadeOf(ABC):
    """How the numbers of a step are made."""

    @abstractmethod
    def at(self, t: Trace, cell: Cell) -> Expression:
        """The number of a cell, as an expression of other cells."""

    @abstractmethod
    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        """The cells of the step with this name that read `source`."""

    def slope(self, t: Trace, reader: Cell, source: Cell) -> float:
        """How much a reader moves if `source` moves by 1, all else that it reads held fixed."""
        with np.errstate(all="ignore"):  # a naive softmax may divide by infinity, and by 0
            return float(self.at(t, reader).slope(source))


class Factors(MadeOf):
    """Sums of products, in which a cell moves a reader as much as what it is multiplied by.

    So nobody has to write out all terms to know it.
    """

    @abstractmethod
    def beside(self, t: Trace, reader: Cell, source: Cell) -> Cell | None:
        """The other factor of the product with `source`; None where it stands alone."""

    def slope(self, t: Trace, reader: Cell, source: Cell) -> float:
        other = self.beside(t, reader, source)
        return 1.0 if other is None else float(number_in(t, other))


class Input(MadeOf):
    """Numbers that a person gave, or a recipe drew."""

    def at(self, t: Trace, cell: Cell) -> Expression:
        number = number_in(t, cell)
        return Given(number) if is_given(t, cell.step) else Given(number, NOTHING_ADDED)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


@dataclass(frozen=True)
class Nothing(MadeOf):
    """Zeros, for a reason."""

    because: str

    def at(self, t: Trace, cell: Cell) -> Expression:
        return Zero(self.because)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


@dataclass(frozen=True)
class Either(MadeOf):
    """Made in one way where a scenario is so, and in the other where it is not."""

    is_so: Callable[[Scenario], bool]
    one: MadeOf
    other: MadeOf

    def at(self, t: Trace, cell: Cell) -> Expression:
        return self._chosen(t).at(t, cell)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        return self._chosen(t).readers(t, step, source)

    def _chosen(self, t: Trace) -> MadeOf:
        return self.one if self.is_so(t.scenario) else self.other


@dataclass(frozen=True)
class InPlace(MadeOf):
    """Numbers made of those at the same place of other arrays.

    An array without heads serves all heads, one with a single column all columns.
    """

    names: tuple[str, ...]
    make: Make

    def at(self, t: Trace, cell: Cell) -> Expression:
        return self.make(t, cell, [operand(t, self._there(t, name, cell)) for name in self.names])

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step not in {computed(t, name) for name in self.names}:
            return
        has_heads, is_column = _is_of_heads(t, step), shape(t, source.step)[-1] == 1
        heads = [source.head]
        if has_heads and source.head is None:
            heads = list(range(t.scenario.n_heads))
        columns = range(shape(t, step)[-1]) if is_column else [source.column]
        for head in heads:
            for column in columns:
                yield Cell(step, head, source.row, column)

    def _there(self, t: Trace, name: str, cell: Cell) -> Cell:
        head = cell.head if _is_of_heads(t, name) else None
        return Cell(name, head, cell.row, 0 if shape(t, name)[-1] == 1 else cell.column)


@dataclass(frozen=True)
class OfRow(MadeOf):
    """One number for each row of an array."""

    name: str
    make: Make

    def at(self, t: Trace, cell: Cell) -> Expression:
        columns = range(shape(t, self.name)[-1])
        row = [operand(t, Cell(self.name, cell.head, cell.row, column)) for column in columns]
        return self.make(t, cell, row)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            yield Cell(step, source.head, source.row, 0)


@dataclass(frozen=True)
class Split(MadeOf):
    """The heads of an array whose heads stand side by side."""

    name: str

    def at(self, t: Trace, cell: Cell) -> Expression:
        width = shape(t, cell.step)[-1]
        return operand(t, Cell(self.name, None, cell.row, _head(cell) * width + cell.column))

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            head, column = divmod(source.column, shape(t, step)[-1])
            yield Cell(step, head, source.row, column)


@dataclass(frozen=True)
class Joined(MadeOf):
    """Heads side by side."""

    name: str

    def at(self, t: Trace, cell: Cell) -> Expression:
        head, column = divmod(cell.column, shape(t, self.name)[-1])
        return operand(t, Cell(self.name, head, cell.row, column))

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            width = shape(t, source.step)[-1]
            yield Cell(step, None, source.row, _head(source) * width + source.column)


@dataclass(frozen=True)
class Projected(Factors):
    """A row of an array times a column of given weights, plus a given bias."""

    rows: str
    weights: str
    bias: str

    def at(self, t: Trace, cell: Cell) -> Expression:
        terms = tuple(
            Product(
                operand(t, Cell(self.rows, None, cell.row, i)),
                operand(t, Cell(self.weights, None, i, cell.column)),
            )
            for i in range(shape(t, self.rows)[-1])
        )
        if getattr(t.scenario, self.bias) is None:
            return Sum(terms)
        return Sum((*terms, operand(t, Cell(self.bias, None, 0, cell.column))))

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        rows, columns = shape(t, step)
        if source.step == computed(t, self.rows):
            yield from (Cell(step, None, source.row, column) for column in range(columns))
        if source.step in (self.weights, self.bias):
            yield from (Cell(step, None, row, source.column) for row in range(rows))

    def beside(self, t: Trace, reader: Cell, source: Cell) -> Cell | None:
        if source.step == self.bias:
            return None
        if source.step == self.weights:
            return Cell(self.rows, None, reader.row, source.row)
        return Cell(self.weights, None, source.column, reader.column)


class Scores(Factors):
    """A query times a key of the head that shares it."""

    def at(self, t: Trace, cell: Cell) -> Expression:
        keys = _shared_head(t, cell)
        return Sum(
            tuple(
                Product(
                    operand(t, Cell("q_rotated", cell.head, cell.row, i)),
                    operand(t, Cell("k_rotated", keys, cell.column, i)),
                )
                for i in range(t.scenario.d_k)
            )
        )

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, "q_rotated"):
            keys = range(t.scenario.n_k)
            yield from (Cell(step, source.head, source.row, key) for key in keys)
        if source.step == computed(t, "k_rotated"):
            for head in _heads_that_share(t, source):
                queries = range(t.scenario.n_q)
                yield from (Cell(step, head, query, source.row) for query in queries)

    def beside(self, t: Trace, reader: Cell, source: Cell) -> Cell:
        if source.step == computed(t, "q_rotated"):
            return Cell("k_rotated", _shared_head(t, reader), reader.column, source.column)
        return Cell("q_rotated", reader.head, reader.row, source.column)


class Blended(Factors):
    """The values of all keys, each times its weight."""

    def at(self, t: Trace, cell: Cell) -> Expression:
        if cell.head in t.scenario.heads_off:
            return Zero("the head is switched off")
        values = _shared_head(t, cell)
        return Sum(
            tuple(
                Product(
                    operand(t, Cell("weights", cell.head, cell.row, key)),
                    operand(t, Cell("v_heads", values, key, cell.column)),
                )
                for key in range(t.scenario.n_k)
            )
        )

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        off = t.scenario.heads_off
        if source.step == "weights" and source.head not in off:
            columns = range(t.scenario.d_v)
            yield from (Cell(step, source.head, source.row, column) for column in columns)
        if source.step == "v_heads":
            for head in _heads_that_share(t, source):
                if head not in off:
                    queries = range(t.scenario.n_q)
                    yield from (Cell(step, head, query, source.column) for query in queries)

    def beside(self, t: Trace, reader: Cell, source: Cell) -> Cell:
        if source.step == "weights":
            return Cell("v_heads", _shared_head(t, reader), source.column, reader.column)
        return Cell("weights", reader.head, reader.row, source.row)


class Contributed(Factors):
    """A row of a head's output times a column of its rows of W_O."""

    def at(self, t: Trace, cell: Cell) -> Expression:
        width = t.scenario.d_v
        return Sum(
            tuple(
                Product(
                    operand(t, Cell("head_outputs", cell.head, cell.row, i)),
                    operand(t, Cell("w_o", None, _head(cell) * width + i, cell.column)),
                )
                for i in range(width)
            )
        )

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "head_outputs":
            columns = range(shape(t, step)[-1])
            yield from (Cell(step, source.head, source.row, column) for column in columns)
        if source.step == "w_o":
            head, queries = source.row // t.scenario.d_v, range(t.scenario.n_q)
            yield from (Cell(step, head, query, source.column) for query in queries)

    def beside(self, t: Trace, reader: Cell, source: Cell) -> Cell:
        width = t.scenario.d_v
        if source.step == "head_outputs":
            row = _head(reader) * width + source.column
            return Cell("w_o", None, row, reader.column)
        return Cell("head_outputs", reader.head, reader.row, source.row % width)


@dataclass(frozen=True)
class Rotated(MadeOf):
    """Two neighbouring columns, turned by the angle of their position."""

    name: str
    start: Callable[[Any], int]  # the place of the first row, of a scenario

    def at(self, t: Trace, cell: Cell) -> Expression:
        is_odd = cell.column % 2
        even = Cell(self.name, cell.head, cell.row, cell.column - is_odd)
        odd = Cell(self.name, cell.head, cell.row, cell.column - is_odd + 1)
        place = self.start(t.scenario) + cell.row
        angle = Quotient(
            Constant("p", np.float64(place)),
            Constant(r"10000^{2c/d_k}", BASE ** (np.float64(even.column) / t.scenario.d_k)),
        )
        cos, sin = Applied("cos", angle), Applied("sin", angle)
        if is_odd:
            return Sum((Product(operand(t, even), sin), Product(operand(t, odd), cos)))
        return Difference(Product(operand(t, even), cos), Product(operand(t, odd), sin))

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            even = source.column - source.column % 2
            yield from (Cell(step, source.head, source.row, each) for each in (even, even + 1))


@dataclass(frozen=True)
class Waves(MadeOf):
    """Sinusoids: they read no number, but the place of the row and of the column."""

    name: str  # of the array that they are added to
    start: Callable[[Any], int]

    def at(self, t: Trace, cell: Cell) -> Expression:
        if t.scenario.scores.positions != "sinusoidal":
            return Zero("no sinusoids are chosen")
        exponent = np.float64(2 * (cell.column // 2) / shape(t, self.name)[-1])
        angle = Quotient(
            Constant("p", np.float64(self.start(t.scenario) + cell.row)),
            Constant(r"10000^{2c/d_{\mathrm{model}}}", BASE**exponent),
        )
        return Applied("cos" if cell.column % 2 else "sin", angle)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


class Added(MadeOf):
    """ALiBi's slope times the distance, and the additive mask."""

    def at(self, t: Trace, cell: Cell) -> Expression:
        s = t.scenario
        terms: list[Expression] = []
        if not without_alibi(s):
            distance = abs(s.scores.query_start - s.key_start + cell.row - cell.column)
            slope = alibi_slopes(s.n_heads)[_head(cell)]
            terms.append(
                Product(Constant("a_i", slope), Constant("-|p_q - p_k|", np.float64(-distance)))
            )
        if s.mask.additive is not None:
            added = operand(t, Cell(ADDITIVE, None, cell.row, cell.column))
            if not np.isneginf(added.value):  # which hides, and adds nothing
                terms.append(added)
        return Sum(tuple(terms)) if terms else Zero(NOTHING_ADDED)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == ADDITIVE and is_given(t, ADDITIVE):
            heads = range(t.scenario.n_heads)
            yield from (Cell(step, head, source.row, source.column) for head in heads)


class Allowed(MadeOf):
    """True where every part of the mask allows it."""

    def at(self, t: Trace, cell: Cell) -> Expression:
        by = _parts_that_hide(t, cell.row, cell.column)
        because = f"hidden by {' and '.join(by)}" if by else "no part of the mask hides it"
        return Given(number_in(t, cell), because)

    def readers(self, t: Trace, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


# What the equations of single steps make of their operands.


def total(_: Trace, __: Cell, terms: list[Operand]) -> Expression:
    return Sum(tuple(terms))


def scaled(t: Trace, _: Cell, operands: list[Operand]) -> Expression:
    scores = t.scenario.scores
    symbols = (r"\frac{1}{\sqrt{d_k}}", "1/√d_k") if scores.scale == BY_ROOT_D_K else ("", "")
    latex, text = symbols
    return Product(operands[0], Constant(latex, scores.factor(t.scenario.d_k), text, "scale"))


def capped(t: Trace, _: Cell, operands: list[Operand]) -> Expression:
    cap = Constant("c", t.scenario.scores.softcap, given_as="softcap")
    return Product(Applied("tanh", Quotient(operands[0], cap)), cap)


def masked(_: Trace, __: Cell, operands: list[Operand]) -> Expression:
    score, mask = operands
    return score if mask.value else Hidden(mask)


def tempered(t: Trace, _: Cell, operands: list[Operand]) -> Expression:
    temperature = float(t.scenario.scores.temperature)
    return Quotient(operands[0], Constant("T", temperature, given_as="temperature"))


def exponential(_: Trace, __: Cell, operands: list[Operand]) -> Expression:
    score, *largest = operands  # a naive softmax subtracts none
    return Applied("exp", Difference(score, *largest) if largest else score)


def share(t: Trace, cell: Cell, operands: list[Operand]) -> Expression:
    return Zero(BLIND) if t.blind_queries[cell.row] else Quotient(*operands)


def largest(t: Trace, cell: Cell, row: list[Operand]) -> Expression:
    return Zero(BLIND) if t.blind_queries[cell.row] else Largest(tuple(row))


def whether_blind(t: Trace, cell: Cell, row: list[Operand]) -> Expression:
    hidden = "the mask hides every key from it" if t.blind_queries[cell.row] else "it sees a key"
    return Given(t.blind_queries[cell.row], hidden)


BLIND = "the mask hides every key from this query"
NOTHING_ADDED = "nothing is added"


# Where numbers stand.


def operand(t: Trace, cell: Cell) -> Operand:
    """The number in a cell, under the name of the step that computes it."""
    where = Cell(computed(t, cell.step), cell.head, cell.row, cell.column)
    return Operand(where, number_in(t, where))


def number_in(t: Trace, cell: Cell) -> Any:
    array = array_of(t, cell.step)
    if array.ndim == 1:
        return array[cell.row if cell.step == "blind_queries" else cell.column]
    return (
        array[cell.row, cell.column]
        if cell.head is None
        else array[cell.head, cell.row, cell.column]
    )


def array_of(t: Trace, name: str) -> Any:
    """The array of a step, or a given one. An additive mask that nobody gave adds 0."""
    if name == ADDITIVE:
        s = t.scenario
        nothing = np.broadcast_to(np.zeros((), s.dtype), (s.n_q, s.n_k))
        return nothing if s.mask.additive is None else s.mask.additive
    is_of_scenario = name in GIVEN and name not in ("x", "context")
    return getattr(t.scenario if is_of_scenario else t, name)


def is_given(t: Trace, name: str) -> bool:
    """Whether somebody gave an array, or a step makes it."""
    return name != ADDITIVE or t.scenario.mask.additive is not None


def shape(t: Trace, name: str) -> tuple[int, ...]:
    found: tuple[int, ...] = array_of(t, name).shape
    return found


def computed(t: Trace, name: str) -> str:
    """The step that computes the array of a step; a given array is its own."""
    step = getattr(type(t), name, None)
    return step.computed_by(t.scenario).name if step is not None else name


def _is_of_heads(t: Trace, name: str) -> bool:
    return len(shape(t, name)) == 3


def _head(cell: Cell) -> int:
    """The head of a cell in an array that has heads."""
    assert cell.head is not None
    return cell.head


def _shared_head(t: Trace, cell: Cell) -> int:
    """The key/value head that the cell's query head uses."""
    return _head(cell) * t.scenario.n_kv_heads // t.scenario.n_heads


def _heads_that_share(t: Trace, source: Cell) -> range:
    """The query heads that use the cell's key/value head."""
    group = t.scenario.n_heads // t.scenario.n_kv_heads
    return range(_head(source) * group, (_head(source) + 1) * group)


def _parts_that_hide(t: Trace, query: int, key: int) -> list[str]:
    """The parts of the mask that hide a key from a query, in words."""
    s = t.scenario
    row = slice(query, query + 1)
    parts = [
        rule.name.replace("_", " ")
        for rule in s.mask.rules
        if not rule.allowed(s.n_q, s.n_k, row)[0, key]
    ]
    if s.mask.custom is not None and not s.mask.custom[query, key]:
        parts.append("the drawn mask")
    if s.mask.additive is not None and np.isneginf(s.mask.additive[query, key]):
        parts.append("-inf in the additive mask")
    return parts
