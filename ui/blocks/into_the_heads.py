"""The way into the heads: X, the projections, and the queries, keys and values that they make."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer

from mha_core import Scenario, Trace
from ui.blocks.cell_entries import ask_about_blocks, how_to_edit
from ui.blocks.heads_picture import GIVEN_BESIDE, shows_x
from ui.blocks.picture import outline, picture, show
from ui.controls.fragment import PICTURES, follows_numbers, leave_to_whole_page
from ui.controls.markdown import plain
from ui.figures import into_heads
from ui.state import Session, bound_fold

# What a person gives, of what the picture shows.
GIVEN_HERE: Final = ("x", "context", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v")


def place_for_into(session: Session) -> ExpanderContainer:
    """Where the way into the heads stands: folded until somebody opens it, as the address says."""
    return st.expander("**Into the heads**", type="compact", **bound_fold(session, "into"))


def into_the_heads(session: Session, place: ExpanderContainer) -> None:
    """The way into the heads, in its place."""
    if place.open:
        with place:
            _picture(session)


@follows_numbers(PICTURES)
def _picture(session: Session) -> None:
    """A pick of a cell runs only this fragment."""
    leave_to_whole_page(session)
    st.caption(plain(_sentence(session.scenario)) + how_to_edit(session))
    alt = "X, the projections, and the queries, keys and values"
    show(session, "into", picture(session, "into the heads", alt, into_heads.into_heads_figure))
    asked_above = GIVEN_BESIDE if shows_x(session) else ()
    ask_about_blocks(session, *(name for name in GIVEN_HERE if name not in asked_above))
    outline(session, "into", is_only_place=False)
    session.conversation.write_address()


def _sentence(s: Scenario) -> str:
    """What is multiplied by what, and where the product stands."""
    made = ", ".join(f"{step.symbol} = {step.formula(s)}" for step in (Trace.q, Trace.k, Trace.v))
    where = "Each product stands below its projection and, where there is room, beside its input."
    return f"{made}. {where}"
