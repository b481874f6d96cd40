"""The present scenario, one operation a screen, from the input to the output."""

from ui import blocks
from ui.blocks import walkthrough
from ui.blocks.tours import tour_bar
from ui.state import ask_for_receipt, keep_address, open_session

session = open_session()
keep_address(session, page="walkthrough", shows=["screen"])

blocks.style(session, has_sidebar=False)
tour_bar(session, "walkthrough")
walkthrough.walk_heading(session)
walkthrough.walk(session)
blocks.cell_entries(session)
ask_for_receipt(session)
