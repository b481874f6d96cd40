"""What one number is made of in the steps that a head's sink has a part in.

A sink is one more score of each row of its head. So the largest score of a row and the sum of its
exponentials count it; its own share is a step of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from mha_core.layer.cells import Cell
from mha_core.layer.forward_pass import ForwardPass
from mha_core.layer.made_of import MadeOf
from mha_core.layer.unchanged import without_row_max
from mha_core.layer.where import computed
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import HEAD, NTH, Width
from mha_core.terms.terms import At, Each, Term, applied, largest, total

SINK: Final = At("sinks", row=0, column=HEAD)


@dataclass(frozen=True)
class WithSink(MadeOf):
    """One number for each row, made of the head's sink and of the rows of some arrays."""

    names: tuple[str, ...]
    make: Callable[[Scenario], Term]

    def term(self, s: Scenario) -> Term:
        return self.make(s)

    def readers(self, t: ForwardPass, step: str, source: Cell) -> Iterator[Cell]:
        if source.step == "sinks":
            yield from (Cell(step, source.column, row, 0) for row in range(t.scenario.n_q))
        if source.step in {computed(t, name) for name in self._read(t.scenario)}:
            yield Cell(step, source.head, source.row, 0)

    def _read(self, s: Scenario) -> Iterator[str]:
        """A naive softmax subtracts nothing, and so reads no largest score."""
        return (name for name in self.names if not (name == "row_max" and without_row_max(s)))


def _each(name: str) -> Term:
    return Each(Width(name), At(name, column=NTH))


def _exponential(s: Scenario) -> Term:
    return applied("exp", SINK if without_row_max(s) else SINK - At("row_max"))


LARGEST: Final = WithSink(("tempered_scores",), lambda _: largest([_each("tempered_scores"), SINK]))
SUM: Final = WithSink(
    ("exponentials", "row_max"), lambda s: total([_each("exponentials"), _exponential(s)])
)
SHARE: Final = WithSink(("row_max", "row_sums"), lambda s: _exponential(s) / At("row_sums"))
