"""Sentences that a person may close. They stay closed in this browser."""

from __future__ import annotations

from collections.abc import Sequence

from mha_core.language import say
from ui.controls.own_component import own_component


def closable(name: str, sentences: Sequence[str], key: str) -> None:
    """Numbered sentences beside each other. By the `name` the browser remembers them as closed."""
    # As one text: in a list, Streamlit would look for tables, and load pandas for that.
    data = {"name": name, "sentences": "\n".join(sentences), "close": say("Close these sentences")}
    _closable(key=key, data=data)


_closable = own_component(__file__)
