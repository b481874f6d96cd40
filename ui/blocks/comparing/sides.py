"""The two sides: which of them the controls change, and how one becomes the other."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mha_core.language import say
from ui.blocks.cell_entries import show_gone
from ui.blocks.layers import which_layer
from ui.blocks.number_editors import number_editors, place_for_editors
from ui.blocks.page_links import Shown, link_to
from ui.blocks.share import share
from ui.blocks.title_line import COMPARE, opens, title_line
from ui.blocks.tours.add_stop import add_to_own_tour
from ui.controls.history import history_buttons, reset_button
from ui.controls.kept_in_tab import keep_in_tab
from ui.controls.markdown import plain
from ui.controls.picture_controls import look_options
from ui.controls.present_button import present_button
from ui.controls.refusal import show_refusal
from ui.controls.sidebar import sidebar
from ui.state import Session, let_come_back, open_as_one_change

SIDE: Final = "side"
PRESENTED: Final = {  # the parts of ui/blocks/presenting/comparison.py
    "beside": say("A, B and B − A"),
    "a": say("A alone"),
    "b": say("B alone"),
    "difference": say("B − A alone"),
}
EXPLORER: Final = "explore.py"


def side_to_change(a: Session, b: Session) -> Session:
    """The side that the controls change: B, until a person picks A."""
    let_come_back(a, a.key(SIDE))
    chosen = st.segmented_control(
        say("Change"), ["A", "B"], default="B", required=True, key=a.key(SIDE)
    )
    return a if chosen == "A" else b


def controls_of_a_side(session: Session) -> None:
    """Its history and all controls of its scenario."""
    with st.container(horizontal=True, gap="xsmall", key=session.key("side-history")):
        history_buttons(session)
        reset_button(session, say("Back to what this side began with"))
    which_layer(session)
    sidebar(session)


def editors_of_a_side(session: Session) -> None:
    """Its numbers, to be edited in a grid, as text or as a file."""
    title = say("Edit the numbers of {side}").format(side=session.name.upper())
    number_editors(session, place_for_editors(session, title))


def heading(a: Session, b: Session) -> None:
    """The title, and what is done to both sides at once."""
    with title_line(a, COMPARE):
        _tools(a, b)
        present_button(a)
    for session in (a, b):
        show_refusal(session, "address")
        show_gone(session)
        keep_in_tab(session)


def _tools(a: Session, b: Session) -> None:
    st.button(
        "B = A",
        on_click=partial(_copy, a, b),
        key=a.key("copy"),
        help=say("Make B the same as A, to change one thing in it"),
    )
    st.button(
        say("Swap"), on_click=partial(_swap, a, b), key=a.key("swap"), help=say("A becomes B, B A")
    )
    opens(a, "view-options", say("View"), look_options)
    opens(a, "share", say("Share"), share)
    opens(a, "to-tour", say("Add to my tour"), partial(add_to_own_tour, parts=PRESENTED))


def _copy(a: Session, b: Session) -> None:
    open_as_one_change((a, a.stack), (b, a.stack))


def _swap(a: Session, b: Session) -> None:
    open_as_one_change((a, b.stack), (b, a.stack))


def side_heading(session: Session, title: str) -> None:
    """Which side this is, what it shows, and the way to the page where it is explored."""
    st.markdown(f"**{session.name.upper()}**  {plain(title)}")
    shown = {"": Shown(session, session.view.without_step())}
    link_to(EXPLORER, say("Explore"), session.key("explore"), shown)


def difference_heading() -> None:
    st.markdown("**B − A**")


def place_for_heading(session: Session, name: str) -> DeltaGenerator:
    """A line above a picture. page.css makes all of them as high."""
    return st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key=session.key(name)
    )
