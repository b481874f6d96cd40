"""What one number is made of in a norm: all numbers of its row."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mha_core.language import say
from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf
from mha_core.layer.where import computed, shape
from mha_core.scenario.norms import Norm, NormOf, norm_of, norms_of
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import COLUMN, HEAD, NTH, Count, OneOf, Width
from mha_core.terms.letters import D_K
from mha_core.terms.terms import At, Chosen, Each, Letter, Number, Term, applied, total

D_V = Letter("d_v", say("the number of columns of a head's values"))
ALL_COLUMNS = Letter("n", say("the number of columns of all heads"))
EPSILON = Letter("ε", say("keeps the root above 0"))
GAIN = Letter("g", say("the gain of the column"))
SHIFT = Letter("β", say("the shift of the column"))


@dataclass(frozen=True)
class _OfNormedRow(MadeOf):
    """Made of all numbers of the row, of its head or of all heads; `of` says which norm."""

    of: NormOf
    name: str

    def term(self, s: Scenario) -> Term:
        if self.of not in norms_of(s.scores):
            return At(self.name)
        return self._of_norm(s, norm_of(s, self.of))

    @abstractmethod
    def _of_norm(self, s: Scenario, norm: Norm) -> Term:
        """The rule where there is the norm."""

    def _numbers(self, norm: Norm) -> Term:
        """Those of the row, of which `NTH` counts."""
        if not norm.is_over_all:
            return At(self.name, column=NTH)
        width = Width(self.name)
        return At(self.name, head=NTH // width, column=NTH % width)

    def _mean(self, s: Scenario, norm: Norm, number: Term) -> Term:
        count, letter = self._count(s, norm)
        return total([Each(count, number)]) / Number(count, letter.text, letters=(letter,))

    def _count(self, s: Scenario, norm: Norm) -> tuple[Count | int, Letter]:
        if norm.is_over_all:
            projection = s.w_o if self.of == "concat" else getattr(s, f"w_{self.of}").T
            return len(projection), ALL_COLUMNS
        return Width(self.name), D_V if self.of == "v" else D_K

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step != computed(t, self.name):
            return
        norm = norm_of(t.scenario, self.of)
        if not norm.is_divided:
            yield replace(source, step=step)
            return
        heads, _, width = shape(t, step)
        moved = range(heads) if norm.is_over_all else [source.head]
        yield from (
            Cell(step, head, source.row, column) for head in moved for column in range(width)
        )


class Centered(_OfNormedRow):
    """A number less the mean of its row."""

    def _of_norm(self, s: Scenario, norm: Norm) -> Term:
        return At(self.name) - self._mean(s, norm, self._numbers(norm))


class Normed(_OfNormedRow):
    """A number over the root mean square of its row, times the gain of its column, and a shift."""

    def _of_norm(self, s: Scenario, norm: Norm) -> Term:
        made = At(self.name) / self._root(s, norm) if norm.is_divided else At(self.name)
        if norm.gains is not None:
            its = OneOf(norm.gains, self._column(s, norm.gains))
            made = made * Number(its, "g", letters=(GAIN,))
        if norm.shifts is not None:
            its = OneOf(norm.shifts, self._column(s, norm.shifts))
            made = total([made, Number(its, r"\beta", "β", letters=(SHIFT,))])
        return made

    def _root(self, s: Scenario, norm: Norm) -> Term:
        number = self._numbers(norm)
        option = "qk_norm_eps" if self.of in ("q", "k") else f"{self.of}_norm_eps"
        epsilon = Chosen(option, r"\varepsilon", "ε", letters=(EPSILON,))
        return applied("sqrt", total([self._mean(s, norm, number * number), epsilon]))

    def _column(self, s: Scenario, numbers: tuple[float, ...]) -> Count:
        """Which of the gains or shifts is that of the cell."""
        width = s.d_k if self.of in ("q", "k") else s.d_v
        return HEAD * width + COLUMN if len(numbers) > width else COLUMN
