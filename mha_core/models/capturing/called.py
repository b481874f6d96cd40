"""Parts of a module of one kind while they run: each call is a layer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from mha_core.checks.errors import OptionError
from mha_core.language import say
from mha_core.models.capturing.run import THE_MODULE, Given, RanLayer, Run


class CalledLayers(ABC):
    """The calls of such parts in one run, numbered as they come."""

    def __init__(self, run: Run, parts: Iterable[Any]) -> None:
        self._run = run
        self.taken = [*parts]
        self._calls: list[RanLayer | None] = []  # None: nobody asked for it
        for part in self.taken:
            run.watch(part, partial(self._take, part), self._calls)

    def ran(self) -> Iterator[RanLayer]:
        if not self._calls and self._run.layers is None:
            raise OptionError(
                THE_MODULE,
                say("must call the parts of it that attend"),
                say("a run in which {name} is not called").format(
                    name=type(self.taken[0]).__name__
                ),
                say("What their numbers are used for elsewhere cannot be seen."),
            )
        for number in self._run.wanted(range(len(self._calls))):
            layer = self._calls[number]
            assert layer is not None
            yield layer

    def _take(self, part: Any, given: Given, made: Any) -> RanLayer | None:
        number = len(self._calls)
        is_wanted = self._run.layers is None or number in self._run.layers
        return self._layer(number, part, given, made) if is_wanted else None

    @abstractmethod
    def _layer(self, number: int, part: Any, given: Given, made: Any) -> RanLayer:
        """The layer of a call: what the part was given, and what it made of it."""
