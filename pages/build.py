"""Build a head: write its matrices so that it does a job, and be told whether it does."""

from ui import blocks
from ui.blocks import building
from ui.blocks.presenting.building import parts_of_building
from ui.blocks.presenting.page import presentation
from ui.blocks.tours import tour_bar
from ui.state import ask_for_receipt, keep_address, open_sessions
from ui.state.tour_stops import FIRST

(session,) = open_sessions("h", first=FIRST["build"])
keep_address(session, shows=["puzzle", "hints", "present", "part"])

blocks.style(session, has_sidebar=False)
if session.view.present:
    presentation(session, parts_of_building, "build")
else:
    blocks.help_button(session)
    tour_bar(session, "build")
    building.heading(session)
    if building.is_making(session):
        building.make_own(session)
    else:
        if question := building.question_of(session):
            building.ask(session, question)
        else:
            building.show_verdict(session)
            building.what_helps(session)
        blocks.which_layer(session)
        building.head(session)
blocks.cell_entries(session)
ask_for_receipt(session)
