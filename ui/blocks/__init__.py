"""What the pages are made of: each block shows one part of a session."""

from ui.blocks.frame import about, heading, style, way_of_the_data
from ui.blocks.heatmaps import (
    board,
    heads,
    let_them_be_painted,
    one_head_and_together,
    readings,
)
from ui.blocks.numbers import editors

__all__ = [
    "about",
    "board",
    "editors",
    "heading",
    "heads",
    "let_them_be_painted",
    "one_head_and_together",
    "readings",
    "style",
    "way_of_the_data",
]
