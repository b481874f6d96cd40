"""The present scenario, one operation a screen, from the input to the output."""

from ui import blocks
from ui.blocks import walkthrough
from ui.blocks.presenting.page import presentation
from ui.blocks.presenting.parts import parts_of_walkthrough
from ui.blocks.tours import tour_bar
from ui.state import ask_for_receipt, keep_address, open_session

session = open_session()
keep_address(session, page="walkthrough", shows=["screen", "present"])

blocks.style(session, has_sidebar=False)
if session.view.present:
    presentation(session, parts_of_walkthrough, "walkthrough")
else:
    blocks.help_button(session)
    tour_bar(session, "walkthrough")
    walkthrough.walk_heading(session)
    walkthrough.walk(session)
blocks.cell_entries(session)
ask_for_receipt(session)
