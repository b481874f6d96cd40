"""What was made of the present scenario: kept until there is another one.

Several threads may ask at once, so it is kept together with what it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import numpy as np

from mha_core import Stack, StackTrace, Trace
from ui.machine.budget import TURNS, Use, is_heavy
from ui.state.of_examples import OF_EXAMPLES, example_as_it_is
from ui.state.packed import Kept

T = TypeVar("T")


class MadeOnce:
    """What was made of one stack, by names. Heavy things wait for the visitor's turn."""

    def __init__(self, use: Use) -> None:
        self._use = use
        self._made: tuple[Kept | None, dict[Hashable, Any]] = (None, {})

    def __bool__(self) -> bool:
        return bool(self._made[1])

    def once(self, kept: Kept, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes of this scenario, made when first asked for and then kept."""
        of, made = self._made
        if of is not kept:
            made = {}
            self._made = kept, made
        if name not in made:
            with self.in_turn(kept.stack):
                made[name] = make()
        thing: T = made[name]
        return thing

    def for_all(
        self, kept: Kept, name: Hashable, make: Callable[[], T], of_others: Callable[[], T]
    ) -> T:
        """What `make` makes of an unchanged example, once for all visitors; else `of_others()`."""
        example = self.once(kept, "example", lambda: example_as_it_is(kept.stack))
        return OF_EXAMPLES.once(example, name, make) if example else of_others()

    def last(self, kept: Kept, name: Hashable, asked: Hashable, make: Callable[[], T]) -> T:
        """What was last made of this scenario under a name, or what `make` makes now.

        A person may ask for thousands of cells: only the last is kept. Another thread may exchange
        it at any moment.
        """
        last: list[tuple[Hashable, T]] = self.once(kept, name, list)
        found = last[:]
        if not found or found[0][0] != asked:
            with self.in_turn(kept.stack):
                found = last[:] = [(asked, make())]
        return found[0][1]

    def in_turn(self, stack: Stack) -> AbstractContextManager[None]:
        """What is made of heavy layers is made when it is this visitor's turn."""
        return TURNS.turn(self._use) if is_heavy(stack) else nullcontext()

    def forget(self) -> None:
        self._made = (None, {})

    @property
    def bytes(self) -> int:
        return _bytes_of(self._made[1])


def _bytes_of(made: object) -> int:
    """The arrays and pictures in what was made of a scenario, so far as they are large."""
    match made:
        case np.ndarray():
            return made.nbytes
        case bytes():
            return len(made)
        case dict():
            return sum(map(_bytes_of, list(made.values())))
        case StackTrace():
            return sum(map(_bytes_of, made.__dict__.get("layers", ())))
        case Trace():
            return sum(map(_bytes_of, list(vars(made).values())))
        case object(data=bytes(data)):  # a picture
            return len(data)
        case _:
            return 0
