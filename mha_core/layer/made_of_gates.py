"""What one number is made of in the gates of a layer, and in the function before W_O."""

from __future__ import annotations

from collections.abc import Iterator

from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf, SamePlace, Split
from mha_core.layer.unchanged import (
    without_concat_function,
    without_gate,
    without_gate_of_additions,
)
from mha_core.layer.where import head_of
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import HEAD
from mha_core.terms.terms import At, Number, Term, applied


class Opened(MadeOf):
    """A function, as the sigmoid, of a head's part of the scores of the gate."""

    _of = Split("g", "gates")

    def term(self, s: Scenario) -> Term:
        if without_gate(s):
            return Number(1)
        return applied(s.scores.gate_function, self._of.term(s))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if not without_gate(t.scenario):
            yield from self._of.readers(t, step, source)


class Bent(SamePlace):
    """A function of each number that heads, gate and norm give."""

    @property
    def read(self) -> tuple[str, ...]:
        return ("heads_normed",)

    def term(self, s: Scenario) -> Term:
        number = At("heads_normed")
        is_bent = not without_concat_function(s)
        return applied(s.scores.concat_function, number) if is_bent else number


class Shares(MadeOf):
    """The sigmoid of a head's part of the scores of the gate of b_S."""

    _of = Split("f", "f_gates")

    def term(self, s: Scenario) -> Term:
        return applied("sigmoid", self._of.term(s))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        return self._of.readers(t, step, source)


class Factor(MadeOf):
    """Of the two shares of a query in a head, and the constant of the head; 1 without a gate."""

    def term(self, s: Scenario) -> Term:
        if without_gate_of_additions(s):
            return Number(1)
        first, second = At("f_gates", column=0), At("f_gates", column=1)
        counts = second if s.c_f is None else second * At("c_f", row=0, column=HEAD)
        return Number(2) - first * (Number(1) - counts)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if without_gate_of_additions(t.scenario):
            return
        if source.step == "f_gates":
            yield Cell(step, head_of(source), source.row, 0)
        if source.step == "c_f":
            yield from (Cell(step, source.column, row, 0) for row in range(t.scenario.n_q))
