"""The values of the widgets, gone through as they are at that moment.

Streamlit begins a run while the one before it is being stopped. Where that one put a widget on the
page for the first time while the new one looked for what has changed, Python gave up, and the new
run ended with an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from streamlit.runtime.state.session_state import WStates


def go_through_a_copy() -> None:
    """From now on."""
    WStates.__iter__ = _of_a_copy  # type: ignore[method-assign] # it is the same but for that


def _of_a_copy(values: WStates) -> Iterator[str]:
    return iter(list(values.states))  # made at once: no other thread comes between
