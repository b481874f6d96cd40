"""A copied cursor goes its own way from the same place."""

from __future__ import annotations

from copy import deepcopy

import pytest
from streamlit.cursor import RunningCursor
from streamlit.proto.Element_pb2 import Element
from streamlit.testing.v1 import AppTest

from ui.running.cursors import copy_them_as_numbers


@pytest.fixture(autouse=True)
def _for_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunningCursor, "__deepcopy__", None, raising=False)
    copy_them_as_numbers()


def test_it_is_at_the_same_place_and_moves_alone() -> None:
    cursor = RunningCursor(root_container=1, parent_path=(4, 2))
    cursor.lock_element()
    copied = deepcopy(cursor)
    assert copied.delta_path == cursor.delta_path == [1, 4, 2, 1]
    copied.open_block()
    assert (copied.delta_path, cursor.delta_path) == ([1, 4, 2, 2], [1, 4, 2, 1])


def test_what_is_shown_for_a_while_is_kept_by_each() -> None:
    cursor, element = RunningCursor(root_container=0), Element()
    cursor.get_transient_cursor().transient_elements[0] = element
    copied = deepcopy(cursor)
    assert list(copied.transient_elements) == [element]
    copied.lock_element()
    assert (len(copied.transient_elements), len(cursor.transient_elements)) == (0, 1)


def page() -> None:
    import streamlit as st

    @st.fragment
    def part(name: str) -> None:
        st.button(name, key=name)
        with st.container():
            st.text(f"{name} {st.session_state[name]}")

    st.title("Above")
    with st.container():
        part("one")
        part("two")
    st.caption("Below")


def test_a_fragment_writes_where_it_stands() -> None:
    at = AppTest.from_function(page).run()
    at.button(key="two").click().run()
    assert not at.exception
    assert [text.value for text in at.text] == ["one False", "two True"]
    kinds = {"title", "button", "text", "caption"}
    written = [each.type for each in at.main if each.type in kinds]
    assert written == ["title", "button", "text", "button", "text", "caption"]
