"""A browser and a server in memory, with a line between them that delays, loses and repeats.

The browser does what `entries.js`, `history.js` and Streamlit's own fields do; the server has a
real Session with its Conversation, and does what a page does in each run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from mha_core import Scenario
from mha_core.changing.changes import with_scores
from tests.ui.state.working import PIZZA
from ui.state import HISTORY_KEY, Session, answered_now
from ui.state.conversation import ABSENT
from ui.state.wishes import asks_to_step, make_steps, make_steps_before

FIELD, RECEIPT, ENTRIES = "field", "receipt", "entries"
UNTOLD = ""  # what a field shows that was never told anything
Values = dict[str, Any]
FIRST = with_scores(PIZZA, scale=1.0)


class Entry(NamedTuple):
    number: int
    size: float


class Server:
    """What one visitor's page does at each event. `made` are the entries in order."""

    def __init__(self, scenario: Scenario) -> None:
        self.session = Session(scenario)
        self.values: Values = {}  # as Streamlit keeps them
        self.receipt: str | None = None  # as the browser has reported it
        self.made: list[object] = []
        self.is_reported = False  # whether the last event said anything of the field

    def take(self, report: Values, connection: str, at: float, *, is_slow: bool = False) -> None:
        """Streamlit hands over what is reported, and calls back for each changed value.

        A run that is slow has only heard of the entries when the next one takes its own.
        """
        is_changed = {key for key, value in report.items() if self.values.get(key) != value}
        self.values |= report
        self.is_reported = FIELD in report
        self.receipt = report.get(RECEIPT, self.receipt)
        talk, session = self.session.conversation, self.session
        if ENTRIES in is_changed:
            talk.hear([Entry(*each) for each in report[ENTRIES]])
        if not is_slow:
            talk.make_those_in_line(lambda each, _: self._make(each))
        entered = self.values.get(FIELD)
        may_be = FIELD in is_changed and not asks_to_step(session)
        if may_be and talk.is_entry(FIELD, entered, self.receipt, connection, at):
            self._enter(("field", entered), float(entered or 0))

    def _make(self, entry: Entry) -> None:
        make_steps_before(self.session, entry.number)
        self._enter(f"entry {entry.number}", entry.size)

    def _enter(self, entry: object, scale: float) -> None:
        def change(s: Scenario) -> Scenario:
            self.made.append(entry)
            return with_scores(s, scale=scale)

        self.session.attempt(str(entry), entry, change)

    def run(self, connection: str, at: float, *, is_stopped: bool) -> list[Values]:
        """The parts of a page, in the order in which they are sent. A stopped one has no end."""
        session, talk = self.session, self.session.conversation
        make_steps(session)
        talk.begin_run(connection, at)
        parts: list[Values] = []
        shown = self.values.get(FIELD, ABSENT)
        value = str(session.scenario.scores.scale)
        if talk.must_tell(FIELD, value, shown, self.receipt, is_reported=self.is_reported):
            self.values[FIELD] = value
            talk.note_told(FIELD, value)
            parts.append({FIELD: value})
        else:
            parts.append({FIELD: UNTOLD})
        if is_stopped:
            return parts
        past = session.history
        at_which = {"at": past.at, "last": past.last, "shift": past.shift}
        said = {"run": talk.run, "heard": talk.heard, "taken": talk.shows_taken, **at_which}
        parts.append({"said": {**said, "shows": session.scenario.scores.scale}})
        parts.append({RECEIPT: talk.receipt()})
        talk.end_run(answered_now(session))
        return parts


class Browser:
    """One tab. It reports all of its values at every event.

    The code of the field comes after some `looks`. Until then the newest run says what it shows.
    """

    def __init__(self, session: str, looks: int) -> None:
        self.session = session
        self.looks = looks
        self.newest: str | None = None  # what the newest run says of the field, once one has come
        self.values: Values = {}
        self.waiting: list[tuple[int, float]] = []
        self.last_entry = 0
        self.reported = 0
        self.asked = 0
        self.knows: Values = {"run": 0, "at": 0, "last": 0, "shift": 0}
        self.wanted = 0

    def enter(self, size: float) -> int:
        self.last_entry += 1
        self.waiting.append((self.last_entry, size))
        self.values[ENTRIES] = tuple(self.waiting)
        return self.last_entry

    def go(self, by: int) -> bool:
        """Click on Undo or Redo; False where there is nothing to undo or redo."""
        place = min(max(self.wanted + by, -len(self.waiting)), self.knows["last"])
        if place == self.wanted:
            return False
        self.reported += 1
        self.wanted, self.asked = place, self.reported
        after = self.waiting[-1][0] if self.waiting else 0
        wish = {"session": self.session, "number": self.reported, "after": after}
        go = {**wish, "place": place, "shift": self.knows["shift"]}
        self.values[HISTORY_KEY] = {"go": go}
        return True

    def hear(self, part: Values) -> bool:
        """Hear what a part of a page says. Returns whether to report something at once."""
        said = part.get("said")
        if said is None:
            self._show(part)
            return False
        if said["run"] >= self.knows["run"]:
            is_ahead = self.asked > said["heard"]
            moved = min(self.wanted + said["shift"] - self.knows["shift"], said["last"])
            self.wanted = moved if is_ahead else said["at"]
            self.knows = said
        self.waiting = [each for each in self.waiting if each[0] > said["taken"]]
        if self.waiting:
            self.values[ENTRIES] = tuple(self.waiting)
        return bool(self.waiting)

    def _show(self, part: Values) -> None:
        if FIELD not in part:
            self.values |= part
        elif FIELD not in self.values:
            self.newest = part[FIELD]
        elif part[FIELD] is not UNTOLD:
            self.values |= part

    def look(self) -> None:
        """The code of the field may have come: it shows what it is told, or nothing."""
        self.looks -= 1
        if self.looks < 0 and self.newest is not None and FIELD not in self.values:
            self.values[FIELD] = self.newest


@dataclass
class Line:
    """What is under way between the two, and what a random schedule does to it."""

    random: Random
    server: Server = field(default_factory=lambda: Server(FIRST))
    at: float = 100.0
    connection: int = 1
    up: list[Values] = field(default_factory=list)
    down: list[Values] = field(default_factory=list)
    unsent: int = 0  # parts at the end of `down` that the server may not have sent yet
    entered: list[object] = field(default_factory=list)
    meant: list[float] = field(default_factory=list)  # entries that were not undone
    handed: set[object] = field(default_factory=set)  # texts that the server was handed
    sizes: int = 1

    def __post_init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self.browser = Browser(self.server.session.id, looks=self.random.choice((0, 0, 1, 3)))
        self.entered.clear()
        self.report()

    @property
    def is_open(self) -> bool:
        """Whether the whole page has come to the browser: before that, nobody can enter all."""
        return {RECEIPT, FIELD} <= set(self.browser.values)

    def report(self) -> None:
        self.up.append(dict(self.browser.values))

    def new_size(self) -> float:
        self.sizes += 1
        return float(self.sizes)

    def enter(self) -> None:
        if not self.is_open:
            return
        self.meant.append(self.new_size())
        number = self.browser.enter(self.meant[-1])
        self.entered.append(f"entry {number}")
        self.report()

    def type(self) -> None:
        if not self.is_open:
            return
        text = self.browser.values[FIELD] = str(self.new_size())
        self.entered.append(("field", text))
        self.report()

    def click(self) -> None:
        if self.is_open and self.browser.go(self.random.choice((-1, -1, 1))):
            self.report()

    def undo_once(self) -> None:
        """Take back the last entry, unless something was undone before."""
        if self.is_open and not self.browser.asked and self.browser.go(-1):
            self.meant.pop()
            self.report()

    def serve(self, *, is_stopped: bool = False) -> None:
        """One or several reports reach the server before it runs: of a value, the last counts."""
        if self.up:
            count = self.random.randint(1, len(self.up))
            together: Values = {}
            for report in self.up[:count]:
                together |= report
            del self.up[:count]
            self.handed.add(together.get(FIELD))
            is_slow = is_stopped and self.random.random() < 0.5
            self.server.take(together, f"{self.connection}", self.at, is_slow=is_slow)
            parts = self.server.run(f"{self.connection}", self.at, is_stopped=is_stopped)
            self._drop_what_is_not_sent()
            self.down += parts
            self.unsent = len(parts)

    def _drop_what_is_not_sent(self) -> None:
        """When a run begins, Streamlit drops what it has not sent yet of the one before."""
        dropped = self.random.randint(0, min(self.unsent, len(self.down)))
        del self.down[len(self.down) - dropped :]

    def stop(self) -> None:
        """A run is stopped before its end, by an event that is on its way."""
        if len(self.up) > 1:
            self.serve(is_stopped=True)

    def deliver(self) -> None:
        count = self.random.randint(0, len(self.down))
        parts, self.down = self.down[:count], self.down[count:]
        is_to_report = any([self.browser.hear(part) for part in parts])
        self.browser.look()
        if is_to_report:
            self.report()

    def wait(self) -> None:
        self.at += self.random.choice((0.1, 1.0, 6.0))
        self.unsent = 0

    def cut(self) -> None:
        """The connection is cut: part of what is under way is lost. The browser connects again."""
        self.deliver()
        self.down.clear()
        self.up.clear()
        self.connection += 1
        self.report()

    def reload(self) -> None:
        """The page opens anew at its address. What had not been taken goes with the old page."""
        self.up.clear()
        self.down.clear()
        self.server = Server(self.server.session.scenario)
        self.connection += 1
        self._open()

    def settle(self) -> None:
        """Nobody does anything more, and all that is under way arrives."""
        for turn in range(60):
            if turn % 20 == 0:
                self.at += 10.0
                self.report()
            self.serve()
            self.deliver()
