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

Where the process has died, the browser connects to another one. There a session opens at the
address, and what was entered meanwhile is in the fields alone. So the receipt also says which state
was shown. If the address says the same, and a field something else, then a person has entered it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

import streamlit as st

from mha_core import Scenario
from ui.machine.line import LINE
from ui.machine.measures import MEASURES
from ui.reports import reports
from ui.state.presence import let_others_rest, note_presence
from ui.state.session import Answered, Session, Told
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
    of = session.now.kept

    def enter() -> None:
        entered = _entered(session, widget)
        if entered is ABSENT:
            return
        is_still_shown = session.now.kept is of  # a run may be stopped before it gets here
        if entered is None or (entered == shown and is_still_shown):
            session.refusals.pop(key, None)  # emptied, or back at what there is
        else:
            session.attempt(key, entered, lambda scenario: change(scenario, entered), shown)

    refusal = session.refusals.get(key)
    if refusal and refusal.instead_of != shown:  # another control has changed it since
        del session.refusals[key]
        refusal = None
    return _tied(session, widget, refusal.entered if refusal else shown, enter)


def bound_choice(
    session: Session, key: str, shown: Any, change: Callable[[Scenario, Any], Scenario]
) -> dict[str, Any]:
    """The same for a widget in which nothing is typed: what was refused does not stay chosen.

    To choose it again is then an event, so that it is tried again.
    """
    widget = bound(session, key, shown, change)
    return _tied(session, widget["key"], shown, widget["on_change"])


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

    return _tied(session, widget, show_as(getattr(session.view, name)), enter)


def bound_fold(session: Session, part: str) -> dict[str, Any]:
    """Arguments that tie an expander to the view, which knows the parts that are open.

    It is told so at once, even over a connection from elsewhere: while a page listens to its folds,
    they would all be closed, and what the reader looks at would jump away and back.
    """
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
    session.run_began = LINE.came or time.monotonic()  # a visitor waits in line, too
    session.follows_numbers = False
    session.outside = None
    now = connection()
    if now != session.connection:
        note_presence(session)
    if session.connection and now != session.connection:
        session.echoes_until = time.monotonic() + ECHO
    session.connection = now


def note_run_of_numbers(session: Session) -> None:
    """Note that only what follows numbers is about to run.

    The browser has seen the run before to its end, so a step that it made is made.
    """
    session.run += 1
    session.follows_numbers = True
    session.is_stepping = False


def last_run_seen(session: Session) -> int:
    """For a callback: the number of the last run that the browser has seen to its end; 0: of none.

    Over a new connection nobody knows: what was sent over the one before may be lost.
    """
    if session.connection != connection():
        return 0
    return _seen(session, reports().get(session.key(RECEIPT_KEY)))


def ask_for_receipt(*sessions: Session) -> None:
    """The last line of a page: the browser will report that it has seen all of this run.

    Of a browser that comes from a process that has died, it takes what was entered meanwhile.
    """
    state = _state_of(sessions[0])
    are_back = [session for session in sessions if _comes_from_elsewhere(session)]
    for session in sessions:
        key = session.key(RECEIPT_KEY)
        if session not in are_back:
            st.session_state[key] = f"{session.run} {session.id} {state}"
        receipt = st.text_input("Receipt", key=key, label_visibility="collapsed")
        if session.follows_numbers:
            session.run_began = LINE.came
        else:
            session.last_whole_run = session.run
        session.follows_numbers = False
        session.answered = Answered.now(session)
        if session in are_back:
            _hear(session, takes_entries=bool(state) and receipt.endswith(f" {state}"))
        session.weigh()
    MEASURES.note_run(time.monotonic() - sessions[0].run_began)
    let_others_rest(*sessions)
    if are_back:
        st.rerun()


def has_receipt(session: Session) -> bool:
    """Whether the browser has seen all of the last run of a page that asks for receipts."""
    return _seen(session, st.session_state.get(session.key(RECEIPT_KEY))) >= session.run


def _comes_from_elsewhere(session: Session) -> bool:
    """Whether the browser connects again, and this session knows nothing yet of its fields.

    A browser names its session when it connects again.
    """
    if session.last_whole_run:
        return False
    words = (st.context.headers.get("Sec-WebSocket-Protocol") or "").split(",")
    return len(words) > 2


def _state_of(session: Session) -> str:
    """A word for what the page shows; none where its address cannot say all of it."""
    if not (session.address and session.keeps_address and session.address.says_all):
        return ""
    params = sorted(session.address.params.items())
    return hashlib.sha256(urlencode(params).encode()).hexdigest()[:16]


def _hear(session: Session, *, takes_entries: bool) -> None:
    """Note what the fields show, so that it is no entry if the browser sends it again.

    A field of which the browser said nothing shows its default. It is noted too: the browser may
    report it before it hears what the field shall show.
    """
    values = reports()
    for widget, enter in session.entering.items():
        if widget in values:
            session.told[widget] = Told(values=[(session.run, values[widget])])
            if takes_entries and values[widget]:
                enter()


def _tied(session: Session, widget: str, value: Any, enter: Callable[[], None]) -> dict[str, Any]:
    """Tell a widget what to show, but listen first to a browser that comes from elsewhere."""
    session.entering[widget] = enter
    if not _comes_from_elsewhere(session):
        _let_show(session, widget, value)
    return {"key": widget, "on_change": enter}


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
    session.told.setdefault(widget, Told()).note(seen, entered)
    return entered


def _is_echo(session: Session, widget: str, entered: Any, seen: int) -> bool:
    """Whether a browser sends what a field showed before, or an empty field, and nobody entered it.

    A checkbox that is off and the number 0 count as empty: a field that has lost its value shows
    them.
    """
    told = session.told.setdefault(widget, Told())
    is_new = connection() != session.connection or time.monotonic() < session.echoes_until
    if is_new and (not entered or entered in told.before()):
        return True
    return entered in told.before(seen)


def _seen(session: Session, receipt: str | None) -> int:
    """The number of the last run that the browser has seen whole, on a page that asks for it.

    A receipt of another session, whose process has died, says nothing of the runs of this one.
    """
    if receipt is None:
        return session.run
    run, _, rest = receipt.partition(" ")
    return int(run) if rest.startswith(session.id) else 0


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
