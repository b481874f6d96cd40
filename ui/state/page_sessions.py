"""The sessions of a page: opened the first time, found again, and kept in the page's address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

import streamlit as st

from mha_core import Scenario, Stack
from mha_core.io.scenario.link_names import PARAMETERS
from ui.state.address import Address, meant
from ui.state.binding import note_run
from ui.state.opened_first import model_first, opened_first
from ui.state.params import opened_at, parts_of
from ui.state.session import Session
from ui.state.tour_stops import SESSIONS, StopOnPage, stop_alone
from ui.state.view import View
from ui.state.wishes import make_steps

EXPLORE: Final = ""  # the page of an address that names none
LAST_PAGE: Final = "last page"  # under this key, the sessions of the last page that kept an address


def open_session() -> Session:
    """The session of a page that has one; the first time, at what the address describes.

    Where it says nothing, the session is at what the server was started with, else at an example.
    """
    return open_sessions("", first=opened_first())[0]


PRESENTS: Final = {"present", "part"}  # in an address: they say nothing of what is presented


def open_sessions(
    *names: str, first: Mapping[str, Callable[[], Scenario | Stack]] | None = None, layer: int = 0
) -> tuple[Session, ...]:
    """The sessions that a page has side by side, by their names; the first one may have none.

    The first time each is at what its part of the address describes. Where the address says
    nothing of any session, each is at its `first` scenario and shows this layer of it, counted
    from 0; or it is at the first example.
    """
    for name in names:
        if any(param.startswith(f"{name}.") for param in PARAMETERS):
            raise ValueError(f"A session must not be named {name!r}, as an array is.")
    sessions = tuple(_open(name, names, first or {}, layer) for name in names)
    make_steps(*sessions)
    for session in sessions:
        note_run(session)
        session.conversation.keeps_address = False
    return sessions


def keep_address(*sessions: Session, page: str = "", shows: Sequence[str] = ()) -> None:
    """Let the page's address say what these sessions show, in this run and in its fragments.

    The blocks write it. On a page that does not call this they leave the address alone. `page`
    tells pages with the same sessions apart. `shows` names those of OF_ONE_PAGE that it shows.
    """
    key = " ".join([f"address {page}".strip(), *(session.name for session in sessions)])
    kept: Address | None = st.session_state.get(key)
    if kept is None or kept.sessions != sessions:
        kept = st.session_state[key] = Address(*sessions, shows=shows)
    kept.note_connection(sessions[0].conversation.connection)
    for session in sessions:
        session.conversation.address = kept
        session.conversation.keeps_address = True
    last = st.session_state.get(LAST_PAGE)
    if last != key:
        kept.arrive(st.query_params.to_dict(), is_first=last is None)
    st.session_state[LAST_PAGE] = key


def keep_no_address(page: str) -> None:
    """The page has no session of its own to describe. The next page learns that it was left."""
    st.session_state[LAST_PAGE] = page


def stop_elsewhere(page: str) -> StopOnPage | None:
    """The stop of another page, if a visitor's first address names it and nothing else.

    Only the first leads there: else the browser's Back could not leave the stop. On the list of
    tours, an address with a tour but no stop is about the tour's text.
    """
    params = st.query_params.to_dict()
    is_text = page not in SESSIONS and "stop" not in params
    stop = stop_alone(params)
    if LAST_PAGE in st.session_state or is_text or stop is None or stop.page == page:
        return None
    return stop


def begins_with_a_model(page: str) -> bool:
    """Whether a visitor's first address says nothing, and the command has got a whole model."""
    is_first = LAST_PAGE not in st.session_state
    is_whole = model_first() is not None and not opened_first()
    return is_first and page == EXPLORE and not st.query_params and is_whole


def opened(name: str) -> Session | None:
    """The session with this name, if the visitor has been on a page that has it."""
    session: Session | None = st.session_state.get(_key(name))
    return session


def open_elsewhere(name: str, stack: Stack, view: View) -> None:
    """Let the session with this name, of another page, show these layers when that page opens."""
    session = opened(name)
    if session is None:
        st.session_state[_key(name)] = session = Session(stack, view, name)
    else:
        session.open(stack, view)
    session.arrivals += 1


def _key(name: str) -> str:
    return f"session {name}".strip()


def _open(
    name: str, names: Sequence[str], first: Mapping[str, Callable[[], Scenario | Stack]], layer: int
) -> Session:
    session = opened(name)
    if session is None:
        parts = parts_of(meant(st.query_params.to_dict(), names), names)
        if name in first and PRESENTS.issuperset(chain(*parts.values())):
            view, _ = View.from_params(parts[name])
            session = Session(first[name](), replace(view, layer=layer), name)
        else:
            session = opened_at(parts[name], name)
        st.session_state[_key(name)] = session
    return session
