"""What follows from an example as it is: made for the first who opens it, and kept for all others.

A course opens the same few examples hundreds of times. What is made of them would be made anew for
each visitor, until that visitor changes a number.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from mha_core import Stack
from mha_core.examples import EXAMPLES, load_stack
from ui.machine.budget import is_heavy

T = TypeVar("T")

MOST_KEPT: Final = 500  # things, of small layers: some dozen for each example
MOST_BYTES: Final = 2**16  # of one picture


class OfExamples:
    """The last things that were asked for, by the name of the example and of what is made."""

    def __init__(self) -> None:
        self._made: OrderedDict[Hashable, Any] = OrderedDict()
        self._changing = threading.Lock()

    def once(self, example: str, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes. Who asks while another one makes it makes it too."""
        asked = example, name
        with self._changing:
            if asked in self._made:
                self._made.move_to_end(asked)
                thing: T = self._made[asked]
                return thing
        thing = make()
        if len(getattr(thing, "data", b"")) <= MOST_BYTES:
            with self._changing:
                self._made[asked] = thing
                while len(self._made) > MOST_KEPT:
                    self._made.popitem(last=False)
        return thing

    def forget(self) -> None:
        with self._changing:
            self._made.clear()


OF_EXAMPLES: Final = OfExamples()


def example_as_it_is(stack: Stack) -> str:
    """The name of the example that this is to the last number; "" if it is none, or a heavy one."""
    name = stack.first.origin.example
    is_one = name in EXAMPLES and not is_heavy(stack) and is_same(stack, load_stack(name))
    return name if is_one else ""


def is_same(one: Stack, other: Stack) -> bool:
    return one is other or one == other
