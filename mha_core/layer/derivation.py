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

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.language import say
from mha_core.layer.attention import quiet
from mha_core.layer.cells import Cell
from mha_core.layer.expressions import (
    Constant,
    Explained,
    Expression,
    Given,
    Leaf,
    Many,
    Operand,
    Product,
    Sum,
)
from mha_core.layer.in_python import compared, in_python
from mha_core.layer.made_of import Input, MadeOf
from mha_core.layer.naming import dims_of, index_of, name_of
from mha_core.layer.notations import NOTATIONS, Notation, in_brackets_if_negative
from mha_core.layer.out_of_range import what_happened
from mha_core.layer.replay import Replay
from mha_core.layer.steps import Step
from mha_core.layer.trace import STEPS, Trace
from mha_core.layer.where import ADDITIVE, array_of, computed, number_in, shape
from mha_core.layer.written import written, written_constant
from mha_core.scenario.given_arrays import GIVEN
from mha_core.terms.terms import At

MOST_TERMS: Final = 12  # that are written out; of more, those that count most
FEW: Final = 2  # if a number is made of so few others, one may look past it
_STEPS: Final = tuple(each.name for each in STEPS)
_NAMES: Final = tuple(dict.fromkeys((*_STEPS, *GIVEN, ADDITIVE)))  # of all arrays that hold numbers


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

    `cell` stands in the step that computes the number, not in one that hands it on unchanged.
    `names` are other cells with the same number, on the way to where it is computed.
    """

    trace: Trace
    cell: Cell
    value: Any
    expression: Expression
    names: tuple[Cell, ...] = ()

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The cells that it is made of, each once, in the order of the equation."""
        return _each_once(self.expression.operands)

    def written_out(self) -> tuple[Operand, ...]:
        """The cells that stand in the formula."""
        shown, _ = _shortened(self.expression, MOST_TERMS)
        return _each_once(shown.operands)

    @property
    def letters(self) -> tuple[Explained, ...]:
        """The letters of its formula that name no array, each once."""
        return tuple({each.text: each for each in self.expression.explained}.values())

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
        """The formula with its numbers, and the result, as text; only the result of a given number.

        A sum with more than `most_terms` shows the largest, and the rest as one number.

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
        if not self.expression.parts or self._is_of_one:
            return result
        with_numbers = self._with_numbers(Numbers("text", decimals), most_terms)
        return f"{with_numbers} = {result}"

    def what_happened(self, decimals: int = 2) -> str:
        """Why the number is infinite or not a number, or has vanished; "" where it has not."""
        return what_happened(self.expression, np.asarray(self.value).dtype, decimals)

    @quiet()
    def write(self, notation: str, *, decimals: int = 2, most_terms: int = MOST_TERMS) -> str:
        """The number's name, its formula, the same with numbers, and the result.

        `notation` is text, latex or python; python only compares the name and the formula. A sum
        with more than `most_terms` shows the largest, and the rest as one number.
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
        """The parts that `write` joins by equals signs, one by one.

        `mark` gets each number as it is written, and what it is. Its answer takes the number's
        place; a minus must stay in front.
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
        parts = [own, *(name_of(self.trace, each, notation) for each in self.names)]
        if self.expression.parts and not self.because:
            shown, left_out = _shortened(self.expression, most_terms)
            parts.append(_with_more(shown, how, name, how.dots, len(left_out)))
            parts += [] if self._is_of_one else [self._with_numbers(numbers, most_terms)]
        elif isinstance(self.expression, Operand):
            parts.append(self.expression.write(how, name))
        return [*parts, numbers.of(self._result)]

    @property
    def _is_of_one(self) -> bool:
        """Whether it is a sum of one number: that would be written twice."""
        terms = self.expression.terms if isinstance(self.expression, Sum) else ()
        return len(terms) == 1 and isinstance(terms[0], Leaf)

    @property
    def _result(self) -> Operand:
        return Operand(self.cell, self.value)

    def _with_numbers(self, numbers: Numbers, most_terms: int) -> str:
        """The expression with its numbers. The rest of a long sum is one number, at its end."""
        how = NOTATIONS[numbers.notation]
        shown, left_out = _shortened(self.expression, most_terms)
        others = how.dots
        if left_out and isinstance(shown, Sum):
            rest = float(np.sum([float(each.value) for each in left_out]))
            number = numbers.of(Rest(rest, self._result, shown.terms))
            others = in_brackets_if_negative(number, how)
        return _with_more(shown, how, numbers.of, others, len(left_out))


def _each_once(operands: Iterable[Operand]) -> tuple[Operand, ...]:
    return tuple({each.cell: each for each in operands}.values())


def _shortened(
    expression: Expression, most_terms: int
) -> tuple[Expression, tuple[Expression, ...]]:
    """An expression of at most this many terms, and the terms that are left out."""
    return expression.shortened(most_terms) if isinstance(expression, Many) else (expression, ())


def _with_more(
    shown: Expression, how: Notation, leaf: Callable[[Leaf], str], others: str, count: int
) -> str:
    """An expression as it is written, with words or dots for so many other terms."""
    if not isinstance(shown, Many):
        return shown.write(how, leaf)
    if not count:
        return shown.write_with(how, leaf)
    more = say("{count} more").format(count=count)
    return shown.write_with(how, leaf, how.rest.format(others, more))


class Fed(NamedTuple):
    """A cell that reads another one, and how much it moves if the other moves by 1."""

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


def explain(trace: Trace, cell: Cell) -> Derivation:
    """The same, past cells that only give the number another name.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> explain(attend(load_example("three-tokens")), Cell("q_heads", 1, 0, 0)).write("text")[:50]
    'Q_2[t1, 1] = Q[t1, 2.1] = X[t1, 1]·W_Q[1, 2.1] + X'
    """
    found = derive_cell(trace, cell)
    made, names = found, []
    while isinstance(made.expression, Operand):
        made = derive_cell(trace, made.expression.cell)
        names.append(made.cell)
    return replace(made, cell=found.cell, names=tuple(names))


def further_down(found: Derivation) -> tuple[Operand, ...]:
    """The numbers below a number's operands, in a chain: each is made mainly of the next one.

    For a weight these are its scores, down to the raw one, which is a sum of many products.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("pizza"))
    >>> found = derive_cell(trace, Cell("weights", 0, 3, 1))
    >>> [each.cell.step for each in further_down(found)]
    ['masked_scores', 'raw_scores']
    """
    below: list[Operand] = []
    while main := _main_operand(found):
        below.append(main)
        found = explain(found.trace, main.cell)
    return tuple(below[1:])


def _main_operand(found: Derivation) -> Operand | None:
    """The operand in the same place, if it is the first of few; a product has none."""
    operands = found.operands
    is_product = any(isinstance(part, Product) for part in (found.expression.parts))
    if is_product or not 0 < len(operands) <= FEW:
        return None
    first, own = operands[0].cell, found.cell
    is_there = (first.head, first.row, first.column) == (own.head, own.row, own.column)
    return operands[0] if is_there else None


def hidden_by(trace: Trace, cell: Cell) -> Cell | None:
    """The cell of the mask that hides this one; None where the mask leaves it open.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("pizza"))
    >>> hidden_by(trace, Cell("weights", 1, 0, 3)), hidden_by(trace, Cell("weights", 1, 3, 0))
    (Cell(step='mask', head=None, row=0, column=3), None)
    """
    step = getattr(type(trace), cell.step, None)
    is_after = isinstance(step, Step) and step.after_mask
    is_hidden = is_after and not trace.mask[cell.row, cell.column]
    return Cell("mask", None, cell.row, cell.column) if is_hidden else None


def feeds(trace: Trace, step: str, index: tuple[int, ...]) -> Iterator[Fed]:
    """The cells that read this one, step by step in the order of the lesson."""
    cell = cell_at(trace, step, index)
    source = Cell(computed(trace, step), cell.head, cell.row, cell.column)
    for reader in readers(trace, source):
        yield Fed(reader, _rule(trace, reader).slope(trace, reader, source))


def readers(trace: Trace, source: Cell) -> Iterator[Cell]:
    """The same without how much they move. `source` stands in the step that computes it."""
    for each in STEPS:
        if each.computed_by(trace.scenario) is each:
            yield from each.made_of.readers(trace, each.name, source)


def feeds_cell(trace: Trace, cell: Cell) -> Iterator[Fed]:
    """The same for a cell."""
    return feeds(trace, cell.step, index_in(trace, cell))


def used_in(trace: Trace, cell: Cell) -> Iterator[Fed]:
    """The same, past cells that only give the number another name.

    >>> from mha_core import attend
    >>> from mha_core.examples import load_example
    >>> trace = attend(load_example("pizza"))
    >>> {each.cell.step for each in used_in(trace, Cell("q", None, 3, 1))}
    {'raw_scores'}
    """
    for _, group in groupby(feeds_cell(trace, cell), key=lambda fed: fed.cell.step):
        first, *others = group
        if others or handed_on_by(trace, first.cell) is None:  # a number has one name in a step
            yield first
            yield from others
        else:
            yield from used_in(trace, first.cell)


def index_in(trace: Trace, cell: Cell) -> tuple[int, ...]:
    """The index of a cell in its array; refuses a cell that is not there."""
    index = index_of(cell, dims_of(trace, cell.step)) if cell.step in _NAMES else ()
    cell_at(trace, cell.step, index)
    return index


def has_cell(trace: Trace, cell: Cell) -> bool:
    """Whether there is such a cell: anyone may have named it.

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
            say("A number"),
            say("must stand in a step of the trace or in a given array"),
            repr(step)[:40],
            say("Take one of {names}.").format(
                names=", ".join(name for name in _NAMES if _is_there(trace, name))
            ),
        )
    need = shape(trace, step)
    if len(index) != len(need) or not all(0 <= i < n for i, n in zip(index, need, strict=True)):
        raise ShapeError(
            say("An index of {matrix}").format(matrix=step),
            say("must have {count} numbers, counted from 0, below {shape}").format(
                count=len(need), shape=need
            ),
            repr(index)[:40],
            say("Ask for a cell that is there."),
        )
    if len(index) == 1:
        row, column = (index[0], 0) if step == "blind_queries" else (0, index[0])
        return Cell(step, None, row, column)
    *head, row, column = index
    return Cell(step, head[0] if head else None, row, column)


def _is_there(trace: Trace, name: str) -> bool:
    """Whether a trace has an array of this name. To answer, no step is computed."""
    return name in _STEPS or (name in _NAMES and array_of(trace, name) is not None)


def _rule(trace: Trace, cell: Cell) -> MadeOf:
    step = getattr(type(trace), cell.step, None)
    return step.made_of if isinstance(step, Step) else Input()
