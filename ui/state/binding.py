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

If the process has died, the browser connects to another one. There a session opens at the address,
and only the fields hold what was entered meanwhile. So the receipt also says which state was shown.
If the address says the same, and a field something else, then a person has entered it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

import streamlit as st

from mha_core import Scenario, Stack
from ui.machine.line import LINE
from ui.machine.measures import MEASURES
from ui.reports import is_reported, just_reported, reported, reports
from ui.state.conversation import ABSENT, Answered
from ui.state.presence import let_others_rest, note_presence
from ui.state.session import Session
from ui.state.view import GLANCES, View
from ui.state.wishes import asks_to_step

RECEIPT_KEY: Final = "receipt"


def bound(
    session: Session,
    key: str,
    shown: Any,
    change: Callable[[Any, Any], Scenario | Stack],
    *,
    of_layers: bool = False,
) -> dict[str, Any]:
    """Arguments that tie a widget to the scenario: it shows `shown`, an entry goes to `change`.

    What was typed stays in the widget when it is refused, to be mended. The change of a field that
    is one `of_layers` takes and gives all of them.

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
            session.refusals.pop(key, None)  # emptied, or the same as what it shows
        else:
            attempt: Callable[..., None] = session.attempt
            if of_layers:
                attempt = session.attempt_on_stack
            attempt(key, entered, lambda document: change(document, entered), shown)

    refusal = session.refusals.get(key)
    if refusal and refusal.instead_of != shown:  # another control has changed it since
        del session.refusals[key]
        refusal = None
    return _tied(session, widget, refusal.entered if refusal else shown, enter)


def bound_choice(
    session: Session,
    key: str,
    shown: Any,
    change: Callable[[Any, Any], Scenario | Stack],
    *,
    of_layers: bool = False,
) -> dict[str, Any]:
    """The same for a widget in which nothing is typed: what was refused does not stay chosen.

    So choosing it again is an event, and it is tried again.
    """
    widget = bound(session, key, shown, change, of_layers=of_layers)
    return _tied(session, widget["key"], shown, widget["on_change"])


def bound_to_view(
    session: Session,
    name: str,
    enter_as: Callable[[Any], Any] = lambda x: x,
    show_as: Callable[[Any], Any] = lambda x: x,
    widget: str = "",
    then: Callable[[Session], None] = lambda _: None,
) -> dict[str, Any]:
    """The same for a field of the view. `widget` names the second control of one field.

    `then` is called after an entry: it may say what runs.
    """
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
        then(session)

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

    # Streamlit reports a fold only where somebody folds it; it has its state from the first.
    _let_show(session, widget, session.view.shows(part), is_reported=True)
    return {"key": widget, "on_change": fold}


def connection() -> str:
    """A text that is different for each connection to the browser; "" without a connection."""
    return st.context.headers.get("Sec-WebSocket-Key") or ""


def note_run(session: Session) -> None:
    """Note that a run of the page begins, and over which connection.

    A new connection may repeat what the browser knew before. There is none where a run begins
    after its visitor has gone.
    """
    session.run_began = LINE.came or time.monotonic()  # a visitor waits in line, too
    now = connection()
    if now and now != session.conversation.connection:
        note_presence(session)
    with session.changing:  # what the run before is still taking, this one shows
        session.conversation.begin_run(now, time.monotonic())


def last_run_seen(session: Session) -> int:
    """For a callback: the number of the last run that the browser has seen to its end; 0: of none.

    Over a new connection nobody knows: what was sent over the one before may be lost.
    """
    if session.conversation.connection != connection():
        return 0
    return session.conversation.seen(_receipt(session))


def ask_for_receipt(*sessions: Session) -> None:
    """The last line of a page: the browser will report that it has seen all of this run.

    If the browser comes from a process that has died, it takes what was entered meanwhile.
    """
    state = _state_of(sessions[0])
    are_back = [session for session in sessions if _comes_from_elsewhere(session)]
    for session in sessions:
        key = session.key(RECEIPT_KEY)
        if session not in are_back:
            st.session_state[key] = session.conversation.receipt(state)
        receipt = st.text_input("Receipt", key=key, label_visibility="collapsed")
        if session.conversation.follows_numbers:
            session.run_began = LINE.came
        session.conversation.end_run(answered_now(session))
        if session in are_back:
            _hear(session, takes_entries=bool(state) and receipt.endswith(f" {state}"))
        session.weigh()
    MEASURES.note_run(time.monotonic() - sessions[0].run_began)
    let_others_rest(*sessions)
    if are_back:
        st.rerun()


def answered_now(session: Session) -> Answered:
    """What a run that ends now has answered."""
    talk, refusals = session.conversation, tuple(session.refusals.values())
    return Answered(session.now.kept, session.view, talk.taken, talk.is_asked_for_inputs, refusals)


def has_receipt(session: Session) -> bool:
    """Whether the browser has seen all of the last run of a page that asks for receipts."""
    return session.conversation.seen(_receipt(session)) >= session.conversation.run


def _receipt(session: Session) -> str | None:
    """The last one that the browser has reported: one that was told may still be on its way."""
    talk = session.conversation
    talk.reported = just_reported(session.key(RECEIPT_KEY)) or talk.reported
    return talk.reported


def _comes_from_elsewhere(session: Session) -> bool:
    """Whether the browser connects again, and this session knows nothing yet of its fields.

    A browser names its session when it connects again.
    """
    if session.conversation.last_whole_run:
        return False
    words = (st.context.headers.get("Sec-WebSocket-Protocol") or "").split(",")
    return len(words) > 2


def _state_of(session: Session) -> str:
    """A word for what the page shows; none where its address cannot say all of it."""
    kept = session.conversation.kept_address
    if kept is None or not kept.says_all:
        return ""
    params = sorted(kept.params.items())
    return hashlib.sha256(urlencode(params).encode()).hexdigest()[:16]


def _hear(session: Session, *, takes_entries: bool) -> None:
    """Note what the fields show, so that it is no entry if the browser sends it again.

    A field of which the browser said nothing shows its default. It is noted too: the browser may
    report it before it hears what the field shall show.
    """
    values = reports()
    for widget, enter in session.conversation.entering.items():
        if widget in values:
            session.conversation.repeats(widget, values[widget])
            if takes_entries and values[widget]:
                enter()


def _tied(session: Session, widget: str, value: Any, enter: Callable[[], None]) -> dict[str, Any]:
    """Tell a widget what to show, but listen first to a browser that comes from elsewhere."""
    session.conversation.entering[widget] = enter
    if not _comes_from_elsewhere(session):
        _let_show(session, widget, value, is_reported=is_reported(widget))
    return {"key": widget, "on_change": enter}


def let_come_back(session: Session, widget: str) -> None:
    """Call it before a widget that is not bound: if that was away, it is told again what it showed.

    A browser forgets the value of a widget that has gone. But it may have reported the value with
    the very event that brings the widget back. So the server cannot know what the browser forgot.
    """
    if session.conversation.was_away(widget) and widget in st.session_state:
        st.session_state[widget] = st.session_state[widget]


def _entered(session: Session, widget: str) -> Any:
    """What a person has just entered in a widget; ABSENT where nobody has."""
    entered = reported(widget)
    if asks_to_step(session):
        return ABSENT
    is_entry = session.conversation.is_entry(
        widget, entered, _receipt(session), connection(), time.monotonic()
    )
    return entered if is_entry else ABSENT


def _let_show(session: Session, widget: str, value: Any, *, is_reported: bool) -> None:
    """Set a widget, but only if it must be told."""
    shown = st.session_state.get(widget, ABSENT)
    talk, receipt = session.conversation, _receipt(session)
    if talk.must_tell(widget, value, shown, receipt, is_reported=is_reported):
        st.session_state[widget] = value
        talk.note_told(widget, value)
