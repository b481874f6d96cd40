"""Where a number comes from, and where it goes: `derive` and `feeds`, for every step.

>>> from mha_core import attend
>>> from mha_core.examples import load_example
>>> trace = attend(load_example("pizza"))
>>> found = derive(trace, "weights", (0, 3, 1))
>>> found.write("text", decimals=3)
'A_1[PIZZA, LOVE] = E_1[PIZZA, LOVE] / Z_1[PIZZA] = 0.500 / 2.500 = 0.200'
>>> [each.cell.matrix for each in found.operands]
['exponentials/0', 'row_sums/0']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.layer.attention import quiet
from mha_core.layer.cells import Cell
from mha_core.layer.expressions import (
    Constant,
    Expression,
    Given,
    Leaf,
    Operand,
    Sum,
)
from mha_core.layer.in_python import compared, in_python
from mha_core.layer.made_of import Input, MadeOf
from mha_core.layer.naming import dims_of, index_of, name_of
from mha_core.layer.notations import NOTATIONS, in_brackets_if_negative
from mha_core.layer.out_of_range import what_happened
from mha_core.layer.replay import Replay
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.layer.where import ADDITIVE, array_of, computed, number_in, shape
from mha_core.layer.written import written, written_constant
from mha_core.scenario.given_arrays import GIVEN
from mha_core.terms.terms import At

MOST_TERMS: Final = 6  # of a sum that is written out
_STEPS: Final = tuple(each.name for each in STEPS)
_NAMES: Final = tuple(dict.fromkeys((*_STEPS, *GIVEN, ADDITIVE)))  # of what numbers stand in


class Rest(NamedTuple):
    """The rest of a long sum: its value, which is the result less the terms that are written."""

    value: Any
    result: Operand
    terms: tuple[Expression, ...]


Mark = Callable[[str, Leaf | Rest], str]


def unmarked(number: str, _: Leaf | Rest) -> str:
    return number


class Numbers(NamedTuple):
    """How numbers are written into a formula."""

    notation: str
    decimals: int
    mark: Mark = unmarked

    def of(self, what: Leaf | Rest) -> str:
        write = written_constant if isinstance(what, Constant) else written
        return self.mark(write(what.value, self.decimals, self.notation), what)


@dataclass(frozen=True)
class Derivation:
    """One number: its cell, its value, and how it is computed from others.

    `cell` stands in the step that computes the number: one that changes nothing hands on another's.
    """

    trace: Trace
    cell: Cell
    value: Any
    expression: Expression

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The cells that it is made of, each once, in the order of the equation."""
        return tuple({each.cell: each for each in self.expression.operands}.values())

    @property
    def replayed(self) -> Any:
        """The value computed anew from the operands, in the type of the trace's array."""
        with quiet():  # a naive softmax divides infinity by infinity
            return np.asarray(self.expression.value).astype(np.asarray(self.value).dtype)[()]

    @property
    def because(self) -> str:
        """Why the number is what it is, in words, where nothing is computed."""
        return self.expression.because

    @quiet()
    def arithmetic(self, *, decimals: int = 2, most_terms: int = MOST_TERMS) -> str:
        """The formula with numbers in, and the result, as text; alone the result of a given number.

        Of a sum with more than `most_terms`, the largest are written, and the rest as one number.
        Of more numbers than that, the largest is all that is written.

        >>> from mha_core import attend
        >>> from mha_core.examples import load_example
        >>> trace = attend(load_example("pizza"))
        >>> derive(trace, "weights", (0, 3, 1)).arithmetic(decimals=3)
        '0.500 / 2.500 = 0.200'
        """
        result = written(self.value, decimals, "text")
        if isinstance(self.expression, Given):
            return result
        if self.because:
            return f"{result} ({self.because})"
        is_too_long = len(self.expression.parts) > most_terms
        is_sum = isinstance(self.expression, Sum)
        if not self.expression.parts or self._is_of_one or (is_too_long and not is_sum):
            return result
        with_numbers = self._with_numbers(Numbers("text", decimals), most_terms)
        return f"{with_numbers} = {result}"

    def what_happened(self, decimals: int = 2) -> str:
        """Why the number is infinite or not a number, or has vanished; "" where it has not."""
        return what_happened(self.expression, np.asarray(self.value).dtype, decimals)

    @quiet()
    def write(self, notation: str, *, decimals: int = 2, most_terms: int = MOST_TERMS) -> str:
        """The number's name, its formula, the same with numbers in, and the result.

        `notation` is text, latex or python, which compares the name and the formula alone. Of a
        sum with more than `most_terms`, the largest are written, and the rest as one number.
        """
        sides = self.sides(notation, decimals=decimals, most_terms=most_terms)
        if notation == "python":
            name, formula = sides
            return compared(name, formula, self.expression, np.asarray(self.value))
        return " = ".join(sides)

    @quiet()
    def sides(
        self,
        notation: str,
        *,
        decimals: int = 2,
        most_terms: int = MOST_TERMS,
        mark: Mark = unmarked,
    ) -> list[str]:
        """What `write` puts between its signs of equality, one by one.

        `mark` gets each number as it is written, and what it is. What it returns stands there
        instead; a minus has to stay in front.
        """
        how, numbers = NOTATIONS[notation], Numbers(notation, decimals, mark)

        def name(leaf: Leaf) -> str:
            if isinstance(leaf, Operand):
                return name_of(self.trace, leaf.cell, notation)
            if notation == "python":
                return in_python(leaf.number)
            symbol = leaf.text if notation == "text" and leaf.text else leaf.symbol
            return symbol or numbers.of(leaf)

        own = name_of(self.trace, self.cell, notation)
        if notation == "python":
            return [own, self.expression.write(how, name)]
        parts = [own]
        if self.expression.parts and not self.because:
            is_long = isinstance(self.expression, Sum) and len(self.expression.terms) > most_terms
            parts += [] if is_long else [self.expression.write(how, name)]
            parts += [] if self._is_of_one else [self._with_numbers(numbers, most_terms)]
        elif isinstance(self.expression, Operand):
            parts.append(self.expression.write(how, name))
        return [*parts, numbers.of(self._result)]

    @property
    def _is_of_one(self) -> bool:
        """Whether it is a sum of one number, which would be said twice."""
        terms = self.expression.terms if isinstance(self.expression, Sum) else ()
        return len(terms) == 1 and isinstance(terms[0], Leaf)

    @property
    def _result(self) -> Operand:
        return Operand(self.cell, self.value)

    def _with_numbers(self, numbers: Numbers, most_terms: int) -> str:
        """The expression with its numbers in. The rest of a long sum is one number, at its end."""
        how = NOTATIONS[numbers.notation]
        if not isinstance(self.expression, Sum):
            return self.expression.write(how, numbers.of)
        terms, rest = self.expression.shortened(most_terms)
        shown = Sum(terms).write(how, numbers.of)
        left_out = len(self.expression.terms) - len(terms)
        if not left_out:
            return shown
        others = in_brackets_if_negative(numbers.of(Rest(rest, self._result, terms)), how)
        return f"{shown} + {how.rest.format(others, left_out)}"


class Fed(NamedTuple):
    """A cell that reads another one, and how much it moves if that one moves by 1."""

    cell: Cell
    slope: float


def derive(trace: Trace, step: str, index: tuple[int, ...]) -> Derivation:
    """How one number of a step or a given array comes about. `index` is that of the array."""
    cell = cell_at(trace, step, index)
    where = Cell(computed(trace, step), cell.head, cell.row, cell.column)
    return Derivation(trace, where, number_in(trace, where), _rule(trace, where).at(trace, where))


def handed_on_by(trace: Trace, cell: Cell) -> Cell | None:
    """The cell whose number this one has unchanged; None where the number is computed or given.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> handed_on_by(attend(load_example("pizza")), Cell("q_heads", 1, 2, 0))
    Cell(step='q', head=None, row=2, column=4)
    """
    index_in(trace, cell)  # refuses a cell that is not there
    where = Cell(computed(trace, cell.step), cell.head, cell.row, cell.column)
    term, replay = _rule(trace, where).term(trace.scenario), Replay(trace, where)
    holds = term and replay.chosen(term)
    return replay.operand(holds).cell if isinstance(holds, At) else None


def derive_cell(trace: Trace, cell: Cell) -> Derivation:
    """The same for a cell, such as one that was picked in a picture."""
    return derive(trace, cell.step, index_in(trace, cell))


def feeds(trace: Trace, step: str, index: tuple[int, ...]) -> Iterator[Fed]:
    """The cells that read this one, step by step in the order of the lesson."""
    cell = cell_at(trace, step, index)
    source = Cell(computed(trace, step), cell.head, cell.row, cell.column)
    for each in STEPS:
        if each.computed_by(trace.scenario) is each:
            for reader in each.made_of.readers(trace, each.name, source):
                yield Fed(reader, each.made_of.slope(trace, reader, source))


def feeds_cell(trace: Trace, cell: Cell) -> Iterator[Fed]:
    """The same for a cell."""
    return feeds(trace, cell.step, index_in(trace, cell))


def index_in(trace: Trace, cell: Cell) -> tuple[int, ...]:
    """The index of a cell in its array; refuses a cell that is not there."""
    index = index_of(cell, dims_of(trace, cell.step)) if cell.step in _NAMES else ()
    cell_at(trace, cell.step, index)
    return index


def has_cell(trace: Trace, cell: Cell) -> bool:
    """Whether there is such a cell, which anyone may have named.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("two-tokens"))
    >>> has_cell(trace, Cell("weights", 0, 1, 1)), has_cell(trace, Cell("weights", 0, 1, 9))
    (True, False)
    """
    try:
        index_in(trace, cell)
    except ShapeError:
        return False
    return True


def cell_at(trace: Trace, step: str, index: tuple[int, ...]) -> Cell:
    """The cell at an index of the array of a step, or of a given array."""
    if not _is_there(trace, step):
        raise ShapeError(
            "A number",
            "must stand in a step of the trace or in a given array",
            repr(step)[:40],
            f"Take one of {', '.join(name for name in _NAMES if _is_there(trace, name))}.",
        )
    need = shape(trace, step)
    if len(index) != len(need) or not all(0 <= i < n for i, n in zip(index, need, strict=True)):
        raise ShapeError(
            f"An index of {step}",
            f"must have {len(need)} numbers, counted from 0, below {need}",
            repr(index)[:40],
            "Ask for a cell that is there.",
        )
    if len(index) == 1:
        row, column = (index[0], 0) if step == "blind_queries" else (0, index[0])
        return Cell(step, None, row, column)
    *head, row, column = index
    return Cell(step, head[0] if head else None, row, column)


def _is_there(trace: Trace, name: str) -> bool:
    """Whether a trace has an array of this name. That of a step is not made for it."""
    return name in _STEPS or (name in _NAMES and array_of(trace, name) is not None)


def _rule(trace: Trace, cell: Cell) -> MadeOf:
    step = getattr(type(trace), cell.step, None)
    return step.made_of if isinstance(step, Step) else Input()
