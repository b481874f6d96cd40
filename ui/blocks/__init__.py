"""What the pages are made of: each block shows one part of a session."""

from ui.blocks.about import about
from ui.blocks.after_weights import after_weights
from ui.blocks.cell_entries import cell_entries, hear_entries
from ui.blocks.first_words import first_words, what_a_row_is
from ui.blocks.heads_picture import heads, sleep_while_pictures_are_painted
from ui.blocks.help_button import help_button
from ui.blocks.into_the_heads import into_the_heads, place_for_into
from ui.blocks.layers import all_layers, which_layer
from ui.blocks.number_editors import number_editors, place_for_editors
from ui.blocks.numbers_alone import end_of_page, run_numbers_alone
from ui.blocks.questions import questions
from ui.blocks.top import claims, heading, place_for_way, style, way_of_the_data
from ui.blocks.what_to_look_for import place_for_words, readings

__all__ = [
    "about",
    "after_weights",
    "all_layers",
    "cell_entries",
    "claims",
    "end_of_page",
    "first_words",
    "heading",
    "heads",
    "hear_entries",
    "help_button",
    "into_the_heads",
    "number_editors",
    "place_for_editors",
    "place_for_into",
    "place_for_way",
    "place_for_words",
    "questions",
    "readings",
    "run_numbers_alone",
    "sleep_while_pictures_are_painted",
    "style",
    "way_of_the_data",
    "what_a_row_is",
    "which_layer",
]
