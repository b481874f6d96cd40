"""Nobody is told of a run that ends before it has begun.

A callback may ask for another run than the one that called it: that one is given up. Streamlit
tells the browser of both, in four messages more, and the browser goes through the page for each.
"""

from __future__ import annotations

from typing import Any, Final

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent

_tell = AppSession._on_scriptrunner_event
HELD: Final = "_start_not_told"  # an attribute of a ScriptRunner


def tell_nobody_of_them() -> None:
    """From now on."""
    AppSession._on_scriptrunner_event = _told_with_the_next  # type: ignore[assignment,method-assign]


def _told_with_the_next(
    session: AppSession, sender: ScriptRunner | None, event: ScriptRunnerEvent, **of: Any
) -> None:
    """The start of a run is told together with what comes next, unless that is that it is given up.

    One ScriptRunner sends all its events from one thread.
    """
    if event == ScriptRunnerEvent.SCRIPT_STARTED:
        setattr(sender, HELD, of)
        return
    start = getattr(sender, HELD, None)
    if start is not None:
        setattr(sender, HELD, None)
        if event == ScriptRunnerEvent.SCRIPT_STOPPED_FOR_RERUN:
            return
        _tell(session, sender, ScriptRunnerEvent.SCRIPT_STARTED, **start)
    _tell(session, sender, event, **of)
