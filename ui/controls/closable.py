"""Sentences that a person may close. They stay closed in this browser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st

from mha_core.language import say

HERE: Final = Path(__file__).parent


def closable(name: str, sentences: Sequence[str], key: str) -> None:
    """Numbered sentences beside each other. By the `name` the browser remembers them as closed."""
    # As one text: in a list, Streamlit would look for tables, and load pandas for that.
    data = {"name": name, "sentences": "\n".join(sentences), "close": say("Close these sentences")}
    _closable(key=key, data=data)


_closable: Callable[..., Any] = st.components.v2.component(
    "closable",
    js=(HERE / "closable.js").read_text("utf-8"),
    css=(HERE / "closable.css").read_text("utf-8"),
    isolate_styles=False,
)
