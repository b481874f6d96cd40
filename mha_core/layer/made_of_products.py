"""What one number is made of in the steps that are products of matrices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf, times
from mha_core.layer.relative import rows_of_distances
from mha_core.layer.where import computed, head_of, heads_that_share, number_in, shape, shared_head
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import COLUMN, HEAD, NTH, ROW, SHARED, Count, OneOf, Width, Within
from mha_core.terms.terms import At, Each, If, Term, ZeroBecause, total


class Factors(MadeOf):
    """Sums of products: a cell moves a reader by the number that it is multiplied by.

    So the slope is known before all terms are written out.
    """

    @abstractmethod
    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> tuple[Cell, ...]:
        """The other factor of each product with `source`; none where it stands alone."""

    factor: str = ""  # the option that all of the sum is multiplied by

    def slope(self, t: ForwardPass, reader: Cell, source: Cell) -> float:
        others = self.beside(t, reader, source)
        by = float(getattr(t.scenario.scores, self.factor)) if self.factor else 1.0
        return by * sum(float(number_in(t, other)) for other in others) if others else by


@dataclass(frozen=True)
class Projected(Factors):
    """A row of an array times a column of given weights, plus a given bias."""

    rows: str
    weights: str
    bias: str
    factor: str = ""

    def term(self, s: Scenario) -> Term:
        products = Each(Width(self.rows), At(self.rows, column=NTH) * At(self.weights, row=NTH))
        has_bias = getattr(s, self.bias) is not None
        sum_of_all = total([products, *([At(self.bias, row=0)] if has_bias else [])])
        return times(self.factor, sum_of_all, s)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        rows, columns = shape(t, step)
        if source.step == computed(t, self.rows):
            yield from (Cell(step, None, source.row, column) for column in range(columns))
        if source.step in (self.weights, self.bias):
            yield from (Cell(step, None, row, source.column) for row in range(rows))

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> tuple[Cell, ...]:
        if source.step == self.bias:
            return ()
        if source.step == self.weights:
            return (Cell(self.rows, None, reader.row, source.row),)
        return (Cell(self.weights, None, source.column, reader.column),)


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

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> tuple[Cell, ...]:
        if source.step == computed(t, "q_rotated"):
            own = shared_head(t, head_of(reader))
            return (Cell("k_rotated", own, reader.column, source.column),)
        return (Cell("q_rotated", reader.head, reader.row, source.column),)


class Relative(Factors):
    """A query times the vector that R_K has for the distance; a key times that of R_Q."""

    def term(self, s: Scenario) -> Term:
        width = Width("q_rotated")
        column = HEAD * width + NTH
        query = At("q_rotated", column=NTH)
        key = At("k_rotated", head=SHARED, row=COLUMN, column=NTH)
        return total(
            Each(width, vector * At(name, row=row, column=column))
            for name, vector in (("r_k", query), ("r_q", key))
            if getattr(s, name) is not None
            for row in _rows_of_r(s)
        )

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        s = t.scenario
        if s.r_k is not None and source.step == computed(t, "q_rotated"):
            yield from (Cell(step, source.head, source.row, key) for key in range(s.n_k))
        if s.r_q is not None and source.step == computed(t, "k_rotated"):
            for head in heads_that_share(t, head_of(source)):
                yield from (Cell(step, head, query, source.row) for query in range(s.n_q))
        if source.step in ("r_k", "r_q"):
            head = source.column // s.d_k
            pairs = np.argwhere((rows_of_distances(s) == source.row).any(axis=0))
            yield from (Cell(step, head, int(query), int(key)) for query, key in pairs)

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> tuple[Cell, ...]:
        """A vector of a distance stands beside a query or a key; these, beside one on each axis."""
        s, head = t.scenario, head_of(reader)
        if source.step == "r_k":
            return (Cell("q_rotated", head, reader.row, source.column % s.d_k),)
        if source.step == "r_q":
            own = shared_head(t, head)
            return (Cell("k_rotated", own, reader.column, source.column % s.d_k),)
        rows = rows_of_distances(s, slice(reader.row, reader.row + 1))[:, 0, reader.column]
        name = "r_k" if source.step == computed(t, "q_rotated") else "r_q"
        return tuple(Cell(name, None, int(row), head * s.d_k + source.column) for row in rows)


def _rows_of_r(s: Scenario) -> Iterator[Count]:
    """The row of R that the distance of a pair has, on each axis."""
    reach, places = s.reach, s.scores.r_places
    query, key = ROW + s.query_start, COLUMN + s.key_start
    distances: list[Count] = [COLUMN - ROW + (s.key_start - s.query_start)]
    if places is not None:
        on_axes = zip(*places, strict=True)
        distances = [OneOf(numbers, key) - OneOf(numbers, query) for numbers in on_axes]
    for axis, distance in enumerate(distances):
        yield Within(distance, -reach, reach) + (axis * (2 * reach + 1) + reach)


class Blended(Factors):
    """The values of all keys, each times its weight."""

    def term(self, s: Scenario) -> Term:
        value = At("v_normed", head=SHARED, row=NTH)
        blend = total([Each(Width("weights"), At("weights", column=NTH) * value)])
        return If("on", blend, ZeroBecause(say("the head is switched off")))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        off = t.scenario.heads_off
        if source.step == "weights" and source.head not in off:
            columns = range(t.scenario.d_v)
            yield from (Cell(step, source.head, source.row, column) for column in columns)
        if source.step == computed(t, "v_normed"):
            for head in heads_that_share(t, head_of(source)):
                if head not in off:
                    queries = range(t.scenario.n_q)
                    yield from (Cell(step, head, query, source.column) for query in queries)

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> tuple[Cell, ...]:
        if source.step == "weights":
            own = shared_head(t, head_of(reader))
            return (Cell(computed(t, "v_normed"), own, source.column, reader.column),)
        return (Cell("weights", reader.head, reader.row, source.row),)


class Contributed(Factors):
    """A row of a head's output times a column of its rows of W_O."""

    factor = "output_scale"

    def term(self, s: Scenario) -> Term:
        width = Width("heads_bent")
        mixed = At("heads_bent", column=NTH) * At("w_o", row=HEAD * width + NTH)
        return times(self.factor, total([Each(width, mixed)]), s)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == computed(t, "heads_bent"):
            columns = range(shape(t, step)[-1])
            yield from (Cell(step, source.head, source.row, column) for column in columns)
        if source.step == "w_o":
            head, queries = source.row // t.scenario.d_v, range(t.scenario.n_q)
            yield from (Cell(step, head, query, source.column) for query in queries)

    def beside(self, t: ForwardPass, reader: Cell, source: Cell) -> tuple[Cell, ...]:
        width, heads = t.scenario.d_v, computed(t, "heads_bent")
        if source.step == heads:
            row = head_of(reader) * width + source.column
            return (Cell("w_o", None, row, reader.column),)
        return (Cell(heads, reader.head, reader.row, source.row % width),)
