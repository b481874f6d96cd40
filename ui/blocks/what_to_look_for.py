"""What to look for: a sentence on each head, and what the present setting does."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.language import say
from mha_core.reading.head_orders import grouped, listed_heads
from mha_core.reading.metrics import output_change
from mha_core.reading.sentences import change_sentence
from mha_core.reading.setting_notes import setting_notes
from ui.blocks.heads_shown import order_control, ordered_heads, readings_of
from ui.controls.fragment import WORDS, follows_numbers
from ui.controls.markdown import plain
from ui.figures.overview import has_many
from ui.state import Session
from ui.theme import head_color

PALE: Final = 0.25  # a largest weight that leaves most of the colours from 0 to 1 unused
FEW: Final = 3  # heads that are worth sorting
TITLE: Final = say("What to look for")
TITLE_IN_HTML: Final = f'<p class="title">{TITLE}</p>'
PALE_NOTE: Final = say(
    "No weight is above {weight:.2f}, so the colours are pale. For stronger colours, untick “One "
    "colour scale for all heads” under View."
)


def place_for_words(session: Session) -> DeltaGenerator:
    """Where the words about the heads stand, below their picture."""
    return st.container(key=session.key("words"))


def readings(session: Session) -> None:
    """What each head does, computed from its weights; then the notes on the setting."""
    is_sorted_above = has_many(session.scenario) and session.view.shows("heads")
    if session.scenario.n_heads < FEW or is_sorted_above:
        _sentences(session, TITLE_IN_HTML)
    else:
        st.html(TITLE_IN_HTML)
        order_control(session)
        _sentences(session)


@follows_numbers(WORDS)
def _sentences(session: Session, title: str = "") -> None:
    st.html(f"{title}{_list_of_heads(session)}")
    _notes(session)


def _list_of_heads(session: Session) -> str:
    """A sentence for each head; equal heads share one. Sorted by effect, each has its own."""
    said, heads = readings_of(session), ordered_heads(session)
    if session.view.order == "effect":
        items = [_item(said[head].sentence, [head], _effect(session, head)) for head in heads]
    else:
        items = [_item(reading.sentence, alike) for reading, alike in grouped(heads, said)]
    return f'<ul class="readings" tabindex="0" aria-label="{TITLE}">{"".join(items)}</ul>'


def _item(sentence: str, heads: Sequence[int], effect: str = "") -> str:
    return (
        f'<li style="--head: {head_color(heads[0])}"><strong>{listed_heads(heads)}</strong>'
        f"{html.escape(f'{sentence} {effect}'.strip())}</li>"
    )


def _effect(session: Session, head: int) -> str:
    change = output_change(session.trace, without=[head])
    return say("Without it, {change}.").format(change=change_sentence(session.trace, change))


def _notes(session: Session) -> None:
    notes = [*session.make_once_for_all("notes", lambda: setting_notes(session.trace))]
    largest = session.make_once_for_all("largest", lambda: session.trace.weights.max())
    if session.view.shared_scale and largest < PALE and not has_many(session.scenario):
        notes.append(PALE_NOTE.format(weight=largest))
    if notes:
        st.caption("\n\n".join(map(plain, notes)))
