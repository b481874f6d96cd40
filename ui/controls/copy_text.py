"""A text in a field, with a button that copies it."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from ui.controls.own_component import own_component

WORDS: Final = {"copy": say("Copy"), "copied": say("Copied"), "by_key": say("Press Ctrl + C")}


def copy_text(label: str, text: str, key: str) -> None:
    """Show a text that can be selected, and copied by a button that then says so.

    While there is none, nothing can be copied.
    """
    _copy_text(key=key, data={"label": label, "text": text, **WORDS})


_copy_text = own_component(__file__)
