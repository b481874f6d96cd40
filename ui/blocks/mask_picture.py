"""The mask as a picture, in which a person draws."""

from __future__ import annotations

import streamlit as st

from mha_core.changing.distances import OF_DISTANCES
from mha_core.language import say
from ui.blocks.cell_entries import ask_about_blocks
from ui.blocks.heads_shown import heads_on_page
from ui.blocks.picture import outline, picture, show
from ui.figures import into_heads, pictures
from ui.state import Session


def mask_picture(session: Session) -> None:
    """The mask as it is, an editor like the others: a press on a cell hides it or shows it."""
    if "editors" in session.view.hide:
        return
    place = st.expander(say("Draw the mask"), key=session.key("mask-picture"), on_change="rerun")
    if not place.open:
        return
    with place:
        st.caption(
            say(
                "Click a cell of the mask to hide that key from that query, or drag "
                "over several. Click again to show it. In any picture of scores or "
                "weights, the mask pen, Ctrl or M does the same. The additive mask is "
                "added to the scaled scores of every head; -inf in it hides a key."
            )
        )
        left, right = st.columns(2)
        with left:
            alt = say("The mask, query rows and key columns")
            shown = picture(session, "mask", alt, pictures.mask_figure)
            show(session, "mask", shown, can_be_picked=False)
        with right, st.container(gap=None, key=session.key("additive-place")):
            alt = say("The additive mask, query rows and key columns")
            make = pictures.additive_figure
            show(session, "additive", picture(session, "additive", alt, make))
            outline(session, "additive", is_only_place=False)
            ask_about_blocks(session, "mask.additive")
        if session.scenario.b_s is not None:
            _own_additions(session)
            if session.scenario.w_f is not None:
                _gated_additions(session)
        if session.scenario.sinks is not None:
            _sinks(session)
        if session.scenario.n_distances:
            _distances(session)


def _own_additions(session: Session) -> None:
    """What each head adds to its own scores, as T5, BEiT and Swin do."""
    alt = say("What each head adds to its scores, a block for each head")
    shown = picture(session, "own additions", alt, pictures.own_additions_figure)
    show(session, "own-additions", shown)
    outline(session, "own-additions", is_only_place=False)
    ask_about_blocks(session, "b_s")


def _gated_additions(session: Session) -> None:
    """By what each query multiplies what its head adds, as WavLM does."""
    st.caption(
        say(
            "Each query multiplies what the head adds, b_S, by its factor f. W_F makes two shares "
            "of its row of X: with a and c, f = 2 − a (1 − c c_F)."
        )
    )
    alt = say("The shares, the factors and what is added, of each head")
    heads = heads_on_page(session.scenario, session.view.page)
    shown = picture(session, "gated additions", alt, into_heads.gated_additions_figure, heads)
    show(session, "gated-additions", shown)
    outline(session, "gated-additions", is_only_place=False)


def _distances(session: Session) -> None:
    """The vectors of relative positions, as Shaw and Transformer-XL have them."""
    alt = say("The vectors of distances, a row for each")
    show(session, "distances", picture(session, "distances", alt, pictures.distances_figure))
    outline(session, "distances", is_only_place=False)
    for name in OF_DISTANCES:
        ask_about_blocks(session, name)


def _sinks(session: Session) -> None:
    """The score of each head's sink, as gpt-oss has them."""
    alt = say("The score of the sink of each head")
    show(session, "sinks", picture(session, "sinks", alt, pictures.sinks_figure))
    outline(session, "sinks", is_only_place=False)
    ask_about_blocks(session, "sinks")
