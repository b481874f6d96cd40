"""The explorer: edit anything, see every head, share what you see."""

from ui import blocks
from ui.controls.sidebar import sidebar
from ui.state import write_address

blocks.style()
sidebar()
blocks.heading()
blocks.way_of_the_data()
blocks.editors()
blocks.heads()
blocks.mask()
blocks.together()
blocks.about()
write_address()
