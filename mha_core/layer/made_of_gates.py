"""What one number is made of in the gate between the heads and W_O, and in the function there."""

from __future__ import annotations

from collections.abc import Iterator

from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf, SamePlace, Split
from mha_core.layer.unchanged import without_concat_function, without_gate
from mha_core.scenario.scenario import Scenario
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
