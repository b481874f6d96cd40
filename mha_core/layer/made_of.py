"""What one number of a step is made of: for each kind of equation, its operands cell by cell.

Each step names one of these beside its equation; products of matrices, and what depends on places,
have their own files. `term` is the rule for all cells of the step, and the browser reads it too.
`at` gives the number of one cell as an expression of others. `readers` goes the other way: which
cells of the step read a cell of an earlier one. Steps that change nothing are skipped: operands
stand in the step whose array they hand on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.expressions import Expression, Given
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.replay import Replay
from mha_core.layer.where import computed, has_heads, head_of, is_given, number_in, shape
from mha_core.options.registry import OPTIONS
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import COLUMN, HEAD, NTH, Width
from mha_core.terms.terms import (
    HIDDEN,
    At,
    Chosen,
    Each,
    If,
    Term,
    ZeroBecause,
    applied,
    largest,
    total,
)

NOTHING_ADDED: Final = say("nothing is added")
BLIND: Final = say("the mask hides every key from this query")


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
        """How much a reader moves if `source` moves by 1, while all else that it reads stays."""
        with np.errstate(all="ignore"):  # a naive softmax may divide by infinity, and by 0
            return float(self.at(t, reader).slope(source))


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
    """Made in one way if something is so in a scenario, else in the other."""

    is_so: Callable[[Scenario], bool]
    one: MadeOf
    other: MadeOf

    def term(self, s: Scenario) -> Term | None:
        return self._chosen(s).term(s)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        return self._chosen(t.scenario).readers(t, step, source)

    def slope(self, t: ForwardPass, reader: Cell, source: Cell) -> float:
        return self._chosen(t.scenario).slope(t, reader, source)

    def _chosen(self, s: Scenario) -> MadeOf:
        return self.one if self.is_so(s) else self.other


class SamePlace(MadeOf):
    """Numbers made of those at the same place of other arrays.

    An array without heads serves all heads; one with a single column serves all columns.
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
    """Scores that an option of the scores has changed."""

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
    factor: str = ""  # the option that they are multiplied by

    def term(self, s: Scenario) -> Term:
        return times(self.factor, At(self.name, column=HEAD * Width(self.own) + COLUMN), s)

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


# What the equations of single steps do with their operands.


def times(factor: str, term: Term, s: Scenario) -> Term:
    """A number times the factor that this option stands for, where it changes something."""
    is_changed = factor and getattr(s.scores, factor) != 1
    return term * Chosen(factor) if is_changed else term


def added(*terms: Term) -> Term:
    return total(terms)


def multiplied(one: Term, other: Term) -> Term:
    return one * other


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
