"""A field guide to the patterns that heads make."""

from ui import blocks
from ui.blocks import guide
from ui.blocks.tours import tour_bar
from ui.state import ask_for_receipt, keep_address, open_sessions
from ui.state.tour_stops import FIRST

(session,) = open_sessions("p", first=FIRST["patterns"])
keep_address(session)

blocks.style(session, has_sidebar=False)
blocks.help_button(session)
tour_bar(session, "patterns")
guide.guide_heading(session)
guide.pattern(session)
blocks.all_layers(session)  # last: above the head they would push it out of sight
blocks.cell_entries(session)
ask_for_receipt(session)
