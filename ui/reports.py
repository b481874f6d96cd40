"""What a browser reports, for the callbacks that hear of it.

Streamlit gives way to a newer event whenever code touches `st.session_state`. In a callback that
loses the report: the callback ends there, and nobody is told of it again. So callbacks read here,
where nothing gives way, and write here, where it is written before anything gives way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException
from streamlit.runtime.state import get_session_state

if TYPE_CHECKING:
    from streamlit.runtime.state.session_state import WStates


def again_if_changed(look: Callable[..., Any]) -> Callable[..., Any]:
    """What a run looks through, another run of the same visitor may change meanwhile.

    Streamlit begins a run while the one before is being stopped, and each has a lock of its own.
    Python gives up in the middle. Looking again does no harm.
    """

    def until_done(*args: Any) -> Any:
        while True:
            try:
                return look(*args)
            except RuntimeError as error:
                if "changed size during iteration" not in str(error):
                    raise

    return until_done


def reports() -> Mapping[str, Any]:
    """The values of all widgets, by their keys, as the browser reports them."""
    values: Mapping[str, Any] = again_if_changed(st.session_state.to_dict)()
    return values


def just_reported(key: str) -> Any:
    """What the event that is answered says of a widget; None where it says nothing.

    Then the widget's value is an older one, or what the server has set and the browser may not have
    yet. Streamlit knows it, but does not tell: another release may keep it elsewhere.
    """
    try:
        widget, said = _said_of(key)
        return said[widget] if widget in said.states else None
    except AttributeError:
        return reported(key)


def is_reported(key: str) -> bool:
    """Whether the event that is answered says anything of a widget. One that is shown always does.

    Where Streamlit keeps it elsewhere, all are taken to be reported.
    """
    try:
        widget, said = _said_of(key)
        return widget in said.states
    except AttributeError:
        return True


def _said_of(key: str) -> tuple[str, WStates]:
    state = get_session_state()._state
    return state._key_id_mapper.get_id_from_key(key, "") or "", state._new_widget_state


def reported(key: str, field: str = "") -> Any:
    """The value of a widget, or one `field` of it; None where there is none."""
    value = reports().get(key)
    return (value or {}).get(field) if field else value


def run_the_page() -> None:
    """A callback that does nothing else: the run that follows answers what was reported."""


def note(values: Mapping[str, Any]) -> None:
    """Write to the state, as the last thing that a callback does.

    Where a newer event waits, the first attempt takes it and writes nothing; the second one writes.
    """
    try:
        for key, value in values.items():
            st.session_state[key] = value
    except RerunException:
        note(values)
        raise
