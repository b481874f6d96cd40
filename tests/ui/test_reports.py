"""What a callback writes, where a newer event ends it; what it reads, beside another run."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import RerunData, RerunException

from ui import reports as reports_module
from ui.reports import again_if_changed, just_reported, note, reports


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


def test_a_state_is_looked_through_though_another_run_adds_to_it_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    widgets, found = {"first": 1, "second": 2}, []

    class State:
        def to_dict(self) -> dict[str, int]:
            for widget in widgets:
                found.append(widget)
                widgets.setdefault("of another run", 3)
            return widgets

    monkeypatch.setattr(st, "session_state", State())
    assert reports() == widgets
    assert found == ["first", "first", "second", "of another run"]


def test_another_error_is_told() -> None:
    def look() -> None:
        raise RuntimeError("another one")

    with pytest.raises(RuntimeError, match="another one"):
        again_if_changed(look)()


class Keys(dict[str, str]):
    get_id_from_key = dict.get


class Values(dict[str, Any]):
    """What an event says, by the ids of widgets."""

    @property
    def states(self) -> dict[str, Any]:
        return self


def test_a_value_that_was_told_is_not_one_that_the_browser_has_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Streamlit itself gives for both the value that the server has set."""
    said = Values({"id of heads": 4})
    inside = SimpleNamespace(_key_id_mapper=Keys(heads="id of heads", told="id of told"))
    inside._new_widget_state = said
    monkeypatch.setattr(reports_module, "get_session_state", lambda: SimpleNamespace(_state=inside))
    monkeypatch.setattr(st, "session_state", {"heads": 4, "told": 7})
    assert [just_reported(key) for key in ("heads", "told", "unknown")] == [4, None, None]


def test_where_streamlit_keeps_it_elsewhere_its_value_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reports_module, "get_session_state", SimpleNamespace)
    monkeypatch.setattr(st, "session_state", SimpleNamespace(to_dict=lambda: {"heads": 4}))
    assert just_reported("heads") == 4
