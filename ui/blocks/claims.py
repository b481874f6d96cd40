"""Sentences with a mark that says whether they are true of what is on the page."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final, Literal

import streamlit as st

from mha_core.language import say

NOT_TRUE: Final = say("Not true here")
OF_OTHERS: Final = say("About the example as it was")
TRUE: Final = say("true")
HOLDS: Final = f'<span class="yes" role="img" aria-label="{TRUE}">✓</span>'
FAILS: Final = f'<span class="no" role="img" aria-label="{NOT_TRUE}" title="{NOT_TRUE}">✗</span>'


def show_claims(
    claims: Iterable[tuple[str, bool | None]],
    sentence: str = "",
    unknown: str = OF_OTHERS,
    width: Literal["stretch", "content"] = "stretch",
) -> None:
    """Claims beside each other, below a sentence. None: nobody can say whether it is true.

    `unknown` says why.
    """
    above = f'<p class="shows">{html.escape(sentence)}</p>' if sentence else ""
    items = "".join(_claim(words, holds, unknown) for words, holds in claims)
    st.html(f'{above}<ul class="claims">{items}</ul>', width=width)


def keep_room_of_claims(claims: Iterable[str], sentence: str) -> None:
    """Put a sentence in the place of claims that are gone, so that nothing below moves."""
    unseen = "".join(_claim(words, None) for words in claims)
    st.html(
        f'<p class="shows">{html.escape(sentence)}</p>'
        f'<ul class="claims unseen" aria-hidden="true">{unseen}</ul>'
    )


def _claim(sentence: str, holds: bool | None, unknown: str = OF_OTHERS) -> str:
    words = html.escape(sentence)
    if holds is None:
        why = html.escape(unknown)
        mark = f'<span class="open" role="img" aria-label="{why}" title="{why}">–</span>'
        return f'<li class="of-others">{mark}<span>{words}</span></li>'
    if holds:
        return f"<li>{HOLDS}<span>{words}</span></li>"
    return f"<li>{FAILS}<s>{words}</s></li>"
