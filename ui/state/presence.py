"""Who is there. When a visitor has gone, the memory they took goes back to the system.

Streamlit keeps the session of a visitor for some minutes after the connection has ended: the
network may have been cut. Until the visitor comes back it rests: what a person did is kept, in
little memory, and what is made of it is made again. If all sessions together take too much, those
that ran longest ago rest too.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from typing import Final
from weakref import WeakSet

import streamlit as st

from ui.machine.limits import MACHINE
from ui.machine.memory import give_back
from ui.state.session import Session, open_sessions_of_all
from ui.state.starts import forget_starts
from ui.state.uploads import forget_files_of_who_has_gone

MOST_BYTES: Final = int(MACHINE.arrays_mb * 2**20)  # of what all visitors look at
TOGETHER: Final = 1.0  # seconds: if many leave at once, memory is given back once
LAST_RUNS: Final = 15  # times as long, in which runs of those who have gone come to their end


_HERE: Final[WeakSet[Presence]] = WeakSet()


def visitors() -> int:
    """How many are connected."""
    return len(_HERE)


class Presence:
    """The sessions of one visitor who is connected."""

    def __init__(self) -> None:
        self.sessions: WeakSet[Session] = WeakSet()
        _HERE.add(self)

    def end(self) -> None:
        _HERE.discard(self)
        for session in self.sessions:
            session.leave()
        CLEANER.clean_after(self)


@st.cache_resource(scope="session", on_release=Presence.end, show_spinner=False)
def _presence() -> Presence:
    """Streamlit calls `end` when the connection ends, and forgets it."""
    return Presence()


def note_presence(session: Session) -> None:
    """The visitor of this session is here, by a new connection."""
    session.come_back()
    _presence().sessions.add(session)


def let_others_rest(*present: Session) -> None:
    """If all sessions together take too much, those that ran longest ago rest."""
    sessions = open_sessions_of_all()
    total = sum(session.size for session in sessions)
    for session in sorted(sessions, key=lambda session: session.run_began):
        if total <= MOST_BYTES:
            return
        if session not in present:
            total -= session.size
            session.rest()
            total += session.size


class Cleaner:
    """Gives memory back, in a thread of its own: nobody waits for it."""

    def __init__(self) -> None:
        self._gone: list[Presence] = []
        self._changing = threading.Lock()
        self._is_at_work = False

    def clean_after(self, *gone: Presence) -> None:
        with self._changing:
            self._gone += gone
            if not self._is_at_work:
                self._is_at_work = True
                threading.Thread(target=self._work, name="cleaner", daemon=True).start()

    def _work(self) -> None:
        """Let those who have gone rest, and again where a run that was under way has woken them.

        Their files go too, and those that were still on their way.
        """
        sessions: list[Session] = []
        quiet = 0
        while quiet < LAST_RUNS:
            time.sleep(TOGETHER)
            sessions += self._take()
            woken = [session for session in sessions if session.is_left and session.is_awake]
            is_needed = forget_files_of_who_has_gone() or woken
            quiet = 0 if is_needed else quiet + 1
            if is_needed:
                _clean(woken)
        with self._changing:
            self._is_at_work = bool(self._gone)
        if self._is_at_work:
            self._work()

    def _take(self) -> list[Session]:
        with self._changing:
            gone, self._gone = self._gone, []
        return [session for each in gone for session in each.sessions]


def _clean(sessions: Sequence[Session]) -> None:
    for session in sessions:
        session.rest()
    forget_starts()
    gc.collect()
    give_back()


CLEANER: Final = Cleaner()
