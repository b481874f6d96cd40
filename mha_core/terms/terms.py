"""How the number of a cell is made of others: the rule of a step, as data.

`mha_core/layer/made_of.py` makes expressions of it; in the browser,
`ui/plot/js/numbers/made_of.js` does. So a rule is told once. It is written like a formula:
`tanh(At("scaled_scores") / cap) * cap`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from mha_core.terms.counts import (
    COLUMN,
    HEAD,
    ROW,
    Below,
    CountLike,
    condition_as_data,
    count_as_data,
)


class Term:
    """A number that is made of others. Subclasses say how."""

    def __sub__(self, other: Term) -> Term:
        return Made("difference", (self, other))

    def __mul__(self, other: Term) -> Term:
        return Made("product", (self, other))

    def __truediv__(self, other: Term) -> Term:
        return Made("quotient", (self, other))

    def __pow__(self, other: Term) -> Term:
        return Made("power", (self, other))


@dataclass(frozen=True)
class At(Term):
    """The number in a cell of an array, by default at the same place.

    An array without heads serves all heads; one with a single column serves all columns.
    """

    array: str
    head: CountLike = HEAD
    row: CountLike = ROW
    column: CountLike = COLUMN


@dataclass(frozen=True)
class Letter:
    """A letter of a symbol, what it is, and its number: without one, that of the symbol."""

    text: str
    words: str
    count: CountLike | None = None


@dataclass(frozen=True)
class Number(Term):
    """A number that stands in no cell.

    `symbol` is LaTeX; without one, the number itself is written. `text` is the symbol where LaTeX
    cannot be read. Each of its `letters` is explained.
    """

    count: CountLike
    symbol: str = ""
    text: str = ""
    letters: tuple[Letter, ...] = ()


@dataclass(frozen=True)
class Chosen(Term):
    """The number that an option of the scores stands for, such as the soft cap."""

    option: str
    symbol: str = ""
    text: str = ""
    letters: tuple[Letter, ...] = ()


@dataclass(frozen=True)
class ZeroBecause(Term):
    """0, for a reason."""

    because: str


@dataclass(frozen=True)
class Each(Term):
    """Among the parts of another: one part for each `NTH` below a count."""

    count: CountLike
    part: Term


@dataclass(frozen=True)
class Hidden(Term):
    """Minus infinity, because the mask hides the cell."""


HIDDEN: Final = Hidden()


@dataclass(frozen=True)
class If(Term):
    """One term where something holds, else the other.

    The mask is "open" in the cell; the query is "seeing" a key; the head is "on"; the additive mask
    is "adding", and does not hide; or a number of the place is below another.
    """

    what: str | Below
    then: Term
    otherwise: Term


@dataclass(frozen=True)
class Made(Term):
    """Numbers and what is done to them. `function` is the name of the one that is applied."""

    kind: str
    parts: tuple[Term, ...]
    function: str = ""


def total(parts: Iterable[Term]) -> Term:
    return Made("sum", tuple(parts))


def largest(parts: Iterable[Term]) -> Term:
    return Made("largest", tuple(parts))


def applied(function: str, part: Term) -> Term:
    return Made("applied", (part,), function)


def as_data(term: Term) -> list[Any]:
    """What a browser gets: a list that begins with its kind.

    >>> as_data(At("raw_scores") * Chosen("scale"))
    ['product', ['at', 'raw_scores', 'head', 'row', 'column'], ['chosen', 'scale', []]]
    """
    match term:
        case At(array, head, row, column):
            return ["at", array, *map(count_as_data, (head, row, column))]
        case Number(count):
            return ["number", count_as_data(count), _letters(term)]
        case Chosen(option):
            return ["chosen", option, _letters(term)]
        case ZeroBecause(because):
            return ["zero", because]
        case Each(count, part):
            return ["each", count_as_data(count), as_data(part)]
        case Hidden():
            return ["hidden"]
        case If(what, then, otherwise):
            holds = what if isinstance(what, str) else condition_as_data(what)
            return ["if", holds, as_data(then), as_data(otherwise)]
        case Made("applied", (part,), function):
            return ["applied", function, as_data(part)]
    assert isinstance(term, Made)
    return [term.kind, *map(as_data, term.parts)]


def _letters(of: Number | Chosen) -> list[Any]:
    return [
        [each.text, each.words, None if each.count is None else count_as_data(each.count)]
        for each in of.letters
    ]
