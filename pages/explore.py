"""The explorer: edit anything, see every head, share what you see.

The pictures go first, whatever stands above or beside them follows: that is the order in which they
are looked at, and the browser paints while the server still writes.
"""

import streamlit as st

from ui import blocks
from ui.controls.sidebar import place_for_controls, sidebar
from ui.state import explorer

blocks.style()
controls, top, way = place_for_controls(), st.container(), st.container()
beside, heads, words = blocks.board()
scenario = explorer().scenario

with heads:
    blocks.heads(scenario)
blocks.one_head_and_together(scenario)
blocks.let_them_be_painted()
with top:
    blocks.heading()
with way:
    blocks.way_of_the_data()
with beside:
    blocks.editors()
with words:
    blocks.readings()
with controls:
    sidebar()
blocks.about()
