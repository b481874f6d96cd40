"""What people ask first, as links in a row: each leads to the first stop of its tour."""

from __future__ import annotations

import streamlit as st

from mha_core.guide.tours.questions import QUESTIONS
from ui.blocks.tours.bar import params_at
from ui.state import Session
from ui.state.tour_stops import FILES, first_stop


def questions(session: Session) -> None:
    """A link for each; none while a tour is running, where the next stop is the next question.

    A link costs no run of this page. It leads to another page only: none of the tours begins here.
    """
    if session.view.tour:
        return
    with st.container(horizontal=True, gap="xsmall", key=session.key("questions")):
        for tour in QUESTIONS:
            first = first_stop(tour.name)
            st.page_link(
                FILES[first.page], label=tour.title, query_params=params_at(session, first)
            )
