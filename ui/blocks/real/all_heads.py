"""The map of all heads on one text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from mha_core.checks.sizes import size_in_words
from mha_core.language import say, say_number
from mha_core.survey.head_map import HeadsOfLayer, heads_on
from mha_core.survey.measures import NAMES, mean_of_known
from ui.blocks.real.head_tiles import head_tiles
from ui.blocks.real.opening import click
from ui.controls.markdown import plain
from ui.figures.head_tiles import tiles_of
from ui.machine.budget import TURNS
from ui.machine.one_thread import ONE_THREAD
from ui.reports import reported
from ui.state.real_layers import RealLayers
from ui.state.refusals import REFUSES


def all_heads(shown: RealLayers) -> None:
    """Small pictures of all heads, layer by layer or in the order of what they do."""
    line = st.container(horizontal=True, vertical_alignment="center")
    try:
        _read(shown)
    except REFUSES as error:
        st.error(plain(str(error)))
        return
    with line:
        _whole_words(shown)
        _first_token(shown)
        _memory(shown)
    tiles = tiles_of(shown.heads, shown.order)
    places = list(tiles)
    head_tiles("real-heads", list(tiles.values()), lambda place: click(shown, *places[place]))


def _whole_words(shown: RealLayers) -> None:
    """Where a tokenizer has cut words into pieces, a person may want to see whole ones."""
    key = "real-whole-words"
    st.session_state[key] = shown.has_words
    st.toggle(
        say("Whole words"),
        key=key,
        on_change=lambda: shown.see_words(sees=bool(reported(key))),
        help=say(
            "A model may read a word in several pieces. Then a word gets what its pieces get "
            "together, and looks as they do on average."
        ),
    )


def _first_token(shown: RealLayers) -> None:
    """The first token takes most weight of many heads: then the rest is seen only without it."""
    key = "real-without-first"
    st.session_state[key] = not shown.has_first
    st.toggle(
        say("Leave out the first token"),
        key=key,
        on_change=lambda: shown.leave_first_out(leaves=bool(reported(key))),
        help=say(
            "In trained models, a head that has nothing to do often rests on the first token. "
            "Without it, what is left of each row is made 1 again."
        ),
    )
    if shown.has_first and not np.isnan(share := first_share(shown.heads)):
        st.caption(say("It takes {share:.0%} of the weight of all heads here.").format(share=share))


def _memory(shown: RealLayers) -> None:
    """What the weights of all heads of a layer take: layers are computed one after the other."""
    n_bytes = len(shown.heads[0].scores) * shown.tokens**2 * np.dtype(np.float32).itemsize
    says = say_number(
        "{count} token; the weights of a layer take {size}, one layer at a time.",
        "{count} tokens; the weights of a layer take {size}, one layer at a time.",
        shown.tokens,
    )
    st.caption(says.format(count=shown.tokens, size=size_in_words(n_bytes)))


def first_share(layers: Sequence[HeadsOfLayer]) -> float:
    """How much of the weight of all heads goes to the first token; NaN if it cannot be told."""
    of_heads = np.concatenate([layer.scores[:, NAMES.index("first")] for layer in layers])
    return float(mean_of_known(of_heads, axis=-1))


def _read(shown: RealLayers) -> None:
    """Compute the heads that are not known yet. Between two layers, a newer entry is heard."""
    model = shown.opened
    if len(shown.heads) == model.n_layers:
        return
    shown.heads.clear()
    place = st.empty()
    with TURNS.turn(shown.use), ONE_THREAD:
        text = model.on(shown.text)
        shown.tokens = len(text.text)
        words = text.text.words if shown.has_words else ()
        for heads in heads_on(text, has_first=shown.has_first, words=words):
            shown.heads.append(heads)
            count = len(shown.heads)
            says = say("Layer {layer} of {layers}").format(layer=count, layers=model.n_layers)
            place.progress(count / model.n_layers, says)
    place.empty()
