"""How one number is computed from others, as data: to be replayed, written and differentiated.

Each part has its `value`, replayed from its operands. `write` gives it in a notation, `slope` says
how much it moves if one operand moves, `operands` are the cells that it reads, in their order.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.functions import FUNCTIONS
from mha_core.layer.notations import NOTATIONS, Notation, in_brackets_if_negative, is_negative

MOST_INSIDE: Final = 12  # terms of a sum that is a part of another expression
SUM, PRODUCT, ATOM = range(3)  # how strongly the parts of an expression hold together


IT_WAS_GIVEN: Final = say("it was given")


class Expression(ABC):
    """A number as it is computed. Subclasses say how."""

    binds = ATOM

    @property
    @abstractmethod
    def value(self) -> Any:
        """The number, replayed."""

    @property
    def parts(self) -> Sequence[Expression]:
        """The expressions among its fields, in their order."""
        return tuple(field for field in vars(self).values() if isinstance(field, Expression))

    @property
    def because(self) -> str:
        """Why the number is what it is, in words, where nothing is computed."""
        return ""

    @abstractmethod
    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        """Write it in a notation. `leaf` writes operands and constants: as names, or as numbers."""

    def slope(self, cell: Cell) -> Any:
        """The derivative with respect to one operand, all others held fixed."""
        return 0.0

    @property
    def operands(self) -> Iterator[Operand]:
        for part in self.parts:
            yield from part.operands

    @property
    def explained(self) -> Iterator[Explained]:
        """The letters of its symbols."""
        for part in self.parts:
            yield from part.explained

    def _inside(self, part: Expression, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        """A part of this expression, in brackets where it needs them."""
        text = part.write(notation, leaf)
        is_loose = part.binds < self.binds or (self.binds == PRODUCT and text[:1] in "-−")
        return notation.brackets.format(text) if is_loose else text


@dataclass(frozen=True)
class Operand(Expression):
    """A number that stands in a cell."""

    cell: Cell
    number: Any

    @property
    def value(self) -> Any:
        return self.number

    @property
    def operands(self) -> Iterator[Operand]:
        yield self

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return leaf(self)

    def slope(self, cell: Cell) -> Any:
        return 1.0 if cell == self.cell else 0.0


class Explained(NamedTuple):
    """A letter of a symbol: its number, what it is in words, and the option that it stands for."""

    text: str
    number: Any
    words: str
    given_as: str = ""


@dataclass(frozen=True)
class Constant(Expression):
    """A number that stands in no cell, such as the scale.

    `symbol` is LaTeX; without one, the number itself is written. `given_as` is the name of the
    score option that gives it.
    """

    symbol: str
    number: Any
    text: str = ""  # the symbol without LaTeX, where that cannot be read
    given_as: str = ""
    letters: tuple[Explained, ...] = ()

    @property
    def value(self) -> Any:
        return self.number

    @property
    def explained(self) -> Iterator[Explained]:
        yield from self.letters

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return leaf(self)


Leaf = Operand | Constant


@dataclass(frozen=True)
class Zero(Expression):
    """A number that is 0 for a reason."""

    because: str = ""

    @property
    def value(self) -> Any:
        return 0.0

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return "0"


@dataclass(frozen=True)
class Given(Expression):
    """A number that a person gave, or that a recipe drew: it comes from nowhere else."""

    number: Any
    because: str = IT_WAS_GIVEN

    @property
    def value(self) -> Any:
        return self.number

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return leaf(Constant("", self.number))


@dataclass(frozen=True)
class Many(Expression):
    """A number that is made of any count of others, from the first to the last."""

    terms: tuple[Expression, ...]

    @property
    def parts(self) -> Sequence[Expression]:
        return self.terms

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        """As a part of another expression, where only a program has more than a few terms."""
        if len(self.terms) <= MOST_INSIDE or not notation.rest:
            return self.write_with(notation, leaf)
        shown, left_out = self.shortened(MOST_INSIDE)
        more = say("{count} more").format(count=len(left_out))
        return shown.write_with(notation, leaf, notation.rest.format(notation.dots, more))

    @abstractmethod
    def write_with(self, notation: Notation, leaf: Callable[[Leaf], str], more: str = "") -> str:
        """Write it in a notation, with `more` at its end for the others."""

    @abstractmethod
    def counts(self, value: float) -> float:
        """How much a term counts among the others."""

    def shortened(self, most: int) -> tuple[Many, tuple[Expression, ...]]:
        """Keep the terms that count most, in their order. Return the others beside the result.

        A term that is not a number counts most.
        """
        if len(self.terms) <= most:
            return self, ()
        values = [float(term.value) for term in self.terms]
        ranks = [-math.inf if math.isnan(value) else -self.counts(value) for value in values]
        kept = set(sorted(range(len(ranks)), key=ranks.__getitem__)[:most])
        shown = tuple(term for i, term in enumerate(self.terms) if i in kept)
        return replace(self, terms=shown), tuple(
            t for i, t in enumerate(self.terms) if i not in kept
        )


@dataclass(frozen=True)
class Sum(Many):
    """The sum of the terms."""

    binds = SUM

    @property
    def value(self) -> Any:
        return np.add.reduce(np.array([term.value for term in self.terms]))

    def write_with(self, notation: Notation, leaf: Callable[[Leaf], str], more: str = "") -> str:
        first, *others = (self._inside(term, notation, leaf) for term in self.terms)
        others = [in_brackets_if_negative(each, notation) for each in others]
        return " + ".join((first, *others, *([more] if more else [])))

    def counts(self, value: float) -> float:
        return abs(value)

    def slope(self, cell: Cell) -> Any:
        return sum(term.slope(cell) for term in self.terms)


@dataclass(frozen=True)
class Difference(Expression):
    """One number less another."""

    number: Expression
    less: Expression
    binds = SUM

    @property
    def value(self) -> Any:
        return self.number.value - self.less.value

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        less = self.less.write(notation, leaf)
        if self.less.binds == SUM or is_negative(less):
            less = notation.brackets.format(less)
        return f"{self.number.write(notation, leaf)}{notation.minus}{less}"

    def slope(self, cell: Cell) -> Any:
        return self.number.slope(cell) - self.less.slope(cell)


@dataclass(frozen=True)
class Product(Expression):
    """One number times another."""

    left: Expression
    right: Expression
    binds = PRODUCT

    @property
    def value(self) -> Any:
        return self.left.value * self.right.value

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        left, right = (self._inside(part, notation, leaf) for part in self.parts)
        return f"{left}{notation.times}{right}"

    def slope(self, cell: Cell) -> Any:
        left, right = self.left, self.right
        return _times(right.value, left.slope(cell)) + _times(left.value, right.slope(cell))


@dataclass(frozen=True)
class Quotient(Expression):
    """One number divided by another."""

    over: Expression
    under: Expression
    binds = PRODUCT

    @property
    def value(self) -> Any:
        return self.over.value / self.under.value

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return notation.over.format(*(self._inside(part, notation, leaf) for part in self.parts))

    def slope(self, cell: Cell) -> Any:
        under = self.under.value
        return (self.over.slope(cell) - _times(self.value, self.under.slope(cell))) / under


@dataclass(frozen=True)
class Power(Expression):
    """One constant to the power of another: no cell moves it."""

    base: Constant
    exponent: Constant

    @property
    def value(self) -> Any:
        return self.base.value**self.exponent.value

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        base, exponent = (part.write(notation, leaf) for part in self.parts)
        if notation is NOTATIONS["text"] and not re.fullmatch(r"[\d.]+", exponent):
            exponent = notation.brackets.format(exponent)
        return notation.power.format(base, exponent)


@dataclass(frozen=True)
class Applied(Expression):
    """A function of FUNCTIONS, of one number."""

    function: str
    argument: Expression

    @property
    def value(self) -> Any:
        return FUNCTIONS[self.function].of(self.argument.value)

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return notation.applied(self.function, self.argument.write(notation, leaf))

    def slope(self, cell: Cell) -> Any:
        derivative = FUNCTIONS[self.function].derivative(self.argument.value, self.value)
        return _times(derivative, self.argument.slope(cell))


@dataclass(frozen=True)
class Largest(Many):
    """The largest of some numbers. Of equal ones the first counts."""

    @property
    def value(self) -> Any:
        return np.maximum.reduce(np.array([each.value for each in self.terms]))

    def write_with(self, notation: Notation, leaf: Callable[[Leaf], str], more: str = "") -> str:
        among = [each.write(notation, leaf) for each in self.terms]
        return notation.largest.format(", ".join((*among, *([more] if more else []))))

    def counts(self, value: float) -> float:
        return value

    def slope(self, cell: Cell) -> Any:
        first = max(self.terms, key=lambda each: each.value)
        return first.slope(cell)


@dataclass(frozen=True)
class MinusInfinity(Expression):
    """Minus infinity, because the mask hides the cell."""

    by: Operand

    @property
    def value(self) -> Any:
        return -np.inf

    @property
    def because(self) -> str:
        return say("the mask hides the key from the query")

    def write(self, notation: Notation, leaf: Callable[[Leaf], str]) -> str:
        return notation.minus_infinity


def _times(value: Any, slope: Any) -> Any:
    """A product that is 0 where nothing moves, even beside infinity."""
    return value * slope if slope else 0.0
