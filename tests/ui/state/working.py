"""A session at a known example, and what the tests of sessions do with one."""

from __future__ import annotations

from mha_core import Scenario
from mha_core.changing.changes import with_scores
from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from ui.state import Session, View

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
