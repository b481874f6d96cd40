"""The history of one session: the moments it went through, and which of them is present.

A moment holds a whole stack, not a difference. Moments near the present one are as they were;
those farther away are packed (`packed.py`), so that undo reaches all of them at any width. The
memory of all visitors' histories is counted: if it is too much, the oldest moment is forgotten.

Another thread may read while one writes: Streamlit starts a run before it has ended the last one.
A reader always finds a moment.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple
from weakref import WeakSet

from mha_core import Scenario, Stack
from ui.machine.limits import MACHINE, MEGABYTE
from ui.state.packed import Kept, Memory
from ui.state.view import View

MOST_MOMENTS: Final = 200
MOST_BYTES: Final = int(MACHINE.session_history_mb * MEGABYTE)  # of one history
MOST_BYTES_OF_ALL: Final = int(MACHINE.history_mb * MEGABYTE)
ALWAYS_KEPT: Final = 2  # moments: there is always one step to undo, however large they are
AS_THEY_WERE: Final = 3  # moments on each side of the present one that are not packed


@dataclass(frozen=True)
class Moment:
    """One step of the history: what was computed, and how it was shown.

    `opened` is what this work began with: an example, a link or a file. Reset leads back to it.
    `shared` is the same object in every session that took this step with others, as one change.
    `made_by` is the key of the entry that made the step.
    """

    kept: Kept
    view: View
    opened: Kept | None = field(default=None, compare=False)
    shared: object = field(default=None, compare=False)
    made_by: str = field(default="", compare=False)
    since: float = field(default_factory=time.monotonic, compare=False)

    @classmethod
    def of(cls, document: Scenario | Stack, view: View) -> Moment:
        """A moment with which a history may begin."""
        kept = Kept(document)
        return cls(kept, view, opened=kept)

    @property
    def stack(self) -> Stack:
        return self.kept.stack

    def looks_like(self, other: Moment) -> bool:
        """The same stack, shown in the same way; what was picked to look at does not count."""
        mine, theirs = self.view.without_glances(), other.view.without_glances()
        return self.kept is other.kept and mine == theirs


class Timeline(NamedTuple):
    """The moments in their order, and the place of the present one: changed as one."""

    moments: Sequence[Moment]
    at: int


class History:
    """Moments in their order, and the place of the present one, counted from 0."""

    def __init__(self, first: Moment) -> None:
        self._timeline = Timeline([first], 0)
        self.shift = 0  # by how many places the place of a new step has moved since the beginning
        self.nbytes = 0  # of all moments but the present one
        with _ALL_CHANGING:
            _ALL.add(self)

    @property
    def moments(self) -> Sequence[Moment]:
        return self._timeline.moments

    @property
    def at(self) -> int:
        return self._timeline.at

    @property
    def now(self) -> Moment:
        moments, at = self._timeline
        return moments[at]

    @property
    def before(self) -> Moment:
        """The moment before the present one; the first has itself."""
        moments, at = self._timeline
        return moments[max(at - 1, 0)]

    @property
    def stack_before(self) -> Stack:
        """The stack before its last change; the present one if nothing has changed.

        Changes of the view alone do not count.
        """
        moments, at = self._timeline
        now = moments[at].kept
        earlier = (moment.kept for moment in reversed(moments[:at]))
        return next((kept for kept in earlier if kept is not now), now).stack

    @property
    def last(self) -> int:
        return len(self.moments) - 1

    def add(self, moment: Moment) -> None:
        """Take a step. Moments that were undone are forgotten."""
        with _ALL_CHANGING:
            moments = [*self.moments[: self.at + 1], moment]
            self._timeline = Timeline(moments, len(moments) - 1)
            self.shift += 1
            if len(moments) > MOST_MOMENTS:
                self._forget_first(len(moments) - MOST_MOMENTS)
        self._save_memory()

    def go_on(self, moment: Moment) -> None:
        """Lead the last step on to another moment. Moments that were undone are forgotten."""
        with _ALL_CHANGING:
            moments, at = self._timeline
            self._timeline = Timeline([*moments[:at], moment], at)
        self._save_memory()

    def go_on_from(self, before: History) -> None:
        """Take over another history, whose present scenario is equal. How it is shown stays."""
        with _ALL_CHANGING:
            moments, at = before._timeline
            now = replace(moments[at], view=self.now.view)
            self.shift += at - self.at
            self._timeline = Timeline([*moments[:at], now, *moments[at + 1 :]], at)
        self._save_memory()

    def replace_now(self, moment: Moment) -> None:
        """Put another moment in the place of the present one, without a step."""
        with _ALL_CHANGING:
            moments, at = self._timeline
            self._timeline = Timeline([*moments[:at], moment, *moments[at + 1 :]], at)

    def step_to(self, place: int) -> None:
        """Make another moment the present one; beyond the ends it is the first or the last."""
        with _ALL_CHANGING:
            self._timeline = self._timeline._replace(at=min(max(place, 0), self.last))
        self._save_memory()

    def forget_undone(self) -> None:
        """Redo leads nowhere."""
        with _ALL_CHANGING:
            moments, at = self._timeline
            self._timeline = Timeline(moments[: at + 1], at)
            self._count()

    def shared_until(self, place: int) -> list[object]:
        """The shared changes that are undone, or made again, on the way to a place, in order."""
        moments, at = self._timeline
        undone, redone = moments[max(place, 0) + 1 : at + 1], moments[at + 1 : place + 1]
        return [moment.shared for moment in (*undone[::-1], *redone) if moment.shared]

    def before_last_change(self, shared: object) -> int | None:
        """The place before a shared change; None if it is not the last change of the scenario."""
        for place in range(self.at, 0, -1):
            moment = self.moments[place]
            if moment.shared is shared:
                return place - 1
            if moment.kept is not self.moments[place - 1].kept:
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

    def rest(self) -> None:
        """Nobody looks: pack all moments, the present one too."""
        self._pack_but(range(0))

    def pack_but_now(self) -> None:
        self._pack_but(range(self.at, self.at + 1))

    def _save_memory(self) -> None:
        """Pack what is far from the present moment, and forget the oldest where it is too much."""
        self._pack_but(range(self.at - AS_THEY_WERE, self.at + AS_THEY_WERE + 1))
        if self.nbytes > MOST_BYTES:
            self.pack_but_now()
        with _ALL_CHANGING:
            while self.nbytes > MOST_BYTES and self._may_forget:
                self._forget_first(1)
        _make_room()

    def _pack_but(self, places: range) -> None:
        """Pack all moments but those at these places."""
        moments = self.moments
        near = {id(moments[place].kept) for place in places if 0 <= place < len(moments)}
        last: Kept | None = None
        for moment in moments:
            for kept in (moment.opened, moment.kept):
                if kept and kept is not last and id(kept) not in near:
                    kept.pack(last)
                    last = kept
        self._count()

    def _count(self) -> None:
        """The memory of all moments but the present one. What they share counts once."""
        moments, at = self._timeline
        bytes_of: Memory = {}
        for moment in moments:
            bytes_of |= moment.kept.memory
            if moment.opened:
                bytes_of |= moment.opened.memory
        now = moments[at].kept.memory
        self.nbytes = sum(size for owner, size in bytes_of.items() if owner not in now)

    @property
    def _may_forget(self) -> bool:
        return self.at >= ALWAYS_KEPT

    def _forget_first(self, count: int) -> None:
        """Undo no longer leads to the first moments."""
        moments, at = self._timeline
        self._timeline = Timeline(moments[count:], at - count)
        self.shift -= count
        self._count()


# The histories of all visitors. A thread that changes one holds the lock, and takes no other lock.
_ALL: Final[WeakSet[History]] = WeakSet()
_ALL_CHANGING: Final = threading.RLock()


def bytes_of_all() -> int:
    """What the histories of all visitors take. Arrays that two of them share count twice."""
    with _ALL_CHANGING:
        return sum(history.nbytes for history in _ALL)


def _make_room() -> None:
    """Where all histories take too much: pack what was left as it was, then forget the oldest."""
    if bytes_of_all() <= MOST_BYTES_OF_ALL:
        return
    with _ALL_CHANGING:
        by_last_step = sorted(_ALL, key=lambda history: history.moments[-1].since)
    for history in by_last_step:
        if bytes_of_all() > MOST_BYTES_OF_ALL:
            history.pack_but_now()
    with _ALL_CHANGING:
        while bytes_of_all() > MOST_BYTES_OF_ALL:
            old = [history for history in _ALL if history._may_forget]
            if not old:
                return
            min(old, key=lambda history: history.moments[0].since)._forget_first(1)
