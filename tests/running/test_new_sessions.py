"""What Streamlit says at the start of each run is its own, and is written once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner_utils.run_descriptor import RunDescriptor

from ui.running import new_sessions
from ui.running.new_sessions import _written_once, write_them_once

PAGE = {"page_script_hash": "a", "page_name": "compare", "icon": "", "script_path": "compare.py"}


class Visitor(SimpleNamespace):
    """What Streamlit asks of its session for a visitor."""

    _populate_app_pages = AppSession._populate_app_pages


@pytest.fixture
def visitor() -> Any:
    return Visitor(
        id="of a visitor",
        _script_data=SimpleNamespace(name="app", is_hello=False),
        _pages_manager=SimpleNamespace(
            main_script_path="app.py", main_script_hash="b", get_pages=lambda: {"a": PAGE}
        ),
        _run_on_save=False,
        _state=AppSessionState.APP_IS_RUNNING,
        _compute_skills_nudge_state=lambda: (False, ""),
    )


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> Mock:
    counting = Mock(wraps=new_sessions._write)
    monkeypatch.setattr(new_sessions, "_write", counting)
    return counting


def test_each_run_has_its_own_number_and_else_the_same(visitor: Any, writes: Mock) -> None:
    runs = [RunDescriptor("1"), RunDescriptor("2", ("heads", "way")), RunDescriptor("3")]
    said = [_written_once(visitor, "a", run) for run in runs]
    assert writes.call_count == 1
    assert said == [AppSession._create_new_session_message(visitor, "a", run) for run in runs]
    assert said[0].new_session.app_pages[0].url_pathname == "compare"


def become_another_page(visitor: Any) -> ForwardMsg:
    return _written_once(visitor, "b", RunDescriptor("2"))


def come_to_an_end(visitor: Any) -> ForwardMsg:
    visitor._state = AppSessionState.APP_NOT_RUNNING
    return _written_once(visitor, "a", RunDescriptor("2"))


def get_another_page(visitor: Any) -> ForwardMsg:
    return _written_once(visitor, "a", RunDescriptor("2"), {"a": {**PAGE, "page_name": "tours"}})


@pytest.mark.parametrize("change", [become_another_page, come_to_an_end, get_another_page])
def test_what_has_changed_is_written_anew(visitor: Any, writes: Mock, change: Any) -> None:
    first = _written_once(visitor, "a", RunDescriptor("2"))
    assert change(visitor) != first
    assert writes.call_count == 2


@pytest.mark.parametrize("watcher", ["none", "auto"])
def test_nothing_is_kept_where_files_are_watched(
    monkeypatch: pytest.MonkeyPatch, watcher: str
) -> None:
    own = AppSession._create_new_session_message
    monkeypatch.setattr(AppSession, "_create_new_session_message", own)
    monkeypatch.setattr(new_sessions.st, "get_option", {"server.fileWatcherType": watcher}.get)
    write_them_once()
    assert (AppSession._create_new_session_message is own) == (watcher == "auto")
