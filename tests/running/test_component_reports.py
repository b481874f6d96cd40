"""What a component reports is read as Streamlit would show it."""

from __future__ import annotations

import json
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.components.v2.bidi_component import main
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from ui.running.component_reports import Reported, read_them_only

EVENTS = "the events of the component"


def state_with(reported: object) -> SessionState:
    """A state in which a browser has reported these events."""
    state = SessionState()
    state._new_widget_state.set_widget_from_proto(
        WidgetState(id=EVENTS, json_trigger_value=json.dumps(reported))
    )
    state._new_widget_state.set_widget_metadata(
        WidgetMetadata(EVENTS, json.loads, json.dumps, value_type="json_trigger_value")
    )
    return state


@pytest.fixture(autouse=True)
def _for_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "make_bidi_component_presenter", make_bidi_component_presenter)


@pytest.mark.parametrize("fields", [{}, {"entered": [1, 2]}, {"press": "a field"}, None, "text"])
@pytest.mark.parametrize(
    "events",
    [
        [],
        [{"event": "press", "value": {"at": 3}}],
        [{"event": "press", "value": 1}, {"event": "press", "value": 2}, {"event": "go"}],
        ["no event", {"event": 7, "value": 1}, {"event": "go", "value": 2}],
    ],
)
def test_it_is_shown_as_streamlit_shows_it(fields: Any, events: Any) -> None:
    state = state_with(events)
    as_streamlit = main.make_bidi_component_presenter(EVENTS)(fields, state)
    read_them_only()
    assert main.make_bidi_component_presenter(EVENTS)(fields, state) == as_streamlit


def test_without_events_the_fields_are_left() -> None:
    read_them_only()
    shown = main.make_bidi_component_presenter(EVENTS)({"entered": [1]}, SessionState())
    assert shown == {"entered": [1]}


def test_a_copy_is_the_same_as_nobody_writes_to_it() -> None:
    reported = Reported(entered=[SimpleNamespace()])
    assert deepcopy(reported) is reported
