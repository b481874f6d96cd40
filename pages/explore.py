"""The explorer: edit anything, see every head, share what you see."""

import streamlit as st

from ui import blocks
from ui.controls.sidebar import sidebar
from ui.state import explorer

blocks.style()
side = st.sidebar.container()
top, middle, bottom = st.container(), st.container(), st.container()
with middle:
    blocks.pictures(explorer().scenario)
with top:
    blocks.heading()
    blocks.way_of_the_data()
    blocks.editors()
with side:
    sidebar()
with bottom:
    blocks.about()
