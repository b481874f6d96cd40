"""A page with everything of two sessions, side by side, and one address for both."""

import streamlit as st

from ui import blocks
from ui.controls.sidebar import sidebar
from ui.state import ask_for_receipt, keep_address, open_sessions

left, right = open_sessions("", "b")
if not st.session_state.get("no address"):
    keep_address(left, right)

blocks.style(left, right)
for session, place in zip((left, right), st.columns(2), strict=True):
    with place:
        blocks.heading(session)
        with blocks.place_for_way(session):
            blocks.way_of_the_data(session)
        blocks.heads(session)
        blocks.after_weights(session)
        blocks.sleep_while_pictures_are_painted(session)
        blocks.number_editors(session, blocks.place_for_editors(session))
        blocks.readings(session)
        sidebar(session)
        blocks.about(session)
        blocks.cell_entries(session)
ask_for_receipt(left, right)
