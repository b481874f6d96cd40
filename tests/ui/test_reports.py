"""What a callback writes: it is written also where a newer event ends the callback."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException

from ui.reports import note


class BusyState(dict[str, Any]):
    """The state while an event waits: the first that touches it takes the event, and ends."""

    event_waits = True

    def __setitem__(self, key: str, value: Any) -> None:
        if self.event_waits:
            self.event_waits = False
            raise RerunException(RerunData())
        super().__setitem__(key, value)


def test_a_newer_event_waits_until_all_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    state = BusyState()
    monkeypatch.setattr(st, "session_state", state)
    with pytest.raises(RerunException):
        note({"draft": "# Masks", "told": True})
    assert state == {"draft": "# Masks", "told": True}
