"""A text field finds its own value, and asks for no other."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import PropertyMock, patch

import pytest
from streamlit.elements.widgets import text_widgets
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest

from ui.running.text_fields import ask_for_their_own_value


@pytest.fixture(autouse=True)
def _for_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_widgets, "get_session_state", text_widgets.get_session_state)
    ask_for_their_own_value()


@pytest.fixture
def all_values() -> Iterator[PropertyMock]:
    with patch.object(SafeSessionState, "filtered_state", new_callable=PropertyMock) as asked:
        yield asked


def page() -> None:
    import streamlit as st

    if "emptied" not in st.session_state:
        st.session_state["emptied"] = None
        st.session_state["set"] = "from the state"
    st.text_input("A", "a default", key="emptied")
    st.text_input("B", key="set")
    st.text_input("C", "another default", key="new")
    st.text_area("D", "a long default")


def test_each_field_shows_its_own_value(all_values: PropertyMock) -> None:
    at = AppTest.from_function(page).run()
    assert not at.exception
    assert [field.value for field in at.text_input] == [None, "from the state", "another default"]
    assert at.text_area[0].value == "a long default"
    all_values.assert_not_called()


def test_what_is_typed_stays() -> None:
    at = AppTest.from_function(page).run()
    at.text_input(key="new").set_value("typed").run()
    at.text_input(key="emptied").set_value("too").run()
    assert [field.value for field in at.text_input] == ["too", "from the state", "typed"]
