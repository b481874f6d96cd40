"""A file that was made on the server, handed over to the browser at once."""

from __future__ import annotations

from typing import Final

from mha_core.checks.sizes import size_in_words
from mha_core.language import say
from ui.controls.own_component import own_component

LENGTH: Final = 2  # bytes of the length of the name and the words


def hand_over(name: str, content: bytes, key: str) -> None:
    """The browser saves the file as soon as it has come, and keeps a button that saves it again.

    Streamlit's own button for downloads waits for a click, and shows no progress while a file is
    made.
    """
    words = say("{file}, {size}, is saved.").format(file=name, size=size_in_words(len(content)))
    head = "\n".join([name, words, say("Save it again")]).encode()
    _hand_over(key=key, data=len(head).to_bytes(LENGTH, "little") + head + content)


_hand_over = own_component(__file__)
