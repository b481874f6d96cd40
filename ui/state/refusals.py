"""Entries that were not taken: each is remembered under a key, with the reason, until it can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from mha_core import Stack
from mha_core.checks.errors import MhaError
from ui.machine.measures import MEASURES
from ui.machine.memory import OUT_OF_MEMORY

StackChange = Callable[[Stack], Stack]
REFUSES: Final = (MhaError, MemoryError)  # what says that an entry cannot be taken


@dataclass(frozen=True, eq=False)
class Refusal:
    """An entry that was not taken: what it was, why, and what its field had shown before.

    `change` is what the entry asked for, to be tried again when the scenario has changed. `since`
    is the run that was the last one then: a later run says the reason.
    """

    entered: Any
    reason: str
    instead_of: Any = None
    change: StackChange | None = None
    since: int = 0


class Refusals(dict[str, Refusal]):
    """The refusals of one session by their keys, as a rule those of the fields."""

    def note(self, key: str, error: MhaError | MemoryError, entered: Any, **how: Any) -> None:
        """Remember why an entry was not taken; `how` has the rest of the Refusal."""
        MEASURES.count("refused" if isinstance(error, MhaError) else "out_of_memory")
        self[key] = Refusal(entered, _reason(error), **how)

    @contextmanager
    def noting(self, key: str, entered: Any) -> Iterator[None]:
        """Forget the last refusal under `key`, and remember why this entry is not taken, if so."""
        self.pop(key, None)
        try:
            yield
        except REFUSES as error:
            self.note(key, error, entered)

    def forget_if_said(self, key: str, last_whole_run: int) -> None:
        """Forget a refusal, unless no run of the page has said it yet."""
        refusal = self.get(key)
        if refusal and refusal.since < last_whole_run:
            del self[key]

    def try_no_more(self, key: str) -> None:
        """The entry under `key` takes too much memory to be kept until it can be taken."""
        if refusal := self.get(key):
            self[key] = replace(refusal, change=None)

    def try_again(self, make: Callable[[StackChange], object]) -> None:
        """Forget each refusal whose entry would be taken now. Update the reason of the others."""
        for key, refusal in list(self.items()):
            if refusal.change is None:
                continue
            try:
                make(refusal.change)
            except REFUSES as error:
                self[key] = replace(refusal, reason=_reason(error))
            else:
                del self[key]


def _reason(error: MhaError | MemoryError) -> str:
    """In words why something was not taken."""
    return str(error if isinstance(error, MhaError) else OUT_OF_MEMORY)
