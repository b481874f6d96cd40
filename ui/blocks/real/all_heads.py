"""The map of all heads on one text."""

from __future__ import annotations

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.language import say, say_number
from mha_core.survey.head_map import first_share, heads_on
from ui.blocks.real.fields import switch
from ui.blocks.real.head_tiles import head_tiles
from ui.blocks.real.opening import click
from ui.blocks.real.what_to_see import what_to_see
from ui.controls.markdown import plain
from ui.figures.head_tiles import tiles_of
from ui.machine.budget import TURNS
from ui.machine.memory import takes
from ui.machine.one_thread import ONE_THREAD
from ui.state.real_layers import RealLayers
from ui.state.refusals import REFUSES


def all_heads(shown: RealLayers) -> None:
    """Small pictures of all heads, layer by layer or in the order of what they do."""
    line, words = st.container(horizontal=True, vertical_alignment="center"), st.empty()
    try:
        _read(shown, words)
    except REFUSES as error:
        st.error(plain(str(error)))
        return
    with line:
        _whole_words(shown)
        _first_token(shown)
    words.caption(f"{_on_this_text(shown)} {_first_share(shown)}")
    what_to_see(shown)
    tiles = tiles_of(shown.heads, shown.order)
    places = list(tiles)
    head_tiles("real-heads", list(tiles.values()), lambda place: click(shown, *places[place]))


def _whole_words(shown: RealLayers) -> None:
    """Where a tokenizer has cut words into pieces, a person may want to see whole ones."""
    switch(
        "real-whole-words",
        say("Whole words"),
        is_on=shown.has_words,
        take=lambda sees: shown.see_words(sees=sees),
        help=say(
            "A model may read a word in several pieces. Then a word gets what its pieces get "
            "together, and looks as they do on average."
        ),
    )


def _first_token(shown: RealLayers) -> None:
    """The first token takes most weight of many heads: then the rest is seen only without it."""
    switch(
        "real-without-first",
        say("Leave out the first token"),
        is_on=not shown.has_first,
        take=lambda leaves: shown.leave_first_out(leaves=leaves),
        help=say(
            "In trained models, a head that has nothing to do often rests on the first token. "
            "Without it, what is left of each row is made 1 again."
        ),
    )


def _on_this_text(shown: RealLayers) -> str:
    """Known before anything is computed: its tokens, what that takes, and what X is."""
    if shown.read_text is None:
        return ""
    count = shown.read_text.longest
    tokens = say_number("{count} token.", "{count} tokens.", count)
    x = say("X of each layer comes from a run of the whole model on your words.")
    return f"{tokens.format(count=count)} {takes(shown.opened.bytes_for(count))} {x}"


def _first_share(shown: RealLayers) -> str:
    """How much the first token takes; nothing where it is left out, or where that is not known."""
    if not shown.has_first or np.isnan(share := first_share(shown.heads)):
        return ""
    says = say("The first token takes {share:.0%} of the weight of queries that see others too.")
    return says.format(share=share)


def _read(shown: RealLayers, words_about_it: DeltaGenerator) -> None:
    """Compute the heads that are not known yet. Between two layers, a newer entry is heard."""
    model = shown.opened
    if len(shown.heads) == model.n_layers:
        return
    shown.heads.clear()
    place = st.empty()
    with TURNS.turn(shown.use), ONE_THREAD:
        text = model.on(shown.text, shown.of_decoder)
        shown.read_text = text.text
        words_about_it.caption(_on_this_text(shown))
        for heads in heads_on(text, has_first=shown.has_first, has_words=shown.has_words):
            shown.heads.append(heads)
            count = len(shown.heads)
            says = say("Layer {layer} of {layers}").format(layer=count, layers=model.n_layers)
            place.progress(count / model.n_layers, says)
    place.empty()
