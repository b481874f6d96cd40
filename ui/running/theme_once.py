"""The theme as Streamlit sends it, read from its settings once.

Streamlit sends the theme with each run of a page. To write it, it looks six times through all of
its settings and spells the names of those that are set in another way. That was a seventh of the
processor time of a change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import streamlit as st
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

Fill: TypeAlias = Callable[..., None]


def read_the_theme_once() -> None:
    """From now on. Where Streamlit watches files, settings may change: then nothing is kept."""
    if st.get_option("server.fileWatcherType") == "none":
        app_session._populate_theme_msg = filled_once(app_session._populate_theme_msg)


def filled_once(fill: Fill) -> Fill:
    """The same as a function that fills a message with a section, once for each section."""
    filled: dict[str, CustomThemeConfig] = {}

    def fill_as_before(message: CustomThemeConfig, section: str = "theme") -> None:
        if section not in filled:
            made = CustomThemeConfig()
            fill(made, section)
            filled[section] = made
        message.MergeFrom(filled[section])

    return fill_as_before
