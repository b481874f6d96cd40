"""A text field asks for its own value, not for those of all fields of the page.

Streamlit's text field wants to know whether its value is None. To find out, it makes a dict of the
values of all widgets. Each page has such a field, which nobody sees (see `ask_for_receipt` in
`ui/state/binding.py`): that was a fiftieth of the processor time of a change.
"""

from __future__ import annotations

from types import SimpleNamespace

from streamlit.elements.widgets import text_widgets
from streamlit.runtime.state import get_session_state


def ask_for_their_own_value() -> None:
    """From now on."""
    text_widgets.get_session_state = _state_asked_by_key  # type: ignore[attr-defined, assignment] # imported there; it has less


def _state_asked_by_key() -> SimpleNamespace:
    """The state with all that a text field takes from it: values by their keys."""
    return SimpleNamespace(filtered_state=get_session_state())
