"""What one number is made of in the gates of a layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf, Split
from mha_core.layer.where import head_of
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import HEAD
from mha_core.terms.terms import At, Number, Term, applied


class One(MadeOf):
    """What multiplies where there is no gate."""

    def term(self, s: Scenario) -> Term:
        return Number(1)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        yield from ()


@dataclass(frozen=True)
class Opened(MadeOf):
    """The sigmoid of a head's part of the scores of a gate."""

    scores: str

    own: str  # the step whose numbers they are

    def term(self, s: Scenario) -> Term:
        return applied("sigmoid", Split(self.scores, self.own).term(s))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        return Split(self.scores, self.own).readers(t, step, source)


class Factor(MadeOf):
    """Of the two shares of a query in a head, and the constant of the head."""

    def term(self, s: Scenario) -> Term:
        first, second = At("f_gates", column=0), At("f_gates", column=1)
        counts = second if s.c_f is None else second * At("c_f", row=0, column=HEAD)
        return Number(2) - first * (Number(1) - counts)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "f_gates":
            yield Cell(step, head_of(source), source.row, 0)
        if source.step == "c_f":
            yield from (Cell(step, source.column, row, 0) for row in range(t.scenario.n_q))
