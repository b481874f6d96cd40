"""What the pages are made of: each block shows one part of a session."""

from ui.blocks.frame import about, heading, style, way_of_the_data
from ui.blocks.heatmaps import pictures
from ui.blocks.numbers import editors

__all__ = ["about", "editors", "heading", "pictures", "style", "way_of_the_data"]
