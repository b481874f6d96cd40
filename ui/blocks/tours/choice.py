"""Which tours there are: each with a sentence, and a link to its first stop."""

from __future__ import annotations

from functools import partial

import streamlit as st

from mha_core.guide.tours import TOURS
from mha_core.language import say
from ui.blocks.tours.begin import begin_button
from ui.blocks.tours.own import ANCHOR, take_as_text
from ui.controls.markdown import plain
from ui.controls.refusal import show_refusal
from ui.state import Session
from ui.state.tour_stops import tour_on_pages


def heading(session: Session) -> None:
    """What a tour is, below what is wrong with the address."""
    st.title(say("Tours"), anchor=False)
    show_refusal(session, "address")
    st.markdown(
        say(
            "A tour leads from stop to stop. At each stop you can change any number, and "
            "ask where it comes from. Or [write one of your own]({link})."
        ).format(link=f"#{ANCHOR}")
    )


def our_tours(session: Session) -> None:
    """A card for each tour."""
    with st.container(horizontal=True, gap="small", key=session.key("tours")):
        for name in TOURS:
            _card(session, name)


def _card(session: Session, name: str) -> None:
    tour = TOURS[name]
    with st.container(border=True, width=300, gap="xsmall", key=session.key(f"tour-{name}")):
        st.html(f'<h2 class="title">{tour.title}</h2>')
        st.markdown(plain(tour.about))
        with st.container(horizontal=True, vertical_alignment="center"):
            begin_button(tour_on_pages(name), session.key(f"begin-{name}"))
            st.button(
                say("Change a copy of it"),
                on_click=partial(take_as_text, session, name),
                key=session.key(f"change-{name}"),
                type="tertiary",
            )
