"""The history of one session: the moments it went through, and at which of them it is.

A moment holds whole scenarios, not differences. Moments share the arrays that they have in common,
so a long history costs little memory, and what it may cost at most is counted.

Another thread may read while one writes: Streamlit starts a run before it has ended the last one.
A reader always finds a moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy.typing as npt

from mha_core import Scenario
from ui.state.view import View

MOST_MOMENTS: Final = 200
MOST_BYTES: Final = 2**27  # of all arrays in the history
ALWAYS_KEPT: Final = 2  # moments: there is always one step to undo, however large they are

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Moment:
    """One step of the history: what was computed, and how it was shown.

    `opened` is what this work began with: an example, a link or a file. Reset leads back to it.
    `shared` is the same object in every session that took this step with others, as one change.
    """

    scenario: Scenario
    view: View
    opened: Scenario | None = field(default=None, compare=False)
    shared: object = field(default=None, compare=False)

    def looks_like(self, other: Moment) -> bool:
        """The same scenario, shown in the same way; what was picked to look at does not count."""
        mine, theirs = self.view.without_glances(), other.view.without_glances()
        return self.scenario is other.scenario and mine == theirs


class History:
    """Moments in their order, and the place of the present one, counted from 0."""

    def __init__(self, first: Moment) -> None:
        self.moments = [first]
        self.at = 0
        self.shift = 0  # by how many places those of new steps have moved since the beginning

    @property
    def now(self) -> Moment:
        moments = self.moments  # another thread may shorten the list, and move `at` only then
        return moments[min(self.at, len(moments) - 1)]

    @property
    def before(self) -> Moment:
        """The moment before the present one; the first has itself."""
        moments = self.moments
        return moments[max(min(self.at, len(moments) - 1) - 1, 0)]

    @property
    def scenario_before(self) -> Scenario:
        """The scenario before the last change of one, the present one where nothing has changed.

        Changes of the view alone do not count.
        """
        now, moments = self.now.scenario, self.moments
        earlier = (moment.scenario for moment in reversed(moments[: self.at]))
        return next((scenario for scenario in earlier if scenario is not now), now)

    @property
    def last(self) -> int:
        return len(self.moments) - 1

    def add(self, moment: Moment) -> None:
        """Take a step. Moments that were undone are forgotten."""
        moments = [*self.moments[: self.at + 1], moment]
        self.moments = _within_limits(moments)
        self.at = self.last
        self.shift += 1 - (len(moments) - len(self.moments))

    def replace_now(self, moment: Moment) -> None:
        """Put another moment in the place of the present one, without a step."""
        self.moments[self.at] = moment

    def step_to(self, place: int) -> None:
        """Make another moment the present one; beyond the ends it is the first or the last."""
        self.at = min(max(place, 0), self.last)

    def shared_until(self, place: int) -> list[object]:
        """The shared changes that are undone, or made again, on the way to a place, in order."""
        undone = self.moments[max(place, 0) + 1 : self.at + 1]
        redone = self.moments[self.at + 1 : place + 1]
        return [moment.shared for moment in undone[::-1] + redone if moment.shared]

    def before_last_change(self, shared: object) -> int | None:
        """The place before a shared change; None if it is not the last change of the scenario."""
        for place in range(self.at, 0, -1):
            moment = self.moments[place]
            if moment.shared is shared:
                return place - 1
            if moment.scenario is not self.moments[place - 1].scenario:
                return None
        return None

    def after_next_step(self, shared: object) -> int | None:
        """The place after a shared change; None if it is not what redo would make."""
        after = self.at + 1
        is_next = after <= self.last and self.moments[after].shared is shared
        return after if is_next else None

    def nearest(self, moment: Moment) -> int | None:
        """The place of a moment that looks like this one, the nearest to the present; or None."""
        places = [i for i, other in enumerate(self.moments) if other.looks_like(moment)]
        return min(places, key=lambda place: abs(place - self.at)) if places else None


def _within_limits(moments: Sequence[Moment]) -> list[Moment]:
    """The last of these moments: as many as undo may go back to, and as memory may hold."""
    kept: list[Moment] = []
    bytes_of: dict[int, int] = {}
    for moment in reversed(moments[-MOST_MOMENTS:]):
        scenarios = (moment.scenario, moment.opened or moment.scenario)
        bytes_of |= {id(array): array.nbytes for s in scenarios for array in _arrays(s)}
        if len(kept) >= ALWAYS_KEPT and sum(bytes_of.values()) > MOST_BYTES:
            break
        kept.append(moment)
    return kept[::-1]


def _arrays(s: Scenario) -> Iterable[Array]:
    drawn = (s.mask.custom, s.mask.additive)
    return [*s.given().values(), *(array for array in drawn if array is not None)]
