"""What a newcomer reads first: what a row means, and what X, the scores and the heads are."""

from __future__ import annotations

from html import escape
from typing import Final

import streamlit as st

from mha_core.language import say
from mha_core.layer.unchanged import without_sinks
from mha_core.reading.lost_rows import lost_rows
from ui.blocks.top import sentence_of, sentence_opened
from ui.controls.closable import closable
from ui.controls.fragment import WORDS, follows_numbers
from ui.state import Session

A_ROW: Final = say(
    "Each row shows how much a word looks at itself and all others; a row adds up to 1"
)
A_ROW_ON_C: Final = say(
    "Each row shows how much a word looks at each word of C; a row adds up to 1"
)
ONE_WORD: Final = say("One word can look only at itself: its weight is 1")
WITH_SINK: Final = say(", together with the share of its head's sink")
UNLESS_HIDDEN: Final = say(", or to 0 where the mask hides every word")
UNLESS_LOST: Final = say(", but not where the softmax overflows")
X_ALONE: Final = say("Each row of X becomes a query, a key and a value in every head.")
X_AND_C: Final = say(
    "Each row of X becomes a query in every head, and each row of C a key and a value."
)
X_AND_C_V: Final = say(
    "Each row of X becomes a query and a key in every head, and each row of C_V a value."
)
X_C_AND_C_V: Final = say(
    "Each row of X becomes a query in every head, each row of C a key, and each row of C_V a value."
)
SCORES: Final = say(
    "Query times key is a score. Softmax turns a row of scores into weights: together they are 1."
)
SCORES_AND_SINK: Final = say(
    "Query times key is a score. Softmax turns a row of scores into weights: together with the "
    "share of the head's sink, which has no value, they are 1."
)
NAME: Final = "first words"  # by which a browser remembers that they are closed
HEADS: Final = say("A head mixes the values by its weights. W_O joins the heads.")


@follows_numbers(WORDS)
def what_a_row_is(session: Session) -> None:
    """The plain sentence, and beside it what the example shows."""
    st.html(f'<p class="a-row">{row_in_words(session)}</p>')


def row_in_words(session: Session) -> str:
    """The same as HTML."""
    trace = session.trace
    unless_hidden = UNLESS_HIDDEN if trace.blind_queries.any() else ""
    if not without_sinks(trace.scenario):
        unless_hidden = WITH_SINK  # which takes all where every word is hidden
    unless_lost = UNLESS_LOST if lost_rows(trace).any() else ""
    is_on_itself = trace.scenario.context is None
    row = A_ROW if is_on_itself else A_ROW_ON_C
    if is_on_itself and trace.scenario.n_q == 1 and not (unless_hidden or unless_lost):
        row = ONE_WORD
    shows = sentence_of(session)
    kept = shows or sentence_opened(session)  # keeps its room: nothing below may move
    unseen = "" if shows else ' class="unseen" aria-hidden="true"'
    also = f" <span{unseen}>{escape(kept)}</span>" if kept else ""
    return f"<strong>{row}{unless_hidden}{unless_lost}.</strong>{also}"


def first_words(session: Session) -> None:
    """Three short sentences. A person who closes them sees them no more.

    They stand in the place that the picture leaves free, else below it.
    """
    closable(NAME, three_sentences(session), session.key("first-words"))


def three_sentences(session: Session) -> tuple[str, str, str]:
    s = session.scenario
    of_x = X_ALONE if s.context is None else X_AND_C
    if s.context_v is not None:
        of_x = X_AND_C_V if s.context is None else X_C_AND_C_V
    scores = SCORES if without_sinks(s) else SCORES_AND_SINK
    return of_x, scores, HEADS
