"""A model of a family while it runs, and others that stand beside it in the same module, as CLIP's.

Each has a config of its own. Their layers are numbered one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mha_core.checks.errors import MhaError
from mha_core.models.capturing.in_families import FamilyLayers, said_by
from mha_core.models.capturing.parts_that_attend import all_in, parts_that_attend
from mha_core.models.capturing.run import RanLayer, Run
from mha_core.models.families.registry import BY_TYPE

if TYPE_CHECKING:
    import torch


class Towers:
    """The layers of all of them in one run. The first is that of the module's own config."""

    def __init__(self, run: Run, module: torch.nn.Module, config: Mapping[str, Any]) -> None:
        first = FamilyLayers(run, module, config)
        self._towers, here = [first], [*first.here]
        self.taken = all_in(first.taken)
        for name, part in module.named_modules():
            if self._may_stand_beside(part):
                try:
                    after = max(here, default=-1) + 1
                    beside = FamilyLayers(run, part, {}, first=after, name=name)
                except MhaError:  # it is told as left out
                    continue
                self._towers.append(beside)
                self.taken |= all_in(beside.taken)
                here += beside.here
        run.wanted(here)

    def ran(self) -> Iterator[RanLayer]:
        for tower in self._towers:
            yield from tower.ran()

    def _may_stand_beside(self, part: torch.nn.Module) -> bool:
        return (
            self.taken.isdisjoint(part.modules())
            and str(said_by(part).get("model_type")) in BY_TYPE
            and bool(parts_that_attend(part))
        )
