"""A session at a known example, and what the tests of sessions do with one."""

from __future__ import annotations

from typing import Any

from mha_core import Scenario
from mha_core.changing.changes import with_scores
from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from ui.state import HISTORY_KEY, Session, View

PIZZA = load_example("pizza")


def at_pizza(view: View | None = None) -> Session:
    return Session(PIZZA, view)


def scale(session: Session, number: float) -> None:
    session.attempt("scale", str(number), lambda s: with_scores(s, scale=number))


def can_undo(session: Session) -> bool:
    return session.history.at > 0


def can_redo(session: Session) -> bool:
    return session.history.at < session.history.last


def refuse(_: Scenario) -> Scenario:
    raise OptionError("The thing", "must be so", "otherwise", "Do it so.")


class Browser:
    """What the browser of a session reports: the newest of each kind of wish."""

    def __init__(self, *sessions: Session) -> None:
        self.session = sessions[0]
        self.values: dict[str, dict[str, Any]] = {}
        self.number = 0

    def reports(self) -> dict[str, dict[str, Any]]:
        return self.values

    def report(self, name: str, session: Session | None = None, **wish: Any) -> None:
        of = session or self.session
        self.number += 1
        known = {"session": of.id, "number": self.number}
        of_row = self.values.setdefault(of.key(HISTORY_KEY), {})
        of_row[name] = known | wish

    def ask_for(self, place: int, session: Session | None = None) -> None:
        shift = (session or self.session).history.shift
        self.report("go", session, place=place, shift=shift)
