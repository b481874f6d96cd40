"""What the browser's address says of a page, when it is written, and what it opens.

A page has one address. It holds every session of the page: the parameters of a session that has a
name begin with it, as in `b.heads=4`; those of the session without a name stand as they are.

Streamlit reads the address once, when the page opens. The browser's Back and Forward change the
address and nothing else: `Address.visit` lets the page follow.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from urllib.parse import urlencode

import streamlit as st

from mha_core import Scenario
from mha_core.checks.errors import FormatError, MhaError
from mha_core.examples import DEFAULT_EXAMPLE, EXAMPLES, load_example
from mha_core.io.scenario.link import decode_link
from mha_core.io.scenario.link_names import ADDED_BY_OTHERS, PARAMETERS
from mha_core.layer.cells import cell_of_old_name
from mha_core.layer.derivation import has_cell
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from ui.edits.page_limits import trace_to_show
from ui.state.binding import note_run
from ui.state.conversation import PageAddress
from ui.state.history import Moment
from ui.state.in_words import InWords, in_a_long_link, put_in_words
from ui.state.refusals import Refusal
from ui.state.session import Session
from ui.state.tour_stops import SESSIONS, StopOnPage, stop_alone
from ui.state.view import OF_ONE_PAGE, PARAMS, View, no_such_cell
from ui.state.wishes import make_steps

Params = Mapping[str, str]
LAST_PAGE: Final = "last page"  # under this key, the sessions of the last page that kept an address


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
        if self._is_to_be_put:
            self._is_to_be_put, self.put = False, Put(next(_PUTS), urlencode(params))
        elif not is_there:
            self._described = UNKNOWN  # Streamlit takes what is written here for what is there
            st.query_params.from_dict(params)
        self._remember(params, described=params)

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
        parts = parts_of(_meant(params, names), names)
        for session in self.sessions:  # the address is older than the session, or was forgotten
            if self._shown_here(parts[session.name]) != self._of(session):
                opened = opened_at(parts[session.name])
                session.open(opened.scenario, opened.view)
                session.refusals = opened.refusals

    @property
    def _is_refused(self) -> bool:
        return any("address" in session.refusals for session in self.sessions)

    def remember(self, params: Params) -> None:
        """Remember what the page shows at this address; forget what undo has forgotten."""
        self._remember(params, described=self.params)

    def _remember(self, params: Params, *, described: Params) -> None:
        """The page may spell what it shows in another way than the address does."""
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


def open_session() -> Session:
    """The session of a page that has one; the first time, at what the address describes."""
    return open_sessions("")[0]


def open_sessions(
    *names: str, first: Mapping[str, Callable[[], Scenario]] | None = None
) -> tuple[Session, ...]:
    """The sessions that a page has side by side, by their names; the first one may have none.

    The first time each is at what its part of the address describes. Where the address says
    nothing of any session, each is at its `first` scenario, or at the first example.
    """
    for name in names:
        if any(param.startswith(f"{name}.") for param in PARAMETERS):
            raise ValueError(f"A session must not be named {name!r}, as an array is.")
    sessions = tuple(_open(name, names, first or {}) for name in names)
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
    """The stop of another page that a visitor's first address names, and nothing else.

    Only the first leads there: else the browser's Back could not leave the stop. The list of tours
    has an address with a tour alone: that of a text.
    """
    params = st.query_params.to_dict()
    is_text = page not in SESSIONS and "stop" not in params
    stop = stop_alone(params)
    if LAST_PAGE in st.session_state or is_text or stop is None or stop.page == page:
        return None
    return stop


def opened(name: str) -> Session | None:
    """The session with this name, if the visitor has been on a page that has it."""
    session: Session | None = st.session_state.get(_key(name))
    return session


def open_elsewhere(name: str, scenario: Scenario, view: View) -> None:
    """Let the session with this name, of another page, show this scenario when that page opens."""
    if session := opened(name):
        session.open(scenario, view)
    else:
        st.session_state[_key(name)] = Session(scenario, view, name)


def _key(name: str) -> str:
    return f"session {name}".strip()


def _open(name: str, names: Sequence[str], first: Mapping[str, Callable[[], Scenario]]) -> Session:
    session = opened(name)
    if session is None:
        params = st.query_params.to_dict()
        if params or name not in first:
            session = opened_at(parts_of(_meant(params, names), names)[name], name)
        else:
            session = Session(first[name](), name=name)
        st.session_state[_key(name)] = session
    return session


def _meant(params: Params, names: Sequence[str]) -> Params:
    """What an address means on a page with these sessions: a stop alone means all it shows."""
    stop = stop_alone(params)
    return {**params, **stop.params} if stop and SESSIONS[stop.page] == tuple(names) else params


def opened_at(params: Params, name: str = "") -> Session:
    """A session that shows what the address describes.

    A part that is wrong gets its default, and a refusal says what was wrong.
    """
    scenario, wrong = load_example(DEFAULT_EXAMPLE), list[MhaError]()
    try:
        if described := {param: params[param] for param in params if param in PARAMETERS}:
            scenario = _described(described)
    except MhaError as error:
        wrong.append(error)
    view, wrong_of_view = View.from_params(params)
    if view.cell:
        today = cell_of_old_name(view.cell, scenario.n_heads, scenario.n_kv_heads)
        view = replace(view, cell=today)
    is_another = bool(wrong)  # than the link was made for: its cells have no meaning
    try:
        if not wrong:
            view.check_head(scenario)
    except MhaError as error:
        is_another = True
        wrong_of_view.append(error)
    session = Session(scenario, view.without_what_is_gone(scenario) if is_another else view, name)
    session.conversation.was_described = any(param in PARAMETERS for param in params)
    wrong += wrong_of_view + _drop_wrong_cell(session) + _unknown(params)
    if wrong:
        session.refusals["address"] = Refusal(dict(params), "\n".join(map(str, wrong)))
    return session


def _described(params: Params) -> Scenario:
    """The scenario of a link. One typed by hand may say only what is to change in the first page.

    Links of the page say what they start from. So only one that is wrong by itself is read so.
    """
    try:
        return _shown(decode_link(params))
    except MhaError:
        if "example" in params or "tokens" in params:
            raise
        return _shown(decode_link({"example": DEFAULT_EXAMPLE, **params}))


def _shown(scenario: Scenario) -> Scenario:
    """The scenario, if it is not too large for the page."""
    _ = trace_to_show(scenario)
    return scenario


def params_of(session: Session, view: View | None = None) -> dict[str, str]:
    """The present moment as parameters; of a scenario too large for a link, the view alone.

    With `view` the scenario is shown in that way instead of the present one.
    """
    return {**(_in_words(session).params or {}), **(view or session.view).to_params()}


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


def is_edited(session: Session, *names: str) -> bool:
    """Whether some numbers of these arrays differ from what their source makes at this size.

    The source of an array is its recipe, or else the example, which made it at one size only. At
    another size nobody can tell whether numbers of the example were edited: the answer is no.
    """
    s = session.scenario
    return any(_has_source(s, name) and name in _in_words(session).edited for name in names)


def _has_source(s: Scenario, name: str) -> bool:
    if (s.origin.x in INPUTS) if name in ("x", "context") else (s.origin.weights in PRESETS):
        return True
    if s.origin.example not in EXAMPLES:
        return False
    theirs, ours = (each.given().get(name) for each in (load_example(s.origin.example), s))
    return theirs is not None and ours is not None and theirs.shape == ours.shape


def fits_a_link(session: Session) -> bool:
    return _in_words(session).params is not None


def link_for_the_tab(session: Session) -> str:
    """What the browser's tab is to keep, as no address can; "" where there is nothing to keep."""
    if fits_a_link(session):
        return ""
    return session.make_once("long link", lambda: in_a_long_link(session.scenario))


def _in_words(session: Session) -> InWords:
    """Both need what the recipes make. That may take long, so it is made once for a scenario."""
    return session.make_once("in words", lambda: put_in_words(session.scenario))


def parts_of(params: Params, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The parameters of each session; those that begin with no session's name are the first's."""
    parts: dict[str, dict[str, str]] = {name: {} for name in names}
    for param, text in params.items():
        name, dot, rest = param.partition(".")
        if dot and name and name in parts:
            parts[name][rest] = text
        else:
            parts[names[0]][param] = text
    return parts


def _drop_wrong_cell(session: Session) -> list[MhaError]:
    cell = session.view.cell
    if cell is None or has_cell(session.trace, cell):
        return []
    session.look_at(cell=None)
    return [no_such_cell(cell)]


def _unknown(params: Params) -> list[MhaError]:
    """What an address says that this page does not know, but for what mailings add to any link."""
    names = [name for name in params if name not in PARAMETERS and name not in PARAMS]
    said = [name[:40] for name in names if not name.startswith(ADDED_BY_OTHERS)]
    if not said:
        return []
    need = "must hold only parameters of this page"
    way_out = "Check the spelling. All other parameters were used."
    return [FormatError("The address", need, ", ".join(map(repr, said[:5])), way_out)]
