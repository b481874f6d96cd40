"""A file that is dropped anywhere on the page goes into the one field that takes such files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import streamlit as st

from mha_core.language import say
from ui.controls.file_field import HasFields

HERE: Final = Path(__file__).parent


def take_dropped_file(of: HasFields, field: str, menu: str = "") -> None:
    """Hand it to this field, which the popover of the key `menu` brings if it is not there yet."""
    where = {
        "menu": f"st-key-{menu}" if menu else "",
        "field": f"st-key-{of.key(field)}",
        "words": say("Drop the file to open it"),
    }
    _drop_file(key=of.key("drop-file"), data=where)


_drop_file: Callable[..., Any] = st.components.v2.component(
    "drop_file",
    js=(HERE / "drop_file.js").read_text("utf-8"),
    css=(HERE / "drop_file.css").read_text("utf-8"),
    isolate_styles=False,
)
