"""Texts of HTML are sent as before, and one that comes again is not looked through again."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from streamlit.elements import html
from streamlit.testing.v1 import AppTest

from ui.running.html_texts import look_through_them_once


@pytest.fixture(autouse=True)
def _for_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "clean_text", html.clean_text)
    monkeypatch.setattr(html, "_html_only_style_tags", html._html_only_style_tags)


def page() -> None:
    import streamlit as st

    st.html("  <style>p { color: red; }</style>")
    st.html("<p>A number that changes</p>")
    st.html("\n    <p>One line</p>\n    <p>and the next</p>\n")
    st.button("Again")


def test_they_are_sent_as_before() -> None:
    as_before = [each.proto.body for each in AppTest.from_function(page).run().get("html")]
    look_through_them_once()
    at = AppTest.from_function(page).run()
    assert [each.proto.body for each in at.get("html")] == as_before
    at.button[0].click().run()
    assert [each.proto.body for each in at.get("html")] == as_before


def test_one_that_comes_again_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Mock(wraps=html._html_only_style_tags)
    monkeypatch.setattr(html, "_html_only_style_tags", looks)
    look_through_them_once()
    at = AppTest.from_function(page).run()
    at.button[0].click().run()
    assert looks.call_count == 3
