"""What slides or a page are made of: the scenario itself, or a tour."""

import streamlit as st

from mha_core.guide.tours import TOURS
from mha_core.language import say
from ui.blocks.tours.own import OWN, keep_own_tour, own_tour_of
from ui.state import Session
from ui.state.tour_stops import tour_on_pages


def chosen_tour(session: Session, label: str, key: str) -> str:
    """The tour that is chosen here, as an address names it; "" for the scenario itself.

    A person with a tour of their own most likely means that one.
    """
    own, running = own_tour_of(OWN), session.view.tour
    titles = {"": say("This scenario")}
    if own:
        titles[own.packed] = say("Your tour: {tour}").format(tour=own.title)
    if running and running not in (*titles, *TOURS):
        says = say("The tour that you take: {tour}")
        titles[running] = says.format(tour=tour_on_pages(running).title)
    titles |= {name: say("Tour: {tour}").format(tour=tour.title) for name, tour in TOURS.items()}
    keep_own_tour(session)
    return st.selectbox(
        label,
        list(titles),
        index=1 if own else 0,
        format_func=titles.__getitem__,
        key=session.key(key),
        persist_state="session",  # it stays chosen after a look at another offer
    )
