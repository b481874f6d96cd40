"""Tours: those of the source documents, others, and your own."""

from ui import blocks
from ui.blocks import tours
from ui.state import keep_no_address, open_sessions

(session,) = open_sessions("t")
keep_no_address("tours")

blocks.style(session, has_sidebar=False)
blocks.help_button(session)
tours.heading(session)
if tours.own_tour_is_begun():
    tours.own_tour(session)
    tours.our_tours(session)
else:
    tours.our_tours(session)
    tours.own_tour(session)
