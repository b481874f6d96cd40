"""What to see in a model that comes as a package, true or not on the text at hand."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import streamlit as st

from mha_core.language import say
from mha_core.survey.sights import SIGHTS, Head, Seen, Sight
from ui.blocks.claims import show_claims
from ui.blocks.real.opening import click
from ui.state.real_layers import RealLayers


def what_to_see(shown: RealLayers) -> None:
    """A line for each sentence, with a button that opens the head of which it speaks."""
    sights = SIGHTS.get(shown.model, ())
    if not sights or shown.read_text is None:
        return
    seen = Seen(shown.read_text.tokens, shown.heads, partial(_next_token, shown))
    st.subheader(say("What to see here"), anchor=False)
    with st.container(gap=None):
        for place, sight in enumerate(sights):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                _line(shown, sight, sight.check(seen), place)


def _next_token(shown: RealLayers, heads_off: Collection[Head]) -> str:
    """The run is made again, and let go: what it holds is too much to be kept for each visitor."""
    return shown.opened.on(shown.text).next_token(heads_off)


def _line(shown: RealLayers, sight: Sight, holds: bool | None, place: int) -> None:
    why = say("Cannot be told here")
    show_claims([(sight.sentence, holds)], unknown=why, width="content")
    if sight.head is not None:
        layer, head = sight.head
        st.button(
            say("Open this head"),
            key=f"real-sight-{place}",
            type="tertiary",
            on_click=lambda: click(shown, layer, head),
        )
