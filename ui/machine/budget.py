"""Turns at the processor: a heavy computation waits until it is its turn, and is never refused.

A layer of a lesson is computed in less than a millisecond, and never waits. Only a few heavy ones
are computed at a time, so that the others' pages still answer. Among those who wait, the visitor
who has computed least in the last minute comes next.

A visitor who has computed for longer than their share of the last minute pauses before the next
heavy change: so others get room between the strokes of a held key.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from mha_core import Scenario, Stack
from mha_core.language import say
from ui.machine.limits import MACHINE
from ui.machine.line import LINE

HEAVY: Final = 2**17  # numbers: scores of all heads and what is given, together
MINUTE: Final = 60.0  # seconds
LONGEST_PAUSE: Final = 2.0  # seconds before a change, however much was computed
PATIENCE: Final = 0.5  # seconds of waiting before a visitor is told
BUSY: Final = say("The server is busy: your change is next.")


def is_heavy(stack: Stack) -> bool:
    """Whether others would notice when these layers are computed and drawn."""
    return sum(map(_weight, stack.on_zeros)) > HEAVY


def _weight(s: Scenario) -> int:
    given = sum(array.size for array in s.given().values())
    return given + s.n_heads * s.n_q * s.n_k


class Use:
    """The processor time that one visitor's heavy computations took in the last minute."""

    def __init__(self) -> None:
        self._took: deque[tuple[float, float]] = deque()  # when each ended, and its seconds
        self.ends_pause = threading.Event()  # a visitor who leaves waits no more

    def note(self, seconds: float) -> None:
        self._took.append((time.monotonic(), seconds))

    @property
    def seconds(self) -> float:
        begin = time.monotonic() - MINUTE
        while self._took and self._took[0][0] < begin:
            self._took.popleft()
        return sum(seconds for _, seconds in list(self._took))


class Turns:
    """At most so many heavy computations at once; the others wait in line."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._changing = threading.Condition()
        self._waiting: list[Use] = []
        self._own = threading.local()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @contextmanager
    def turn(self, use: Use) -> Iterator[None]:
        """What is computed here is computed in turn. A turn within a turn is the same turn.

        Such work takes long, and NumPy leaves others room: so the run leaves the line of all runs.
        """
        if getattr(self._own, "has_turn", False):
            yield
            return
        LINE.leave()
        self._wait(use)
        self._own.has_turn = True
        begun = time.thread_time()
        try:
            yield
        finally:
            use.note(time.thread_time() - begun)
            self._own.has_turn = False
            with self._changing:
                self._free += 1
                self._changing.notify_all()

    def _wait(self, use: Use) -> None:
        with self._changing:
            if not self._free or self._waiting:
                self._waiting.append(use)
                with told_after(PATIENCE, BUSY):
                    self._changing.wait_for(lambda: self._free and self._next() is use)
                self._waiting.remove(use)
            self._free -= 1
            self._changing.notify_all()

    def _next(self) -> Use:
        return min(self._waiting, key=lambda use: use.seconds)  # of equals, who came first


TURNS: Final = Turns(int(MACHINE.heavy_at_once))


def pause_if_share_is_used(use: Use) -> None:
    """Before a heavy change, a visitor who has used up their share leaves room for the others."""
    over = use.seconds - MACHINE.seconds_a_minute
    if over > 0:
        with told_after(PATIENCE, BUSY):
            use.ends_pause.wait(min(over, LONGEST_PAUSE))


@contextmanager
def told_after(seconds: float, words: str) -> Iterator[None]:
    """Tell the visitor these words if the work inside takes longer than this.

    Another thread tells them: Streamlit may end a run wherever it writes to the page, and the
    callback that waits here would lose what was entered.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        yield
        return
    teller = threading.Timer(seconds, tell, [words])
    teller.daemon = True
    add_script_run_ctx(teller, context)
    teller.start()
    try:
        yield
    finally:
        teller.cancel()


tell: Callable[[str], object] = st.toast
