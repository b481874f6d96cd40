"""Ties a widget to a session: what it shows, and what an entry does.

Only the session holds the values, never a widget. In every run a widget is told what to show, and
it hands what a person enters to a change. If the core refuses a change, everything stays as it was.
What was typed stays in the widget, beside the reason, until the next entry is taken.

A browser reports all its fields with every event. One that is behind reports what a field showed
before it was told another value, which nobody has entered. So each run ends with a receipt: a
hidden field with the number of the run. The browser reports it too, which says how far it is.

A browser whose connection was cut connects again to the same session. What was sent to it last may
be lost: then it reports what its fields showed before, or fields that are empty. So in the first
seconds of a new connection neither counts as an entry, and every field is told its value again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from mha_core import Scenario
from ui.reports import reports
from ui.state.session import Session, Told
from ui.state.view import GLANCES, View
from ui.state.wishes import asks_to_step

RECEIPT_KEY: Final = "receipt"
ABSENT: Final = object()
ECHO: Final = 5.0  # seconds after a new connection in which a browser may still send old values


def bound(
    session: Session,
    key: str,
    shown: Any,
    change: Callable[[Scenario, Any], Scenario],
) -> dict[str, Any]:
    """Arguments that tie a widget to the scenario: it shows `shown`, an entry goes to `change`.

    What was typed stays in the widget when it is refused, to be mended.

    words = " ".join(scenario.tokens)
    st.text_input("Tokens", **bound(session, "tokens", words, with_typed_tokens))
    """
    widget = session.key(f"enter-{key}")
    of = session.scenario

    def enter() -> None:
        entered = _entered(session, widget)
        if entered is ABSENT:
            return
        is_still_shown = session.scenario is of  # a run may be stopped before it gets here
        if entered is None or (entered == shown and is_still_shown):
            session.refusals.pop(key, None)  # emptied, or back at what there is
        else:
            session.attempt(key, entered, lambda scenario: change(scenario, entered), shown)

    refusal = session.refusals.get(key)
    if refusal and refusal.instead_of != shown:  # another control has changed it since
        del session.refusals[key]
        refusal = None
    _let_show(session, widget, refusal.entered if refusal else shown)
    return {"key": widget, "on_change": enter}


def bound_choice(
    session: Session, key: str, shown: Any, change: Callable[[Scenario, Any], Scenario]
) -> dict[str, Any]:
    """The same for a widget in which nothing is typed: what was refused does not stay chosen.

    To choose it again is then an event, so that it is tried again.
    """
    widget = bound(session, key, shown, change)
    _let_show(session, widget["key"], shown)
    return widget


def bound_to_view(
    session: Session,
    name: str,
    enter_as: Callable[[Any], Any] = lambda x: x,
    show_as: Callable[[Any], Any] = lambda x: x,
    widget: str = "",
) -> dict[str, Any]:
    """The same for a field of the view. `widget` names the second control of one field."""
    widget = session.key(f"view-{widget or name}")

    def enter() -> None:
        chosen = _entered(session, widget)
        if chosen is ABSENT:
            return
        if chosen is None and getattr(View(), name) is not None:
            return
        entered = enter_as(chosen)
        if name in GLANCES:
            session.look_at(**{name: entered})
        else:
            session.change_view(**{name: entered})

    _let_show(session, widget, show_as(getattr(session.view, name)))
    return {"key": widget, "on_change": enter}


def bound_fold(session: Session, part: str) -> dict[str, Any]:
    """Arguments that tie an expander to the view, which knows the parts that are open."""
    widget = session.key(f"fold-{part}")

    def fold() -> None:
        is_open = _entered(session, widget)
        if is_open is ABSENT:
            return
        session.look_at(**session.view.folds(part, is_open=is_open))

    _let_show(session, widget, session.view.shows(part))
    return {"key": widget, "on_change": fold}


def connection() -> str:
    """A text that is different for each connection to the browser; "" without a connection."""
    return st.context.headers.get("Sec-WebSocket-Key") or ""


def note_run(session: Session) -> None:
    """Note that a run of the page begins, and over which connection.

    A new connection may repeat what the browser knew before.
    """
    session.run += 1
    now = connection()
    if session.connection and now != session.connection:
        session.echoes_until = time.monotonic() + ECHO
    session.connection = now


def ask_for_receipt(*sessions: Session) -> None:
    """The last line of a page: the browser will report that it has seen all of this run."""
    for session in sessions:
        key = session.key(RECEIPT_KEY)
        st.session_state[key] = str(session.run)
        st.text_input("Receipt", key=key, label_visibility="collapsed")
        session.last_whole_run = session.run


def let_come_back(session: Session, widget: str) -> None:
    """Before a widget that is not bound: if it was away, it is told again what it showed.

    A browser forgets the value of a widget that has gone. But it may have reported the value with
    the very event that brings the widget back. So the server cannot know what the browser forgot.
    """
    told = session.told.setdefault(widget, Told())
    if _was_away(session, told) and widget in st.session_state:
        st.session_state[widget] = st.session_state[widget]


def _entered(session: Session, widget: str) -> Any:
    """What a person has just entered in a widget; ABSENT where nobody has."""
    values = reports()
    entered = values.get(widget)
    seen = _seen(session, values.get(session.key(RECEIPT_KEY)))
    if asks_to_step(session) or _is_echo(session, widget, entered, seen):
        return ABSENT
    session.told[widget].note(seen, entered)
    return entered


def _is_echo(session: Session, widget: str, entered: Any, seen: int) -> bool:
    """Whether a browser sends what a field showed before, or an empty field, and nobody entered it.

    A checkbox that is off and the number 0 count as empty: a field that has lost its value shows
    them.
    """
    told = session.told[widget]
    is_new = connection() != session.connection or time.monotonic() < session.echoes_until
    if is_new and (not entered or entered in told.before()):
        return True
    return entered in told.before(seen)


def _seen(session: Session, receipt: str | None) -> int:
    """The number of the last run that the browser has seen whole, on a page that asks for it."""
    return session.run if receipt is None else int(receipt or 0)


def _let_show(session: Session, widget: str, value: Any) -> None:
    """Set a widget, but only to a new value: setting it removes what a person is typing.

    After undo, redo, Back and Forward it is always set, because the browser may report the value of
    an earlier step. It is also set after a new connection, where the browser may have lost it, and
    where the widget was away (see let_come_back), or where another value is still on its way to it.
    """
    told = session.told.setdefault(widget, Told())
    was_away = _was_away(session, told)
    is_known = told.connection == session.connection and not session.is_stepping
    seen = _seen(session, st.session_state.get(session.key(RECEIPT_KEY)))
    is_known = is_known and not was_away and not told.is_on_its_way(seen, value)
    if not is_known or st.session_state.get(widget, ABSENT) != value:
        st.session_state[widget] = value
        told.connection = session.connection
        told.note(session.run, value)


def _was_away(session: Session, told: Told) -> bool:
    """Whether the last whole run of the page was without this widget; it is on the page now."""
    was_away = told.shown_in < session.last_whole_run
    told.shown_in = session.run
    return was_away
