"""What a newcomer reads first: what a row means, and what X, the scores and the heads are."""

from __future__ import annotations

from html import escape
from typing import Final

import streamlit as st

from ui.blocks.top import sentence_of, sentence_opened
from ui.controls.closable import closable
from ui.controls.fragment import WORDS, follows_numbers
from ui.state import Session

A_ROW: Final = "Each row shows how much a word looks at every other word; a row adds up to 1."
A_ROW_OR_NONE: Final = (
    "Each row shows how much a word looks at every other word; a row adds up to 1, or to 0 where "
    "the mask hides every word."
)
FIRST_WORDS: Final = (
    "Each row of X becomes a query, a key and a value in every head.",
    "Query times key is a score. Softmax turns a row of scores into weights: together they are 1.",
    "A head mixes the values by its weights. W_O joins the heads.",
)


@follows_numbers(WORDS)
def what_a_row_is(session: Session) -> None:
    """The plain sentence, and beside it what the example shows."""
    st.html(f'<p class="a-row">{row_in_words(session)}</p>')


def row_in_words(session: Session) -> str:
    """The same as HTML."""
    says = A_ROW_OR_NONE if session.trace.blind_queries.any() else A_ROW
    shows = sentence_of(session)
    kept = shows or sentence_opened(session)  # its room: what stands below must not move
    unseen = "" if shows else ' class="unseen" aria-hidden="true"'
    also = f" <span{unseen}>{escape(kept)}</span>" if kept else ""
    return f"<strong>{says}</strong>{also}"


def first_words(session: Session) -> None:
    """Three short sentences below the picture. Who closes them does not see them again."""
    closable("first words", FIRST_WORDS, session.key("first-words"))
