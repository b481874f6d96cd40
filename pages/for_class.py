"""For a lecture: pictures, slides and packs of the present scenario."""

from ui import blocks
from ui.blocks import for_class
from ui.state import ask_for_receipt, keep_address, open_session

session = open_session()
keep_address(session, page="class")

blocks.style(session, has_sidebar=False)
blocks.help_button(session)
for_class.class_heading(session)
for_class.offers(session)
blocks.cell_entries(session)
ask_for_receipt(session)
