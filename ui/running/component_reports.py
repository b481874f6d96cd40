"""What a component has reported, as a dict that is only read.

Streamlit makes one that can be written to, and a class for it each time that anybody looks. Nobody
here writes to it. That was a fortieth of the processor time of a change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from streamlit.components.v2.bidi_component import main
from streamlit.runtime.state import SessionState

Present = Callable[[object, SessionState], object]


class Reported(dict[str, Any]):
    """Of one component, by the names of its fields and events."""

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self


def read_them_only() -> None:
    """From now on."""
    main.make_bidi_component_presenter = _with_events_of  # type: ignore[attr-defined, assignment] # imported there


def _with_events_of(aggregator: str, *_: object) -> Present:
    """How a component's fields are shown: with its events of this run, which have a widget."""

    def present(fields: object, state: SessionState) -> object:
        if not isinstance(fields, dict):
            return fields
        return Reported(_events(aggregator, state) | fields)

    return present


def _events(aggregator: str, state: SessionState) -> dict[str, Any]:
    """What was reported for this run alone, by the names of the events."""
    payloads = state._new_widget_state.get(aggregator) or ()
    return {
        event["event"]: event.get("value")
        for event in payloads
        if isinstance(event, dict) and isinstance(event.get("event"), str)
    }
