"""A component of our own: its script, and its styles if it has any, lie beside its module."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st


def own_component(module: str, name: str = "", html: str | None = None) -> Callable[..., Any]:
    """The component of a module, by its `__file__`. Its files are called as the module, or `name`.

    It has no shadow root, in which its script could not reach what stands beside it.
    """
    script = Path(module).with_name(f"{name or Path(module).stem}.js")
    styles = script.with_suffix(".css")
    return st.components.v2.component(
        script.stem,
        html=html,
        css=styles.read_text("utf-8") if styles.exists() else None,
        js=script.read_text("utf-8"),
        isolate_styles=False,
    )
