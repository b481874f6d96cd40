"""Nobody is told of a run that ends before it has begun.

A callback may ask for another run than the one that called it: that one is given up. Streamlit
tells the browser of both, in four messages more, and the browser goes through the page for each.
"""

from __future__ import annotations

import threading
from typing import Any, Final

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

SOON: Final = 0.1  # seconds: if a callback takes longer, the browser says meanwhile that it works
START: Final = "_start_to_tell"  # an attribute of a ScriptRunner

_tell = AppSession._on_scriptrunner_event


def tell_nobody_of_them() -> None:
    """From now on."""
    AppSession._on_scriptrunner_event = _told_with_the_next  # type: ignore[assignment,method-assign]


class _Start:
    """The start of a run, which is told once, or taken back."""

    def __init__(self, session: AppSession, sender: ScriptRunner | None, of: Any) -> None:
        self._session, self._sender, self._of = session, sender, of
        self._is_open = True
        self._telling = threading.Lock()

    def tell(self) -> None:
        """What comes next waits for it, as it may be told from another thread."""
        with self._telling:
            if self._is_open:
                self._is_open = False
                _tell(self._session, self._sender, ScriptRunnerEvent.SCRIPT_STARTED, **self._of)

    def tell_soon(self) -> None:
        self._session._event_loop.call_later(SOON, self.tell)

    def take_back(self) -> bool:
        """Whether it was not told, and never will be."""
        with self._telling:
            was_open, self._is_open = self._is_open, False
            return was_open


def _told_with_the_next(
    session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **of: Any
) -> None:
    """The start of a run is told with what comes next, unless that is that it is given up."""
    if event == ScriptRunnerEvent.SCRIPT_STARTED:
        start = _Start(session, sender, of)
        setattr(sender, START, start)
        session._call_soon_on_event_loop(start.tell_soon)
        return
    before: _Start | None = getattr(sender, START, None)
    if before:
        if event == ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN and before.take_back():
            return
        before.tell()
    _tell(session, sender, event, **of)
