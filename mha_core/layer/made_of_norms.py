"""What one number is made of after the norm of queries and keys: all numbers of its row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf
from mha_core.layer.unchanged import without_norms
from mha_core.layer.where import computed, shape
from mha_core.scenario.norms import Norm, norm_of
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import COLUMN, HEAD, NTH, OneOf, Width
from mha_core.terms.letters import D_K
from mha_core.terms.terms import At, Chosen, Each, Letter, Number, Term, applied, total

ALL_COLUMNS = say("the number of columns of all heads")


@dataclass(frozen=True)
class Normed(MadeOf):
    """A number over the root mean square of its row, times the gain of its column."""

    of: Literal["q", "k"]

    @property
    def name(self) -> str:
        return f"{self.of}_heads"

    def term(self, s: Scenario) -> Term:
        if without_norms(s):
            return At(self.name)
        norm = norm_of(s, self.of)
        quotient = At(self.name) / self._root(s, norm)
        if norm.gains is None:
            return quotient
        column = HEAD * Width(self.name) + COLUMN if norm.is_over_all else COLUMN
        its = Letter("g", say("the gain of the column"))
        return quotient * Number(OneOf(norm.gains, column), "g", letters=(its,))

    def _root(self, s: Scenario, norm: Norm) -> Term:
        width = Width(self.name)
        number = At(self.name, column=NTH)
        count = Number(width, "d_k", letters=(D_K,))
        if norm.is_over_all:
            number = At(self.name, head=NTH // width, column=NTH % width)
            columns = len(getattr(s, f"w_{self.of}")[0])
            count = Number(columns, "n", letters=(Letter("n", ALL_COLUMNS),))
        eps = Letter("ε", say("keeps the root above 0"))
        epsilon = Chosen("qk_norm_eps", r"\varepsilon", "ε", letters=(eps,))
        squares = total([Each(count.count, number * number)])
        return applied("sqrt", total([squares / count, epsilon]))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step != computed(t, self.name):
            return
        heads, _, width = shape(t, step)
        moved = range(heads) if norm_of(t.scenario, self.of).is_over_all else [source.head]
        yield from (
            Cell(step, head, source.row, column) for head in moved for column in range(width)
        )
