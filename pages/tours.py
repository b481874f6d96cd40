"""Tours: those of the source documents, others, and your own."""

from ui import blocks
from ui.blocks import tours
from ui.state import keep_no_address, open_sessions

(session,) = open_sessions("t")
keep_no_address("tours")

blocks.style(session, has_sidebar=False)
blocks.help_button(session)
tours.our_tours(session)
tours.own_tour(session)
