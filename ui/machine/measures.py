"""What the server does, in numbers, for `/metrics`: without anybody's name."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from typing import Final

MOST_TIMES: Final = 1000  # the newest, from which the shares are told


class Measures:
    """Counts and times since the server started. Any thread may add to them."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._times: deque[float] = deque(maxlen=MOST_TIMES)
        self.runs = 0
        self.seconds = 0.0  # of all runs
        self.changes = 0
        self.refused = 0
        self.out_of_memory = 0
        self.failed = 0  # runs that met an error

    def note_run(self, seconds: float) -> None:
        with self._changing:
            self.runs += 1
            self.seconds += seconds
            self._times.append(seconds)

    def count(self, name: str) -> None:
        """One more of the counts above."""
        with self._changing:
            setattr(self, name, getattr(self, name) + 1)

    def shares(self, *of: float) -> Sequence[float]:
        """The seconds within which these shares of the newest runs came to their end.

        >>> measures = Measures()
        >>> for seconds in (0.3, 0.1, 0.2):
        ...     measures.note_run(seconds)
        >>> measures.shares(0.5, 0.95)
        [0.2, 0.3]
        """
        with self._changing:
            ordered = sorted(self._times)
        last = len(ordered) - 1
        return [ordered[min(last, int(share * len(ordered)))] if ordered else 0.0 for share in of]


MEASURES: Final = Measures()
