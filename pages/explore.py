"""The explorer: edit anything, see every head, share what you see.

The pictures are sent first, then what stands above and beside them. People look at them in that
order, and the browser paints the pictures while the server still makes the rest.
"""

import streamlit as st

from ui import blocks
from ui.blocks.presenting.page import presentation
from ui.blocks.presenting.parts import parts_of_explorer
from ui.blocks.tours import tour_bar
from ui.controls.sidebar import place_for_controls, sentence_box, sidebar
from ui.controls.to_the_top import to_the_top_after_arriving
from ui.state import ask_for_receipt, keep_address, open_session

session = open_session()
keep_address(session, shows=["present", "part"])

blocks.style(session)
if session.view.present:
    presentation(session, parts_of_explorer)
    blocks.cell_entries(session)
    ask_for_receipt(session)
else:
    blocks.help_button(session)
    controls, top = place_for_controls(session), st.container()
    layers = st.container()
    heads, first_words = st.container(), st.container()
    way, into = blocks.place_for_way(session), blocks.place_for_into(session)
    words = blocks.place_for_words(session)
    editors = blocks.place_for_editors(session)

    with layers:
        blocks.which_layer(session)
        blocks.all_layers(session)
    with heads:
        blocks.heads(session)
    blocks.into_the_heads(session, into)
    blocks.after_weights(session)
    blocks.sleep_while_pictures_are_painted(session)
    with top:
        tour_bar(session)
        blocks.heading(session)
        sentence_box(session)
        blocks.what_a_row_is(session)
        blocks.questions(session)
    with first_words:
        blocks.first_words(session)
    with way:
        blocks.way_of_the_data(session)
    with words:
        blocks.claims(session)
        blocks.readings(session)
    blocks.number_editors(session, editors)
    with controls:
        sidebar(session, has_sentence=False)
    blocks.about(session)
    to_the_top_after_arriving(session)
    blocks.hear_entries(session, blocks.run_numbers_alone)
    blocks.end_of_page(session)
