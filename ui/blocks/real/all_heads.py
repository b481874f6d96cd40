"""The map of all heads on one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import streamlit as st

from mha_core.checks.shapes import FloatArray
from mha_core.checks.sizes import size_in_words
from mha_core.language import say, say_number
from mha_core.survey.head_map import HeadsOfLayer, first_share, heads_on
from mha_core.survey.measures import ENTROPY, NAMES, TITLES, label_of
from ui.blocks.real.head_tiles import Tile, head_tiles
from ui.blocks.real.opening import click
from ui.blocks.real.what_to_see import what_to_see
from ui.controls.markdown import plain
from ui.machine.budget import TURNS
from ui.reports import reported
from ui.state.real_layers import IN_LAYERS, RealLayers
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
    what_to_see(shown)
    places = list(in_order(shown.heads, shown.order))
    tiles = [_tile(shown, *place) for place in places]
    head_tiles("real-heads", tiles, lambda place: click(shown, *places[place]))


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
    tokens = shown.read_text.longest if shown.read_text else 0
    n_bytes = len(shown.heads[0].scores) * tokens**2 * np.dtype(np.float32).itemsize
    says = say_number(
        "{count} token; the weights of a layer take {size}, one layer at a time.",
        "{count} tokens; the weights of a layer take {size}, one layer at a time.",
        tokens,
    )
    st.caption(says.format(count=tokens, size=size_in_words(n_bytes)))


def _read(shown: RealLayers) -> None:
    """Compute the heads that are not known yet. Between two layers, a newer entry is heard."""
    model = shown.opened
    if len(shown.heads) == model.n_layers:
        return
    shown.heads.clear()
    place = st.empty()
    with TURNS.turn(shown.use):
        text = model.on(shown.text, shown.of_decoder)
        shown.read_text = text.text
        for heads in heads_on(text, has_first=shown.has_first, has_words=shown.has_words):
            shown.heads.append(heads)
            count = len(shown.heads)
            says = say("Layer {layer} of {layers}").format(layer=count, layers=model.n_layers)
            place.progress(count / model.n_layers, says)
    place.empty()


def in_order(layers: Sequence[HeadsOfLayer], order: str) -> Iterator[tuple[int, int]]:
    """The layer and the number of each head, both counted from 0."""
    every = [(n, head) for n, layer in enumerate(layers) for head in range(len(layer.scores))]
    if order == IN_LAYERS:
        yield from every
        return
    of = NAMES.index(order)
    yield from sorted(every, key=lambda at: -np.nan_to_num(layers[at[0]].scores[at[1], of], nan=-1))


def _tile(shown: RealLayers, layer: int, head: int) -> Tile:
    scores = shown.heads[layer].scores[head]
    is_grouped = shown.order == IN_LAYERS
    title = say("Head {head}") if is_grouped else say("{layer}, head {head}")
    name = shown.opened.layer_name(layer)
    return Tile(
        group=name if is_grouped else "",
        title=title.format(layer=name, head=head + 1),
        label=label_of(scores),
        says=_small_words(scores, shown.order),
        spoken=say("{layer}, head {head}: {says}").format(
            layer=name, head=head + 1, says=in_words(scores)
        ),
        small=shown.heads[layer].small[head],
    )


def _small_words(scores: FloatArray, order: str) -> str:
    """The number that the heads are sorted by, or what the head does most, and its entropy."""
    label = label_of(scores)
    name = order if order != IN_LAYERS else label if label in NAMES else ENTROPY
    share = scores[NAMES.index(name)]
    if np.isnan(share):
        return say("cannot be told here")
    if name == label:
        return say("{share:.2f}, entropy {entropy:.2f}").format(share=share, entropy=scores[-1])
    return f"{TITLES[name]} {share:.2f}"


def in_words(scores: FloatArray) -> str:
    """All that is known of a head, the largest share first.

    >>> in_words(np.array([np.nan, np.nan, 0.9, 0, 0, 0.1, 0, 0.2]))
    'Previous token 0.90, Entropy 0.20, First token 0.10'
    """
    known = [(s, n) for s, n in zip(scores, NAMES, strict=True) if not np.isnan(s) and s >= 0.005]
    known.sort(key=lambda each: -each[0])
    return ", ".join(f"{TITLES[name]} {share:.2f}" for share, name in known)
