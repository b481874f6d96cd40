"""The button that leads to the first stop of a tour."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from mha_core.language import say, say_number
from ui.state.tour_stops import FILES, TourOnPages

Kind = Literal["primary", "secondary"]


def begin_button(tour: TourOnPages | None, key: str, kind: Kind = "secondary") -> None:
    """Without a tour it is disabled.

    It is no link: the browser sends a text that was typed beside it only after the click. The run
    for that text would then lead back from the page to which the link has led.
    """
    label = _label(len(tour.stops)) if tour else say("Begin")
    if st.button(label, type=kind, key=key, disabled=tour is None) and tour:
        first = tour.stops[0]
        st.switch_page(FILES[first.page], query_params=first.params)


def _label(count: int) -> str:
    says = say_number("Begin: {count} stop", "Begin: {count} stops", count)
    return says.format(count=count)
