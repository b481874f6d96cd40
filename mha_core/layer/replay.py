"""The rule of a step, made for one cell: a term with the numbers of a trace in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from mha_core.layer.cells import Cell
from mha_core.layer.expressions import (
    Applied,
    Constant,
    Difference,
    Explained,
    Expression,
    Largest,
    MinusInfinity,
    Operand,
    Power,
    Product,
    Quotient,
    Sum,
    Zero,
)
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.where import array_of, computed, head_of, number_at, shape, shared_head
from mha_core.terms.counts import NTH, SHARED, Below, Coordinate, CountLike, Width, count_of
from mha_core.terms.terms import (
    At,
    Chosen,
    Each,
    Hidden,
    If,
    Letter,
    Made,
    Number,
    Term,
    ZeroBecause,
)

KINDS: Final[Mapping[str, Callable[..., Expression]]] = {
    "sum": lambda *parts: Sum(parts),
    "largest": lambda *parts: Largest(parts),
    "difference": Difference,
    "product": Product,
    "quotient": Quotient,
    "power": Power,
}
CONDITIONS: Final[Mapping[str, Callable[[Any, Cell], Any]]] = {
    "open": lambda t, cell: t.mask[cell.row, cell.column],
    "seeing": lambda t, cell: not t.blind_queries[cell.row],
    "on": lambda t, cell: cell.head not in t.scenario.heads_off,
    "adding": lambda t, cell: not np.isneginf(t.scenario.mask.additive[cell.row, cell.column]),
}


@dataclass(frozen=True)
class Replay:
    """One cell of a trace, for which a term becomes an expression; `i` is the running number.

    `arrays` keeps what was looked up, each under the name of the step that computes it: a sum asks
    for the same arrays in each of its terms.
    """

    trace: ForwardPass
    cell: Cell
    i: int = 0
    arrays: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def of(self, term: Term) -> Expression:
        match term:
            case At():
                return self.operand(term)
            case Number(count, symbol, text, letters):
                number = np.float64(self.count(count))
                return Constant(symbol, number, text, letters=self._explained(letters, number))
            case Chosen(option, symbol, text, letters):
                s = self.trace.scenario
                number = s.scores.number(option, s.d_k)
                explained = self._explained(letters, number, option)
                return Constant(symbol, number, text, option, explained)
            case ZeroBecause(because):
                return Zero(because)
            case Hidden():
                return MinusInfinity(self.operand(At("mask")))
            case If():
                return self.of(self.chosen(term))
            case Made("applied", (part,), function):
                return Applied(function, self.of(part))
        assert isinstance(term, Made), f"{term!r} is a part of another term"
        return KINDS[term.kind](*(each for part in term.parts for each in self._each(part)))

    def chosen(self, term: Term) -> Term:
        """The term that holds for this cell, where each holds for some cells."""
        while isinstance(term, If):
            term = term.then if self._holds(term.what) else term.otherwise
        return term

    def _holds(self, what: str | Below) -> bool:
        if isinstance(what, Below):
            return bool(self.count(what.one) < self.count(what.other))
        return bool(CONDITIONS[what](self.trace, self.cell))

    def count(self, count: CountLike) -> Any:
        return count_of(count, self._look)

    def _each(self, part: Term) -> Iterator[Expression]:
        if not isinstance(part, Each):
            yield self.of(part)
            return
        for i in range(self.count(part.count)):
            yield Replay(self.trace, self.cell, i, self.arrays).of(part.part)

    def _explained(
        self, letters: Iterable[Letter], number: Any, option: str = ""
    ) -> tuple[Explained, ...]:
        """Letters with their numbers; a letter without a number has that of the symbol."""
        return tuple(
            Explained(each.text, number, each.words, option)
            if each.count is None
            else Explained(each.text, self.count(each.count), each.words)
            for each in letters
        )

    def operand(self, at: At) -> Operand:
        """The number in a cell, under the name of the step that computes it."""
        name, array = self._array(at.array)
        head = self.count(at.head) if array.ndim == 3 else None
        column = 0 if array.shape[-1] == 1 else self.count(at.column)
        where = Cell(name, head, self.count(at.row), column)
        return Operand(where, number_at(array, where))

    def _array(self, name: str) -> tuple[str, Any]:
        if name not in self.arrays:
            where = computed(self.trace, name)
            self.arrays[name] = where, array_of(self.trace, where)
        return self.arrays[name]

    def _look(self, name: Coordinate | Width) -> int:
        if isinstance(name, Width):
            return shape(self.trace, name.array)[-1]
        if name is NTH:
            return self.i
        if name is SHARED:
            return shared_head(self.trace, head_of(self.cell))
        found: int = getattr(self.cell, name.name)
        return found
