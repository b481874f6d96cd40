"""Undo and redo, and the browser's Back and Forward, which do the same.

The same component asks for a run when a lost connection is back. Streamlit itself does so only if
it knew of a run when the connection was lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from mha_core.language import say
from ui.controls.own_component import own_component
from ui.reports import reports, run_the_page
from ui.state import HISTORY_KEY, Session, last_run_seen, note_wish, session_with


def history_buttons(session: Session) -> None:
    """One step back or on, as often and as fast as somebody clicks.

    Where the browser's address is empty, they put that of the page there. So it is written first:
    the pictures write it too, but on some pages they come later.
    """
    session.conversation.write_address()
    before = _go_on_after_a_reload(session)
    address = session.conversation.address
    asks = partial(note_wish, session)
    _history(
        key=session.key(HISTORY_KEY),
        data={
            **said_of_history(session),
            "group": session.name,
            "before": before,
            "put": address.put if address else None,
            "undo": say("Undo"),
            "redo": say("Redo"),
        },
        on_go_change=asks,
        on_visit_change=asks,
        on_reconnected_change=run_the_page,
        on_before_change=run_the_page,
        width="content",
    )


def _go_on_after_a_reload(session: Session) -> str | None:
    """Until something is done here, undo may go on from the session that the tab had before.

    The answer is its name, or None while the server does not know that its visitor has gone: then
    the browser asks once more.
    """
    named = (reports().get(session.key(HISTORY_KEY)) or {}).get("before")
    if not isinstance(named, str):
        return None
    before = session_with(named)
    if before:
        session.go_on_from(before)
    return named if before is None or before.is_left else None


def said_of_history(session: Session) -> Mapping[str, Any]:
    """What the buttons must know, also after a run that does not send them."""
    past, talk, address = session.history, session.conversation, session.conversation.kept_address
    at = {"at": past.at, "last": past.last, "shift": past.shift}
    again = address.again(last_run_seen(address.sessions[0])) if address else ""
    return {"session": session.id, "run": talk.run, "heard": talk.heard, "again": again, **at}


def reset_button(session: Session, words: str) -> None:
    """The way back to what was opened, as the words say."""
    st.button(say("Reset"), on_click=session.reset, key=session.key("reset"), help=words)


_history = own_component(__file__)
