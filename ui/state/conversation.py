"""What a server knows of the browser that shows a session; see docs/conversation.md.

Nothing here knows Streamlit or the scenario: `binding.py` and `wishes.py` hand over what the
browser reports, and do what the answer says. `address.py` says what the address holds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from ui.state.packed import Kept
from ui.state.view import View

MOST_TOLD: Final = 8  # values of a widget that are remembered; a browser is seldom further behind
ECHO: Final = 5.0  # seconds after a new connection in which a browser may still send old values
ABSENT: Final = object()


class Numbered(Protocol):
    """An entry, numbered by the browser."""

    @property
    def number(self) -> int: ...


class Answered(NamedTuple):
    """What a run has answered, of all that may happen beside a fragment."""

    kept: Kept
    view: View
    taken: int
    is_asked_for_inputs: bool
    refusals: tuple[object, ...]


@dataclass
class Told:
    """What a widget was told to show or was given by a person, each with the number of the run.

    `connection` is the one to the browser over which it was told last. `shown_in` is the number of
    the last run in which the widget was on the page. `tellings` are the runs that told it, also to
    show what it had been told before. `crossed` are the values that were on their way when the last
    entry came, and the run before it: until the browser has seen a later one, it may report them.
    `came_in` is the run in which it came to the page; `is_heard` whether the browser has reported
    it since it was told there.
    """

    connection: str = ""
    came_in: int = 0
    shown_in: int = 0
    is_heard: bool = False
    values: Sequence[tuple[int, Any]] = ()
    tellings: Sequence[tuple[int, Any]] = ()
    crossed: tuple[int, Sequence[Any]] = (0, ())

    def note(self, run: int, value: Any) -> None:
        if not self.values or self.values[-1][1] != value:
            self.values = [*self.values[-MOST_TOLD:], (run, value)]

    def is_on_its_way(self, seen: int) -> bool:
        """Whether a value was told in a run that the browser has not seen yet, or not got at all.

        >>> told = Told(tellings=[(1, "a"), (3, "a")])
        >>> told.is_on_its_way(2), told.is_on_its_way(3)
        (True, False)
        """
        return any(run > seen for run, _ in self.tellings)

    def was_told_before(self, now: int) -> bool:
        """Whether an older run has told it, since it came to the page.

        >>> told = Told(came_in=2, tellings=[(1, "a"), (3, "a")])
        >>> told.was_told_before(3), told.was_told_before(4)
        (False, True)
        """
        return any(self.came_in <= run < now for run, _ in self.tellings)

    def before(self, seen: int = 0) -> list[Any]:
        """What a browser may still show if it has seen the run of this number, and no later one.

        >>> told = Told(values=[(1, "a"), (2, "b"), (3, "c")])
        >>> told.before(), told.before(2), told.before(3)
        (['a', 'b'], ['b'], [])
        """
        known = [place for place, (run, _) in enumerate(self.values) if run <= seen]
        return [value for _, value in self.values[known[-1] if known else 0 : -1]]


class PageAddress(Protocol):
    """What is asked of the address of a page; see ui/state/address.py."""

    @property
    def sessions(self) -> Sequence[Any]: ...
    @property
    def params(self) -> Mapping[str, str]: ...
    @property
    def says_all(self) -> bool: ...
    @property
    def put(self) -> tuple[int, str]: ...

    def describe(self, views: Mapping[str, View]) -> Mapping[str, str]: ...
    def write(self) -> None: ...
    def again(self, seen: int) -> str: ...
    def visit(self, params: Mapping[str, str]) -> None: ...
    def lead_to(self, params: Mapping[str, str]) -> None: ...


class Conversation:
    """What was said between the server and the browser about one session, and how far it is."""

    def __init__(self, id: str) -> None:
        self.id = id  # of the session
        self.connection = ""  # to the browser, of the present run
        self.echoes_until = 0.0  # on the monotonic clock
        # The address.
        self.address: PageAddress | None = None  # of the last page that kept one
        self.keeps_address = False  # whether the present page does
        self.was_described = False  # whether the address said from the first what it shows
        # Runs, by their numbers.
        self.run = 0  # the present run of the page
        self.last_whole_run = 0  # the last run of all that came to its end
        self.reported: str | None = None  # the last receipt that the browser has reported
        self.answered: Answered | None = None  # by the last run that came to its end
        self.follows_numbers = False  # whether only what follows numbers runs
        self.outside: object = None  # what last stood outside of that: see numbers_alone.py
        # Wishes and entries, by their numbers: the newest of each that was heard of.
        self.heard = 0  # steps of the history that were made; see ui/state/wishes.py
        self.taken = 0  # entries into cells, labels and fields
        self.shows_taken = 0  # those that the present run shows
        self.in_line: list[Numbered] = []  # entries that were heard of and are not made yet
        self.reordered = 0  # those that put labels in other places, or a head off
        self.presenting = 0  # wishes of a presentation
        self.is_asked_to_step = False  # since the last run of the whole page began
        self.has_stepped = False  # before an entry, since then
        self.is_stepping = False  # whether this run, or a stopped one before it, makes a step
        self.is_asked_for_inputs = False  # of the forward pass; see ui/plot
        # Widgets, by their keys.
        self.told: dict[str, Told] = {}
        self.entering: dict[str, Callable[[], None]] = {}  # what takes an entry
        self._counting = threading.Lock()

    @property
    def kept_address(self) -> PageAddress | None:
        """The address of the present page, where it keeps one."""
        return self.address if self.keeps_address else None

    def write_address(self) -> None:
        if kept := self.kept_address:
            kept.write()

    def begin_run(self, connection: str, at: float) -> None:
        """A run of the page begins, over this connection, `at` a time of the monotonic clock."""
        self.run += 1
        self.follows_numbers = False
        self.outside = None
        if self.connection and connection != self.connection:
            self.echoes_until = at + ECHO
        self.connection = connection
        self.shows_taken = self.taken

    def begin_run_of_numbers(self) -> None:
        """Only what follows numbers is about to run.

        The browser has seen the run before to its end, so a step that it made is made.
        """
        self.run += 1
        self.follows_numbers = True
        self.is_stepping = False
        self.shows_taken = self.taken

    def end_run(self, answered: Answered) -> None:
        if not self.follows_numbers:
            self.last_whole_run = self.run
        self.follows_numbers = False
        self.answered = answered

    def begin_to_step(self, *, is_asked: bool) -> None:
        """The run makes the steps that it is asked for.

        One that was stopped may have told the browser nothing of the steps it made. So the run
        after it counts as stepping, too.
        """
        was_stopped = 0 < self.last_whole_run < self.run
        self.is_stepping = is_asked or (self.is_stepping and was_stopped)
        self.is_asked_to_step = self.has_stepped = False

    def hear(self, entries: Iterable[Numbered]) -> None:
        """Put new entries in line: a browser may repeat old ones."""
        with self._counting:
            for each in entries:
                if self.is_new_entry(each.number):
                    self.in_line.append(each)

    def is_new_entry(self, number: int) -> bool:
        return number > (self.in_line[-1].number if self.in_line else self.taken)

    def make_those_in_line(self, make: Callable[[Any, Any], None]) -> None:
        """Make the oldest first, each with the one that follows it, or None.

        Only one run at a time does so: Streamlit begins a run while the one before it still ends.
        An entry is taken once it is made, not before: who is told of it sees it.
        """
        while self.in_line:
            each, *others = self.in_line
            try:
                make(each, others[0] if others else None)
            finally:
                with self._counting:
                    self.in_line.pop(0)
                    self.taken = each.number

    def receipt(self, state: str = "") -> str:
        """What the browser will report once it has seen all of this run. It shows this `state`."""
        return f"{self.run} {self.id} {state}"

    def seen(self, receipt: str | None) -> int:
        """The number of the last run that the browser has seen whole, on a page that asks for it.

        A receipt of another session, whose process has died, says nothing of the runs of this one.
        Before the first one has come, a page that asks for it has not been seen.
        """
        if receipt is None:
            return 0 if self.last_whole_run else self.run
        run, _, rest = receipt.partition(" ")
        return int(run) if rest.startswith(self.id) else 0

    def is_entry(
        self, widget: str, value: Any, receipt: str | None, connection: str, at: float
    ) -> bool:
        """Whether a person has entered what a field reports; if so, it is noted.

        Else the browser sends what the field showed before, or an empty field. A checkbox that is
        off and the number 0 count as empty: a field that has lost its value shows them.
        """
        told, seen = self._of(widget), self.seen(receipt)
        is_new = connection != self.connection or at < self.echoes_until
        if is_new and (not value or value in told.before()):
            return False
        before, crossed = told.crossed
        if value in told.before(seen) or (seen <= before and value in crossed):
            return False
        told.crossed = self.run, [each for run, each in told.tellings if run > seen]
        told.note(seen, value)
        return True

    def must_tell(
        self, widget: str, value: Any, shown: Any, receipt: str | None, *, is_reported: bool
    ) -> bool:
        """Whether a field that shows `shown` must be told a value: typing is lost then.

        After undo, redo, Back and Forward it must, because the browser may report the value of an
        earlier step; after a new connection, where the browser may have lost it; where the widget
        was away; where a value is still on its way to it, as it is lost if its run is stopped; and
        until the browser has reported it. A browser fetches the code of a kind of field when it
        needs it, and shows what the newest run says: what an older one told is lost then.
        """
        told, was_away = self._of(widget), self.was_away(widget)
        is_known = told.connection == self.connection and not (self.is_stepping or was_away)
        is_on_its_way = told.is_on_its_way(self.seen(receipt or ""))
        told.is_heard |= is_reported and told.was_told_before(self.run)
        return not (is_known and told.is_heard) or is_on_its_way or shown != value

    def note_told(self, widget: str, value: Any) -> None:
        """The field was told so. (To tell it may end the run, so it is noted afterwards.)"""
        told = self._of(widget)
        told.connection = self.connection
        told.tellings = [*told.tellings[-MOST_TOLD:], (self.run, value)]
        told.note(self.run, value)

    def was_away(self, widget: str) -> bool:
        """Whether the last whole run was without this widget; it is on the page now."""
        told = self._of(widget)
        was_away = told.shown_in < self.last_whole_run
        if was_away:
            told.came_in, told.is_heard = self.run, False
        told.shown_in = self.run
        return was_away

    def repeats(self, widget: str, value: Any) -> None:
        """A browser that comes from elsewhere shows this: it is no entry if it is sent again."""
        self.told[widget] = Told(values=[(self.run, value)])

    def _of(self, widget: str) -> Told:
        return self.told.setdefault(widget, Told())
