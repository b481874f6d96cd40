"""What the browser's address says of a page, when it is written, and what it opens.

A page has one address. It holds every session of the page: the parameters of a named session begin
with its name, as in `b.heads=4`; those of the session without a name stand as they are.

Streamlit reads the address once, when the page opens. The browser's Back and Forward change the
address and nothing else: `Address.visit` lets the page follow.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from ui.state.conversation import PageAddress
from ui.state.history import Moment
from ui.state.params import Params, fits_a_link, opened_at, params_of, parts_of
from ui.state.session import Session
from ui.state.tour_stops import SESSIONS, stop_alone
from ui.state.view import OF_ONE_PAGE, View


class Put(NamedTuple):
    """An address that the browser puts in the place of an empty one, once for each number."""

    number: int
    query: str


NOTHING_PUT: Final = Put(0, "")
UNKNOWN: Final[Params] = {"": ""}  # no page describes itself so
_PUTS: Final = itertools.count(1)


class Address:
    """The address of one page, and what its sessions showed at each address that it had."""

    def __init__(self, *sessions: Session, shows: Sequence[str] = ()) -> None:
        self.sessions = sessions
        self.leaves_out = tuple(name for name in OF_ONE_PAGE if name not in shows)
        self._described: Params | None = None  # by the address that the browser has now
        self._connection = ""  # to the browser, when it was told
        self._told_in = 0  # the number of the run that has told it, through Streamlit
        self.put = NOTHING_PUT
        self._is_to_be_put = False
        self._shown_at: dict[frozenset[tuple[str, str]], tuple[Moment, ...]] = {}

    @property
    def params(self) -> dict[str, str]:
        """What the address is to say of the page as it is now."""
        return self.describe({})

    def describe(self, views: Mapping[str, View]) -> dict[str, str]:
        """The parameters of all sessions; `views` has another view for some, by their names."""
        return {
            f"{session.name}.{name}" if session.name else name: text
            for session in self.sessions
            for name, text in self._of(session, views.get(session.name)).items()
        }

    def _of(self, session: Session, view: View | None = None) -> dict[str, str]:
        return self._shown_here(params_of(session, view))

    def _shown_here(self, params: Params) -> dict[str, str]:
        """The parameters without those of other pages."""
        return {
            param: text
            for param, text in params.items()
            if param.rpartition(".")[-1] not in self.leaves_out
        }

    @property
    def says_all(self) -> bool:
        """False where a scenario is too large for a link, or an address was refused."""
        return not self._is_refused and all(map(fits_a_link, self.sessions))

    def write(self) -> None:
        """Let the address say what the page shows, so that it can be copied at any moment.

        It is written only when what it describes has changed. An address that was refused stays, to
        be mended, until the next change. Writing may end the run, if the next one waits: so an
        address is remembered only after it was written.
        """
        params = self.params
        if self._is_refused or params == self._described:
            return
        is_there = self._described is None and params == st.query_params.to_dict()
        told_in = 0
        if self._is_to_be_put:
            self._is_to_be_put, self.put = False, Put(next(_PUTS), urlencode(params))
        elif not is_there:
            self._described = UNKNOWN  # Streamlit takes what is written here for what is there
            st.query_params.from_dict(params)
            told_in = self._run
        self._remember(params, described=params)
        self._told_in = told_in

    def again(self, seen: int) -> str:
        """The query once more, until the browser has `seen` the run that told it; else none.

        A run that begins before all of the one before is sent ends the sending, of the address too.
        """
        return urlencode(self._described or {}) if seen < self._told_in < self._run else ""

    @property
    def _run(self) -> int:
        return int(self.sessions[0].conversation.run)

    def note_connection(self, connection: str) -> None:
        """A new connection: the last address may be lost, so the next is written in any case."""
        if connection != self._connection:
            self._described = None
        self._connection = connection

    def arrive(self, params: Params, *, is_first: bool) -> None:
        """The browser comes to this page, from another one unless it is the first.

        The address may say what to show: so do links from page to page, and Back and Forward. If it
        says nothing, it means what the page shows now. Then the browser puts the page's address in
        its place: written by Streamlit, it would be one more step of the browser's history, and
        might come before that of the new page (see `put`).
        """
        self._described = None
        if not params:
            self._shown_at[frozenset()] = tuple(session.now for session in self.sessions)
            self._is_to_be_put = not is_first
        elif not is_first:
            self.visit(params)

    def visit(self, params: Params) -> None:
        """Show what the page showed at an address: Back or Forward has led the browser there.

        The address is not written afterwards, even where this page would spell it otherwise: that
        would take away the addresses to which Forward leads.
        """
        if self._shown_here(params) != self.params:
            self._return_to(params)
        self.remember(params)

    def lead_to(self, params: Params) -> None:
        """Show what a link to this page says. The address follows: to leave it again is a step."""
        self._return_to(params)

    def _return_to(self, params: Params) -> None:
        if moments := self._shown_at.get(frozenset(params.items())):
            for session, moment in zip(self.sessions, moments, strict=True):
                session.return_to(moment)
            return
        names = [session.name for session in self.sessions]
        parts = parts_of(meant(params, names), names)
        for session in self.sessions:  # the address is older than the session, or was forgotten
            if self._shown_here(parts[session.name]) != self._of(session):
                opened = opened_at(parts[session.name])
                session.open(opened.stack, opened.view)
                session.refusals = opened.refusals

    @property
    def _is_refused(self) -> bool:
        return any("address" in session.refusals for session in self.sessions)

    def remember(self, params: Params) -> None:
        """Remember what the page shows at this address; forget what undo has forgotten."""
        self._remember(params, described=self.params)

    def _remember(self, params: Params, *, described: Params) -> None:
        """The page may spell what it shows in another way than the address does."""
        self._told_in = 0
        if self._is_refused:
            self._described = None
            return
        now = tuple(session.now for session in self.sessions)
        kept = {id(moment.kept) for each in self.sessions for moment in each.history.moments}
        self._shown_at = {
            old: moments
            for old, moments in self._shown_at.items()
            if all(id(moment.kept) in kept for moment in moments)
        }
        self._shown_at[frozenset(params.items())] = now
        self._described = described


def meant(params: Params, names: Sequence[str]) -> Params:
    """What an address means on a page with these sessions: a stop alone means all it shows."""
    stop = stop_alone(params)
    return {**params, **stop.params} if stop and SESSIONS[stop.page] == tuple(names) else params


def link_of(session: Session, view: View | None = None) -> str:
    """The link to the page of this session, as it stands after the ? of an address.

    It says all that the page's address says, so also what the page's other sessions show. With
    `view` this session is shown in that way instead of the present one.
    """
    return urlencode(_address_of(session).describe({session.name: view} if view else {}))


def sessions_of_page(session: Session) -> tuple[Session, ...]:
    """All sessions that the page's address describes; on a page that keeps none, this one."""
    return tuple(_address_of(session).sessions)


def _address_of(session: Session) -> PageAddress:
    return session.conversation.kept_address or Address(session)
