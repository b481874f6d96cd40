"""What the times should be, and whether they are."""

from __future__ import annotations

from typing import Final, NamedTuple

from benchmarks.layers import Size
from benchmarks.timing import Spread

CLASSROOM: Final = 64  # tokens


class Judged(NamedTuple):
    """A ratio, if there is one, beside its aim, if the size has one."""

    ratio: Spread | None
    aim: float | None

    @property
    def met(self) -> bool | None:
        """None where there is nothing to judge."""
        if self.ratio is None or self.aim is None:
            return None
        return self.ratio.median <= self.aim


def aim_against_torch(size: Size) -> float:
    return 0.8 if size.n <= CLASSROOM else 1.0


def aim_against_floor(size: Size) -> float | None:
    # Below that, most of the time is Python's own, and the floor has almost none of that.
    return 1.5 if size.n >= 256 else None
