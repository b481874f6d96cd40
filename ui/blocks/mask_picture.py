"""The mask as a picture, in which a person draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from mha_core.changing.distances import OF_DISTANCES
from mha_core.language import say
from ui.blocks.cell_entries import ask_about_blocks
from ui.blocks.heads_shown import heads_on_page
from ui.blocks.picture import outline, picture, show
from ui.figures import into_heads, pictures
from ui.figures.figure import Figure
from ui.state import Session

GATED_ADDITIONS: Final = say(
    "Each query multiplies what the head adds, b_S, by its factor f. W_F makes two shares of its "
    "row of X: with a and c, f = 2 − a (1 − c c_F)."
)


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
            _show(session, "additive", alt, pictures.additive_figure, edited=["mask.additive"])
        s = session.scenario
        if s.b_s is not None:  # as T5, BEiT and Swin have them
            alt = say("What each head adds to its scores, a block for each head")
            _show(session, "own additions", alt, pictures.own_additions_figure, edited=["b_s"])
        if s.w_f is not None:  # as in WavLM
            st.caption(GATED_ADDITIONS)
            alt = say("The shares, the factors and what is added, of each head")
            heads = heads_on_page(s, session.view.page)
            _show(session, "gated additions", alt, into_heads.gated_additions_figure, heads)
        if s.sinks is not None:  # as in gpt-oss
            alt = say("The score of the sink of each head")
            _show(session, "sinks", alt, pictures.sinks_figure, edited=["sinks"])
        if s.n_distances:  # as Shaw and Transformer-XL have them
            alt = say("The vectors of distances, a row for each")
            _show(session, "distances", alt, pictures.distances_figure, edited=OF_DISTANCES)


def _show(
    session: Session,
    name: str,
    alt: str,
    make: Callable[..., Figure | None],
    *of: Any,
    edited: Sequence[str] = (),
) -> None:
    """A picture with the words on its numbers below it, and arrays that are edited in it."""
    key = name.replace(" ", "-")
    show(session, key, picture(session, name, alt, make, *of))
    outline(session, key, is_only_place=False)
    ask_about_blocks(session, *edited)
