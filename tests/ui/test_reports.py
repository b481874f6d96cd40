"""What a callback writes, where a newer event ends it; what it reads, beside another run."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException

from ui.reports import note, reports


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


class ChangingState:
    """A state that another run changes while it is copied: the first times that it is asked."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)

    def to_dict(self) -> dict[str, Any]:
        if self.errors:
            raise self.errors.pop(0)
        return {"heads": 4}


def test_a_copy_that_fails_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = RuntimeError("dictionary changed size during iteration")
    monkeypatch.setattr(st, "session_state", ChangingState(changed, changed))
    assert reports() == {"heads": 4}


def test_any_other_error_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", ChangingState(RuntimeError("another")))
    with pytest.raises(RuntimeError, match="another"):
        reports()
