"""Runs of pages stand in line: who came first is answered first.

Python computes one run at a time, however many are under way. Side by side, each of a hundred runs
ends when nearly all have ended, and the longest last of all. One after the other, most end earlier
and none later.

A run that takes long holds up nobody: after `LONGEST` seconds the next one begins beside it. One
that computes a heavy layer leaves the line. Until it ends, nobody waits: the processor is shared
anyway, and small runs would wait for each other at a time when each is slow.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LONGEST: Final = 0.1  # seconds; four times as long as most runs take


class _Place:
    """Where one run stands."""

    def __init__(self) -> None:
        self.is_first = threading.Event()  # of those who wait
        self.is_called = threading.Event()  # it may run


class _Kept:
    """A place that a run keeps between two of its parts, and gives up where its thread ends.

    Only its thread refers to it. So it goes with the thread, not later with the garbage collector.
    """

    def __init__(self, place: _Place | None, free: Callable[[_Place | None], None]) -> None:
        self.place, self._free = place, free

    def __del__(self) -> None:
        self._free(self.place)


class _Own(threading.local):
    """What a thread knows of its own run."""

    depth: int = 0  # of turns within turns
    kept: _Kept | None = None  # its turn, though a part of it has ended: other parts follow
    has_left: bool = False  # the line, and goes on beside the others
    place: _Place | None = None
    came: float = 0.0  # when it took its place
    is_next: bool = False  # it has waited before, for a run that led to the one that comes now


class Line:
    """One run at a time, in the order in which they came."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._changing = threading.Lock()
        self._waiting: deque[_Place] = deque()
        self._at_work: _Place | None = None  # who was called last
        self._called = 0.0  # when that was
        self._beside = 0  # runs that have left the line and go on
        self._own = _Own()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def came(self) -> float:
        """When the run of this thread took its place in line; 0 outside of a run."""
        return self._own.came

    @property
    def is_within_another(self) -> bool:
        """Whether the turn of this thread is one within a turn."""
        return self._own.depth > 1

    @contextmanager
    def turn(self, *, goes_on: bool = False) -> Iterator[None]:
        """What is run here waits for its turn. A turn within a turn is the same turn.

        So is the next turn of this thread, if the run `goes_on`.
        """
        own = self._own
        if own.depth == 0:
            self._begin()
        own.depth += 1
        ends_here = True
        try:
            yield
            ends_here = not goes_on or own.has_left
        finally:
            own.depth -= 1
            if own.depth == 0:
                self._end() if ends_here else self._keep()

    def _begin(self) -> None:
        if self._own.kept:
            self._own.place, self._own.kept.place = self._own.kept.place, None
            self._own.kept = None
            return
        if not self._own.is_next:
            self._own.came = time.monotonic()
        self._take_place()

    def _end(self) -> None:
        self._give_place_up()
        self._end_beside()
        if not self._own.is_next:
            self._own.came = 0.0

    def _keep(self) -> None:
        self._own.place, self._own.kept = None, _Kept(self._own.place, self._free)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While a run sleeps, others go on. After that it is next."""
        had_place = self._own.place is not None
        self._give_place_up()
        yield
        if had_place:
            self.stay_next()
            self._take_place()

    def stay_next(self) -> None:
        """The next turn of this thread comes before those of all who wait."""
        self._own.is_next = True

    def _take_place(self) -> None:
        place = _Place()
        with self._changing:
            if self._beside:
                self._own.is_next = False
                return
            if self._own.is_next:
                self._waiting.appendleft(place)
            else:
                self._waiting.append(place)
            if self._at_work is None:
                self._call_next()
            elif self._waiting[0] is place:
                place.is_first.set()
        place.is_first.wait()
        while not place.is_called.wait(self._longest):
            self._pass_who_takes_long()
        self._own.place, self._own.is_next = place, False

    def leave(self) -> None:
        """The rest of this run goes on beside the others."""
        if self._own.depth and not self._own.has_left:
            self._own.has_left = True
            with self._changing:
                self._beside += 1
            self._give_place_up()

    def _end_beside(self) -> None:
        if self._own.has_left:
            self._own.has_left = False
            with self._changing:
                self._beside -= 1

    def _give_place_up(self) -> None:
        place, self._own.place = self._own.place, None
        self._free(place)

    def _free(self, place: _Place | None) -> None:
        if place is not None:
            with self._changing:
                if self._at_work is place:
                    self._call_next()

    def _pass_who_takes_long(self) -> None:
        with self._changing:
            if time.monotonic() - self._called >= self._longest:
                self._call_next()

    def _call_next(self) -> None:
        self._at_work = self._waiting.popleft() if self._waiting else None
        self._called = time.monotonic()
        if self._at_work:
            self._at_work.is_first.set()
            self._at_work.is_called.set()
        if self._waiting:
            self._waiting[0].is_first.set()


LINE: Final = Line()
