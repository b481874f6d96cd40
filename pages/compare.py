"""Two layers side by side: change one thing in B, and see what becomes of it."""

from functools import partial

import streamlit as st

from ui import blocks
from ui.blocks import comparing
from ui.blocks.presenting.comparison import parts_of_comparison
from ui.blocks.presenting.page import presentation
from ui.blocks.tours import tour_bar
from ui.state import ask_for_receipt, keep_address, open_sessions

a, b = open_sessions("a", "b", first=comparing.opens_on(), layer=comparing.opens_in_layer())
keep_address(a, b, shows=["step", "present", "part"])
b.show_as(a.view)

blocks.style(a, b)
if a.view.present:
    presentation(a, partial(parts_of_comparison, b), "compare", b)
else:
    blocks.help_button(a)
    with st.sidebar:
        side = comparing.side_to_change(a, b)
    top, words = st.container(), st.container()

    comparing.pictures(a, b)
    with top:
        tour_bar(a, "compare")
        comparing.heading(a, b)
        comparing.ready_questions(a, b)
        comparing.layer_of_model(a, b)
    with words:
        comparing.what_becomes_of_it(a, b)
    comparing.every_step(a, b)
    comparing.editors_of_a_side(side)
    with st.sidebar:
        comparing.controls_of_a_side(side)
for session in (a, b):
    blocks.cell_entries(session)
ask_for_receipt(a, b)
