"""Pages as a lecturer presents them: one part at a time, as large as the screen allows."""

from ui.blocks.presenting.comparison import parts_of_comparison
from ui.blocks.presenting.page import presentation
from ui.blocks.presenting.parts import parts_of_explorer, parts_of_walkthrough

__all__ = ["parts_of_comparison", "parts_of_explorer", "parts_of_walkthrough", "presentation"]
