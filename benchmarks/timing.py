"""Time several functions against each other in one process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from time import perf_counter, process_time
from typing import Final

import numpy as np

SECONDS_A_ROUND: Final = 0.003  # at least
SHORTEST: Final = 1e-6  # seconds of a call, where the clock is too coarse to see it
Contestants = Mapping[str, Callable[[], object]]
Clock = Callable[[], float]


def clock_for(threads: int) -> Clock:
    """For one thread the processor's time: other programs do not lengthen it. Else the wall's.

    On a machine with nothing else to do, the two are the same for one thread.
    """
    return process_time if threads == 1 else perf_counter


@dataclass(frozen=True)
class Spread:
    """The median of some numbers and the quartiles around it."""

    median: float
    lower: float
    upper: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread | None:
        """None if there are no numbers; a NaN does not count."""
        if not (numbers := [number for number in numbers if not isnan(number)]):
            return None
        lower, median, upper = np.percentile(numbers, [25, 50, 75])
        return cls(float(median), float(lower), float(upper))


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Ours divided by theirs, round by round: what slows a whole round cancels out.

    A round without a ratio is left out: theirs is 0 (a clock that did not move, a slow machine that
    painted nothing), or one of the two was not measured (NaN).
    """
    pairs = zip(ours, theirs, strict=True)
    return [one / other for one, other in pairs if other > 0 and not isnan(one)]


@dataclass(frozen=True)
class Times:
    """Seconds of each contestant, round by round."""

    seconds: Mapping[str, list[float]]

    def milliseconds(self, name: str) -> float:
        return 1e3 * float(np.median(self.seconds[name]))

    def ratio(self, name: str, to: str) -> Spread | None:
        """One's time divided by another's; None where there is no ratio in any round."""
        return Spread.of(ratios(self.seconds[name], self.seconds[to]))


@dataclass(frozen=True)
class Pace:
    """How many rounds there are, and how often a contestant runs in its turn."""

    rounds: int
    calls: int


def race(contestants: Contestants, pace: Pace, clock: Clock) -> Times:
    """Time every contestant once a round. Who starts the round changes from one to the next."""
    names = list(contestants)
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number in range(pace.rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            seconds[name].append(seconds_a_call(contestants[name], clock, pace.calls))
    return Times(seconds)


def pace_within(
    seconds: float, contestants: Contestants, clock: Clock, *, least: int, most: int
) -> Pace:
    """The pace that fits into some seconds. Taken from a second call: the first one warms up."""
    for run in contestants.values():
        run()
    one_call_each = sum(seconds_a_call(run, clock) for run in contestants.values())
    one_call_each = max(one_call_each, SHORTEST)
    # Tiny layers run a few times in a row. Else the time shows whose code was last in the cache.
    calls = max(1, round(SECONDS_A_ROUND / one_call_each))
    return Pace(min(most, max(least, round(seconds / one_call_each / calls))), calls)


def seconds_a_call(run: Callable[[], object], clock: Clock, calls: int = 1) -> float:
    start = clock()
    for _ in range(calls):
        result = run()
    seconds = clock() - start
    del result  # only now: to free memory takes time, too
    return seconds / calls
