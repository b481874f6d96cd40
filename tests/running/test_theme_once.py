"""The theme is read from the settings once, and is the same as Streamlit's own."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from tests.serving import ROOT
from ui.running.theme_once import filled_once, read_the_theme_once

SECTIONS = ["theme", "theme.light", "theme.dark", "theme.sidebar", "theme.dark.sidebar"]
STREAMLITS_OWN = app_session._populate_theme_msg


@pytest.fixture(autouse=True)
def settings_of_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    config.get_config_options(force_reparse=True)
    monkeypatch.setattr(app_session, "_populate_theme_msg", STREAMLITS_OWN)


def filled(fill: object, section: str) -> CustomThemeConfig:
    message = CustomThemeConfig()
    assert callable(fill)
    fill(message, section)
    return message


@pytest.mark.parametrize("section", SECTIONS)
def test_it_is_streamlits_own_each_time(section: str) -> None:
    own = filled(STREAMLITS_OWN, section)
    once = filled_once(STREAMLITS_OWN)
    assert own.ByteSize() > 0
    assert filled(once, section) == filled(once, section) == own


def test_the_settings_are_asked_once() -> None:
    asked: list[str] = []
    once = filled_once(lambda message, section: asked.append(section))
    for section in SECTIONS * 2:
        filled(once, section)
    assert asked == SECTIONS


def test_what_stands_in_the_message_stays() -> None:
    message = CustomThemeConfig()
    message.light.primary_color = "red"
    filled_once(STREAMLITS_OWN)(message)
    assert message.light.primary_color == "red"


@pytest.mark.parametrize(("watcher", "is_kept"), [("none", True), ("auto", False)])
def test_who_watches_files_gets_changed_settings(
    monkeypatch: pytest.MonkeyPatch, watcher: str, is_kept: bool
) -> None:
    monkeypatch.setattr(st, "get_option", lambda name: watcher)
    read_the_theme_once()
    assert (app_session._populate_theme_msg is not STREAMLITS_OWN) == is_kept
