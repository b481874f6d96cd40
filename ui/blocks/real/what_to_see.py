"""What to see in a model that comes as a package, true or not on the text at hand."""

from __future__ import annotations

import streamlit as st

from mha_core.language import say
from mha_core.survey.sights import SIGHTS, Seen, Sight
from ui.blocks.claims import show_claims
from ui.blocks.real.opening import click
from ui.state.models_here import ModelOnText
from ui.state.real_layers import RealLayers


def what_to_see(shown: RealLayers) -> None:
    """A line for each sentence, with a button that opens the head of which it speaks."""
    sights = SIGHTS.get(shown.model, ())
    if not sights or shown.on_text is None:
        return
    seen = seen_on(shown.on_text, shown)
    st.subheader(say("What to see here"), anchor=False)
    for place, sight in enumerate(sights):
        with st.container(horizontal=True, vertical_alignment="center"):
            _line(shown, sight, sight.check(seen), place)


def seen_on(text: ModelOnText, shown: RealLayers) -> Seen:
    return Seen(text.text.tokens, shown.heads, text.next_token)


def _line(shown: RealLayers, sight: Sight, holds: bool | None, place: int) -> None:
    show_claims([(sight.sentence, holds)], unknown=say("This text cannot tell"))
    if sight.head is not None:
        layer, head = sight.head
        st.button(
            say("Open this head"),
            key=f"real-sight-{place}",
            type="tertiary",
            on_click=lambda: click(shown, layer, head),
        )
