"""A page, or a part of one, that runs without a browser."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import CodeType
from typing import Any, Self
from unittest.mock import patch

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from mha_core import Scenario, Stack
from ui.reports import note
from ui.state import Session, View


class RunningPage:
    """One visitor's page. Whatever is done there, no exception is met, and no report is lost."""

    def __init__(self, at: AppTest, **state: Any) -> None:
        self.at = at
        for key, value in state.items():
            at.session_state[key] = value
        self.run()

    def run(self) -> Self:
        with no_callback_gives_way():
            self.at.run()
        assert not self.at.exception, [error.message for error in self.at.exception]
        return self

    def press(self, label: str) -> Self:
        next(button for button in self.at.button if button.label == label).click()
        return self.run()

    @property
    def session(self) -> Session:
        session: Session = self.at.session_state["session"]
        return session

    @property
    def scenario(self) -> Scenario:
        return self.session.scenario

    @property
    def stack(self) -> Stack:
        return self.session.stack

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def address(self) -> dict[str, str]:
        params = self.at.query_params
        return {name: v if isinstance(v, str) else v[-1] for name, v in params.items()}

    @property
    def buttons(self) -> list[str]:
        return [button.label for button in self.at.button]


@contextmanager
def cheap_runs() -> Iterator[None]:
    """AppTest does for each run what a server does once, and asks every millisecond for the end.

    It reads what every installed package says of itself, which takes two thirds of a page's time,
    compiles the page, and makes a mock of a whole server. None of it changes while tests run.
    """
    scan = manifest_scanner.scan_component_manifests
    compiled = ScriptCache()
    with (
        patch.object(manifest_scanner, scan.__name__, cache(scan)),
        patch.object(app_test, "MagicMock", _NoServer),
        patch.object(app_test, "ScriptCache", lambda: compiled),
        patch.object(local_script_runner, "ScriptCache", lambda: compiled),
        patch.object(local_script_runner, "require_widgets_deltas", _wait_for_its_end),
    ):
        yield


@pytest.fixture(autouse=True, scope="session")
def runs_are_cheap() -> Iterator[None]:
    """The folders whose tests run pages name it in their conftest.py."""
    with cheap_runs():
        yield


class _NoServer:
    """What a page asks of a server, where none runs: AppTest gives it the stores of files."""

    uploaded_file_mgr = None  # no file comes by upload

    def __init__(self, spec: object) -> None:
        """It is called as a mock is."""

    def get_client(self, session: str) -> None:
        """No browser is connected, so there are no headers."""

    def is_active_session(self, session: str) -> bool:
        return True


def _wait_for_its_end(runner: LocalScriptRunner, timeout: float) -> None:
    assert runner._script_thread
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        raise TimeoutError(f"A page was not done in {timeout} s.")


def _codes_that_call() -> Iterator[CodeType]:
    frame = inspect.currentframe()
    while frame := frame and frame.f_back:
        yield frame.f_code


@contextmanager
def no_callback_gives_way() -> Iterator[None]:
    """Refuse what loses reports when people are quick: see ui/reports.py."""
    call_back, read = SessionState._call_callbacks, SafeSessionState.__getitem__
    write, remove = SafeSessionState.__setitem__, SafeSessionState.__delitem__
    calling = threading.Event()

    def watched_call(*args: Any, **options: Any) -> None:
        calling.set()
        try:
            call_back(*args, **options)
        finally:
            calling.clear()

    def watched_read(state: SafeSessionState, key: str) -> Any:
        assert not calling.is_set(), f"A callback reads {key} where it gives way to newer events."
        return read(state, key)

    def watched_write(state: SafeSessionState, key: str, value: Any) -> None:
        noted = not calling.is_set() or note.__code__ in _codes_that_call()
        assert noted, f"A callback writes {key} and may be ended before."
        write(state, key, value)

    def watched_removal(state: SafeSessionState, key: str) -> None:
        assert not calling.is_set(), f"A callback removes {key} and may be ended before."
        remove(state, key)

    with (
        patch.object(SessionState, "_call_callbacks", watched_call),
        patch.object(SafeSessionState, "__getitem__", watched_read),
        patch.object(SafeSessionState, "__setitem__", watched_write),
        patch.object(SafeSessionState, "__delitem__", watched_removal),
    ):
        yield


class RunningPart(RunningPage):
    """A part of the page by itself, with the scenario that it is given."""

    def __init__(
        self,
        script: Callable[..., None],
        *args: Any,
        scenario: Scenario,
        view: View | None = None,
        **state: Any,
    ) -> None:
        at = AppTest.from_function(script, args=args, default_timeout=60)
        super().__init__(at, session=Session(scenario, view), **state)


def undo(session: Session) -> None:
    """What the button does in a browser. It is our own, and AppTest cannot press it."""
    session.step_to(session.history.at - 1)


def redo(session: Session) -> None:
    session.step_to(session.history.at + 1)
