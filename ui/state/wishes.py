"""Undo, redo, Back and Forward: what a browser asks for, and when it is done.

A newer event may overtake an older one: Streamlit then never runs what the older one asked for, or
runs both at once, in any order. So the browser reports these wishes as values that stay, each with
a number. The next run that begins does those with a higher number than all that were done. It does
so after the callbacks, so that what was entered in the same moment is a step before. But what was
entered after a wish waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from operator import attrgetter
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from ui.reports import reports
from ui.state.session import Session

HISTORY_KEY: Final = "history"  # of the component with undo and redo


class Wish(NamedTuple):
    """What a browser asks for: a place in the history, or an address. It counts its wishes from 1.

    `shift` is that of the history when the browser heard of it last. Entries up to the one with
    the number `after` are taken first.
    """

    number: int
    after: int
    place: int = 0
    shift: int = 0
    address: str | None = None

    @property
    def params(self) -> dict[str, str]:
        """The parameters of the address, except Streamlit's own."""
        pairs = parse_qsl((self.address or "").removeprefix("?"), keep_blank_values=True)
        return {name: value for name, value in pairs if not name.startswith("embed")}


def asks_to_step(session: Session) -> bool:
    """Whether the browser asks for a step that no run of this session, or its page, has shown yet.

    Somebody who clicks fast is ahead of the page: along with the click the browser then sends what
    its fields showed some steps ago, which nobody has entered.
    """
    return session.conversation.has_stepped or bool(_wishes(session))


def note_wish(session: Session) -> None:
    """Note that the browser asks for a step. A fragment that runs alone leaves it to the page."""
    for each in sessions_stepping_with(session):
        each.conversation.is_asked_to_step = True


def make_steps(*sessions: Session) -> None:
    """Make the steps that the browser asks for, the oldest first."""
    with changing_all(sessions):
        for session in sessions:
            session.conversation.begin_to_step(is_asked=asks_to_step(session))
        for session in sessions:
            for wish in _wishes(session):
                _make(session, wish)


def make_steps_before(session: Session, entry: int) -> None:
    """Make those that were asked for before the entry with this number. The next run shows them."""
    for wish in _wishes(session):
        if wish.after < entry:
            _make(session, wish)
            for each in sessions_stepping_with(session):
                each.conversation.has_stepped = True


def comes_between(session: Session, entry: int, following: int) -> bool:
    """Whether a step was asked for after one entry and before the next."""
    return any(entry <= wish.after < following for wish in _new_wishes(session))


@contextmanager
def changing_all(sessions: Iterable[Session]) -> Iterator[None]:
    """Nobody else changes one of these meanwhile. Each holds them in the same order."""
    with ExitStack() as held:
        for session in sessions:
            held.enter_context(session.changing)
        yield


def _make(session: Session, wish: Wish) -> None:
    if wish.address is None:
        session.conversation.heard = wish.number
        _step(session, wish.place + session.history.shift - wish.shift)
        return
    for each in sessions_stepping_with(session):
        each.conversation.heard = max(each.conversation.heard, wish.number)
    if address := session.conversation.address:
        address.visit(wish.params)


def _step(session: Session, place: int) -> None:
    """Step, and let the other sessions of the page follow in the changes that were theirs too.

    A step that changes nothing in any of them is no step: the next one is made with it.
    """
    history = session.history
    while True:
        is_undone, shared, before = place < history.at, history.shared_until(place), session.now
        session.step_to(place)
        others = [each for each in sessions_stepping_with(session) if each is not session]
        followed = [
            each.follow(change, is_undone=is_undone) for change in shared for each in others
        ]
        is_at_end = history.at in (0, history.last)
        if is_at_end or not shared or any(followed) or not before.looks_like(session.now):
            return
        place += -1 if is_undone else 1


def _wishes(session: Session) -> list[Wish]:
    """New wishes whose entry has been taken, the oldest first."""
    return [each for each in _new_wishes(session) if each.after <= session.conversation.taken]


def _new_wishes(session: Session) -> list[Wish]:
    """New wishes of this session, and Back and Forward of its page."""
    values = reports()
    visits = (
        wish
        for each in sessions_stepping_with(session)
        for wish in _reported(values, each, "visit")
    )
    wishes = [*visits, *_reported(values, session, "go")]
    new = (wish for wish in wishes if wish.number > session.conversation.heard)
    return sorted(new, key=attrgetter("number"))


def sessions_stepping_with(session: Session) -> Sequence[Session]:
    """All of its page: some changes are theirs too."""
    address = session.conversation.address
    return address.sessions if address else (session,)


def _reported(values: Mapping[str, Any], session: Session, name: str) -> Iterable[Wish]:
    """What the browser reports, if it is a wish of this session: anyone can send anything.

    A browser that finds the server started anew still reports wishes of the session before.
    """
    said = (values.get(session.key(HISTORY_KEY)) or {}).get(name)
    wish = _read(session, said) if isinstance(said, Mapping) else None
    if wish:
        yield wish


def _read(session: Session, said: Mapping[str, Any]) -> Wish | None:
    match {"after": 0, **said}:
        case {
            "session": session.id,
            "number": int(number),
            "after": int(after),
            "address": str(address),
        }:
            return Wish(number, after, address=address)
        case {
            "session": session.id,
            "number": int(number),
            "after": int(after),
            "place": int(place),
            "shift": int(shift),
        }:
            return Wish(number, after, place, shift)
    return None
