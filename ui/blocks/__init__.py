"""What the pages are made of: each block shows one part of a session."""

from ui.blocks.frame import about, heading, style, way_of_the_data
from ui.blocks.heatmaps import (
    board,
    heads,
    one_head_and_together,
    readings,
    sleep_while_pictures_are_painted,
)
from ui.blocks.numbers import editors

__all__ = [
    "about",
    "board",
    "editors",
    "heading",
    "heads",
    "one_head_and_together",
    "readings",
    "sleep_while_pictures_are_painted",
    "style",
    "way_of_the_data",
]
