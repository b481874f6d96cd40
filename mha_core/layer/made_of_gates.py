"""What one number is made of in the gate between the heads and W_O."""

from __future__ import annotations

from collections.abc import Iterator

from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf, Split
from mha_core.layer.unchanged import without_gate
from mha_core.scenario.scenario import Scenario
from mha_core.terms.terms import Number, Term, applied


class Opened(MadeOf):
    """The sigmoid of a head's part of the scores of the gate."""

    _of = Split("g", "gates")

    def term(self, s: Scenario) -> Term:
        return Number(1) if without_gate(s) else applied("sigmoid", self._of.term(s))

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if not without_gate(t.scenario):
            yield from self._of.readers(t, step, source)
