"""A widget that is new while the values are gone through disturbs nobody."""

from __future__ import annotations

import pytest
from streamlit.runtime.state.session_state import Value, WStates

from ui.running.widget_values import go_through_a_copy


@pytest.fixture(autouse=True)
def _for_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WStates, "__iter__", WStates.__iter__)


def gone_through() -> list[str]:
    """The widgets that a run finds while another adds one to each that it has found."""
    values = WStates({"first": Value(1), "second": Value(2)})
    found = []
    for widget in values:
        found.append(widget)
        values[f"{widget}, new"] = Value(0)
    assert len(values) == 4
    return found


def test_those_that_were_there_are_found() -> None:
    with pytest.raises(RuntimeError, match="changed size"):
        gone_through()
    go_through_a_copy()
    assert gone_through() == ["first", "second"]
