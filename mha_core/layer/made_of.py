"""What one number of a step is made of: for each kind of equation, its operands cell by cell.

Each step names one of these beside its equation. `term` is the rule for all its cells, which the
browser reads too; `at` gives the number of one cell as an expression of others. `readers` goes the
other way: which cells of the step read a cell of an earlier one. Steps that change nothing are
passed over: operands stand in the step whose array is handed on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mha_core.layer.cells import Cell
from mha_core.layer.expressions import Expression, Given
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.positions import BASE, alibi_slopes
from mha_core.layer.replay import Replay
from mha_core.layer.unchanged import without_alibi, without_sinusoids
from mha_core.layer.where import (
    ADDITIVE,
    computed,
    has_heads,
    head_of,
    heads_that_share,
    is_given,
    number_in,
    shape,
    shared_head,
)
from mha_core.options.registry import OPTIONS, WAVELENGTHS
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import COLUMN, HEAD, NTH, ROW, SHARED, OneOf, Unsigned, Width
from mha_core.terms.terms import (
    HIDDEN,
    At,
    Each,
    If,
    Number,
    Term,
    ZeroBecause,
    applied,
    largest,
    total,
)

NOTHING_ADDED: Final = "nothing is added"
BLIND: Final = "the mask hides every key from this query"


class MadeOf(ABC):
    """How the numbers of a step are made."""

    def term(self, s: Scenario) -> Term | None:
        """The rule for all cells, in this scenario; None where nothing is computed."""
        return None

    def at(self, t: ForwardPass, cell: Cell) -> Expression:
        """The number of a cell, as an expression of other cells."""
        term = self.term(t.scenario)
        assert term is not None
        return Replay(t, cell).of(term)

    @abstractmethod
    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        """The cells of the step with this name that read `source`."""

    def slope(self, t: ForwardPass, reader: Cell, source: Cell) -> float:
        """How much a reader moves if `source` moves by 1, all else that it reads held fixed."""
        with np.errstate(all="ignore"):  # a naive softmax may divide by infinity, and by 0
            return float(self.at(t, reader).slope(source))


class Factors(MadeOf):
    """Sums of products, in which a cell moves a reader as much as what it is multiplied by.

    So nobody has to write out all terms to know it.
    """

    @abstractmethod
    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> Cell | None:
        """The other factor of the product with `source`; None where it stands alone."""

    def slope(self, t: ForwardPass, reader: Cell, source: Cell) -> float:
        other = self.beside(t, reader, source)
        return 1.0 if other is None else float(number_in(t, other))


class Input(MadeOf):
    """Numbers that a person gave, or a recipe drew."""

    def at(self, t: ForwardPass, cell: Cell) -> Expression:
        number = number_in(t, cell)
        return Given(number) if is_given(t, cell.step) else Given(number, NOTHING_ADDED)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


@dataclass(frozen=True)
class Nothing(MadeOf):
    """Zeros, for a reason."""

    because: str

    def term(self, s: Scenario) -> Term:
        return ZeroBecause(self.because)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


@dataclass(frozen=True)
class Either(MadeOf):
    """Made in one way where a scenario is so, and in the other where it is not."""

    is_so: Callable[[Scenario], bool]
    one: MadeOf
    other: MadeOf

    def term(self, s: Scenario) -> Term | None:
        return self._chosen(s).term(s)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        return self._chosen(t.scenario).readers(t, step, source)

    def _chosen(self, s: Scenario) -> MadeOf:
        return self.one if self.is_so(s) else self.other


class SamePlace(MadeOf):
    """Numbers made of those at the same place of other arrays.

    An array without heads serves all heads, one with a single column all columns.
    """

    @property
    @abstractmethod
    def read(self) -> tuple[str, ...]:
        """The names of the arrays."""

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step not in {computed(t, name) for name in self.read}:
            return
        is_column = shape(t, source.step)[-1] == 1
        heads = [source.head]
        if has_heads(t, step) and source.head is None:
            heads = list(range(t.scenario.n_heads))
        columns = range(shape(t, step)[-1]) if is_column else [source.column]
        for head in heads:
            for column in columns:
                yield Cell(step, head, source.row, column)


@dataclass(frozen=True)
class InPlace(SamePlace):
    """Made of these arrays by one rule."""

    names: tuple[str, ...]
    make: Callable[..., Term]

    @property
    def read(self) -> tuple[str, ...]:
        return self.names

    def term(self, s: Scenario) -> Term:
        return self.make(*map(At, self.names))


@dataclass(frozen=True)
class Changed(SamePlace):
    """Scores of which an option of the scores makes others."""

    scores: str
    option: str

    @property
    def read(self) -> tuple[str, ...]:
        return (self.scores,)

    def term(self, s: Scenario) -> Term:
        step = OPTIONS[self.option].step
        assert step is not None
        return step.term(At(self.scores), getattr(s.scores, self.option))


@dataclass(frozen=True)
class Masked(SamePlace):
    """Scores where the mask is open, minus infinity elsewhere."""

    scores: str

    @property
    def read(self) -> tuple[str, ...]:
        return (self.scores, "mask")

    def term(self, s: Scenario) -> Term:
        return If("open", At(self.scores), HIDDEN)


@dataclass(frozen=True)
class OfRow(MadeOf):
    """One number for each row of an array."""

    name: str
    make: Callable[[Term], Term]  # of the numbers of the row

    def term(self, s: Scenario) -> Term:
        return self.make(Each(Width(self.name), At(self.name, column=NTH)))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            yield Cell(step, source.head, source.row, 0)


@dataclass(frozen=True)
class Split(MadeOf):
    """The heads of an array whose heads stand side by side."""

    name: str

    own: str  # the step whose numbers they are

    def term(self, s: Scenario) -> Term:
        return At(self.name, column=HEAD * Width(self.own) + COLUMN)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            head, column = divmod(source.column, shape(t, step)[-1])
            yield Cell(step, head, source.row, column)


@dataclass(frozen=True)
class Joined(MadeOf):
    """Heads side by side."""

    name: str

    def term(self, s: Scenario) -> Term:
        width = Width(self.name)
        return At(self.name, head=COLUMN // width, column=COLUMN % width)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            width = shape(t, source.step)[-1]
            yield Cell(step, None, source.row, head_of(source) * width + source.column)


@dataclass(frozen=True)
class Projected(Factors):
    """A row of an array times a column of given weights, plus a given bias."""

    rows: str
    weights: str
    bias: str

    def term(self, s: Scenario) -> Term:
        products = Each(Width(self.rows), At(self.rows, column=NTH) * At(self.weights, row=NTH))
        has_bias = getattr(s, self.bias) is not None
        return total([products, *([At(self.bias, row=0)] if has_bias else [])])

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        rows, columns = shape(t, step)
        if source.step == computed(t, self.rows):
            yield from (Cell(step, None, source.row, column) for column in range(columns))
        if source.step in (self.weights, self.bias):
            yield from (Cell(step, None, row, source.column) for row in range(rows))

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> Cell | None:
        if source.step == self.bias:
            return None
        if source.step == self.weights:
            return Cell(self.rows, None, reader.row, source.row)
        return Cell(self.weights, None, source.column, reader.column)


class Scores(Factors):
    """A query times a key of the head that shares it."""

    def term(self, s: Scenario) -> Term:
        key = At("k_rotated", head=SHARED, row=COLUMN, column=NTH)
        return total([Each(Width("q_rotated"), At("q_rotated", column=NTH) * key)])

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, "q_rotated"):
            keys = range(t.scenario.n_k)
            yield from (Cell(step, source.head, source.row, key) for key in keys)
        if source.step == computed(t, "k_rotated"):
            for head in heads_that_share(t, head_of(source)):
                queries = range(t.scenario.n_q)
                yield from (Cell(step, head, query, source.row) for query in queries)

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> Cell:
        if source.step == computed(t, "q_rotated"):
            return Cell("k_rotated", shared_head(t, head_of(reader)), reader.column, source.column)
        return Cell("q_rotated", reader.head, reader.row, source.column)


class Blended(Factors):
    """The values of all keys, each times its weight."""

    def term(self, s: Scenario) -> Term:
        value = At("v_heads", head=SHARED, row=NTH)
        blend = total([Each(Width("weights"), At("weights", column=NTH) * value)])
        return If("on", blend, ZeroBecause("the head is switched off"))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        off = t.scenario.heads_off
        if source.step == "weights" and source.head not in off:
            columns = range(t.scenario.d_v)
            yield from (Cell(step, source.head, source.row, column) for column in columns)
        if source.step == "v_heads":
            for head in heads_that_share(t, head_of(source)):
                if head not in off:
                    queries = range(t.scenario.n_q)
                    yield from (Cell(step, head, query, source.column) for query in queries)

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> Cell:
        if source.step == "weights":
            return Cell("v_heads", shared_head(t, head_of(reader)), source.column, reader.column)
        return Cell("weights", reader.head, reader.row, source.row)


class Contributed(Factors):
    """A row of a head's output times a column of its rows of W_O."""

    def term(self, s: Scenario) -> Term:
        width = Width("head_outputs")
        mixed = At("head_outputs", column=NTH) * At("w_o", row=HEAD * width + NTH)
        return total([Each(width, mixed)])

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "head_outputs":
            columns = range(shape(t, step)[-1])
            yield from (Cell(step, source.head, source.row, column) for column in columns)
        if source.step == "w_o":
            head, queries = source.row // t.scenario.d_v, range(t.scenario.n_q)
            yield from (Cell(step, head, query, source.column) for query in queries)

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> Cell:
        width = t.scenario.d_v
        if source.step == "head_outputs":
            row = head_of(reader) * width + source.column
            return Cell("w_o", None, row, reader.column)
        return Cell("head_outputs", reader.head, reader.row, source.row % width)


@dataclass(frozen=True)
class Rotated(MadeOf):
    """Two neighbouring columns, turned by the angle of their position."""

    name: str
    start: Callable[[Any], int]  # the place of the first row, of a scenario

    def term(self, s: Scenario) -> Term:
        name, wavelengths = WAVELENGTHS
        assert wavelengths is not None
        even = COLUMN - COLUMN % 2
        wavelength = wavelengths.term(even / Width(self.name), getattr(s.scores, name))
        angle = Number(ROW + self.start(s), "p") / wavelength
        cos, sin = applied("cos", angle), applied("sin", angle)
        first, second = At(self.name, column=even), At(self.name, column=even + 1)
        return If("even", first * cos - second * sin, total([first * sin, second * cos]))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, self.name):
            even = source.column - source.column % 2
            yield from (Cell(step, source.head, source.row, each) for each in (even, even + 1))


@dataclass(frozen=True)
class Waves(MadeOf):
    """Sinusoids: they read no number, but the place of the row and of the column."""

    name: str  # of the array that they are added to
    start: Callable[[Any], int]

    def term(self, s: Scenario) -> Term:
        if without_sinusoids(s):
            return ZeroBecause("no sinusoids are chosen")
        share = (COLUMN // 2) * 2 / Width(self.name)
        wavelength = Number(BASE) ** Number(share, r"2c/d_{\mathrm{model}}", "2c/d_model")
        angle = Number(ROW + self.start(s), "p") / wavelength
        return If("even", applied("sin", angle), applied("cos", angle))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


class Added(MadeOf):
    """ALiBi's slope times the distance, and the additive mask."""

    def term(self, s: Scenario) -> Term:
        terms: list[Term] = []
        if not without_alibi(s):
            slopes = tuple(float(slope) for slope in alibi_slopes(s.n_heads))
            distance = Unsigned(ROW + (s.scores.query_start - s.key_start) - COLUMN)
            slope = Number(OneOf(slopes, HEAD), "a_i")
            terms.append(slope * Number(distance * -1, "-|p_q - p_k|"))
        without = total(terms) if terms else ZeroBecause(NOTHING_ADDED)
        if s.mask.additive is None:
            return without
        return If("adding", total([*terms, At(ADDITIVE)]), without)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == ADDITIVE and is_given(t, ADDITIVE):
            heads = range(t.scenario.n_heads)
            yield from (Cell(step, head, source.row, source.column) for head in heads)


class Allowed(MadeOf):
    """True where every part of the mask allows it."""

    def at(self, t: ForwardPass, cell: Cell) -> Expression:
        by = _parts_that_hide(t, cell.row, cell.column)
        because = f"hidden by {' and '.join(by)}" if by else "no part of the mask hides it"
        return Given(number_in(t, cell), because)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


class Blind(MadeOf):
    """True for a query from which the mask hides every key."""

    def at(self, t: ForwardPass, cell: Cell) -> Expression:
        is_blind = number_in(t, cell)
        because = "the mask hides every key from it" if is_blind else "it sees a key"
        return Given(is_blind, because)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "mask":
            yield Cell(step, None, source.row, 0)


# What the equations of single steps make of their operands.


def added(*terms: Term) -> Term:
    return total(terms)


def summed(row: Term) -> Term:
    return total([row])


def exponential(score: Term) -> Term:
    return applied("exp", score)


def exponential_below(score: Term, most: Term) -> Term:
    return applied("exp", score - most)


def share(exponential: Term, of_row: Term) -> Term:
    return If("seeing", exponential / of_row, ZeroBecause(BLIND))


def most_of(row: Term) -> Term:
    return If("seeing", largest([row]), ZeroBecause(BLIND))


def _parts_that_hide(t: ForwardPass, query: int, key: int) -> list[str]:
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
