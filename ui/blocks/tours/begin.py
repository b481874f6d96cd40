"""The button that leads to the first stop of a tour."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from ui.state.tour_stops import FILES, TourOnPages

Kind = Literal["primary", "secondary"]


def begin_button(tour: TourOnPages, key: str, kind: Kind = "secondary") -> None:
    """No link: of a text that is typed beside it, the browser tells the server after the click.

    The run for the text would then lead back from the page to which the link has led.
    """
    first = tour.stops[0]
    if st.button(f"Begin: {len(tour.stops)} stops", type=kind, key=key):
        st.switch_page(FILES[first.page], query_params=first.params)
