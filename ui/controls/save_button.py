"""A button that saves a file, which is written when it is asked for, and not before.

A file that is written beforehand is looked for by Streamlit's browser as soon as the button is
shown. When a run has changed it by then, the old one is gone from the server.
"""

from collections.abc import Callable

import streamlit as st


def save_button(
    label: str,
    content: Callable[[], bytes | str],
    file_name: str,
    *,
    key: str,
    mime: str | None = None,
    icon: str | None = None,
    help: str | None = None,
    disabled: bool = False,
) -> None:
    st.download_button(
        label,
        content,
        file_name,
        mime,
        key=key,
        icon=icon,
        help=help,
        disabled=disabled,
        on_click="ignore",
    )
