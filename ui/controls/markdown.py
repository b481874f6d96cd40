"""Text that came from a person, in places where Streamlit would read Markdown."""

from __future__ import annotations

import re
from typing import Final

_SIGN: Final = re.compile(r"([!-/:-@\[-`{-~])")

# Streamlit turns these into arrows, dashes, pictures and links after Markdown has been read, when a
# backslash is gone. An invisible word joiner between the letters keeps them apart. A colon before a
# number means nothing there, unless another one follows: the cell in weights/0:1.1 can be copied.
_AFTER_MARKDOWN: Final = re.compile(
    r"(?<=[-<>=~])(?=[-<>=])|(?<=:)(?=[^\W\d]|/|[\w+-]*:)|(?<=@)(?=[\w/])|(?<=www)(?=\.)",
    re.IGNORECASE,
)
_WORD_JOINER: Final = "\N{WORD JOINER}"


def plain(text: str) -> str:
    r"""Markdown that shows this text as it stands, on one line, for labels and messages.

    >>> print(plain("**not bold** <b>"))
    \*\*not bold\*\* \<b\>
    >>> "\N{WORD JOINER}" in plain("such as weights/0:1.1"), "\N{WORD JOINER}" in plain(":100:")
    (False, True)
    """
    on_one_line = " ".join(text.split())
    return _SIGN.sub(r"\\\1", _AFTER_MARKDOWN.sub(_WORD_JOINER, on_one_line))
