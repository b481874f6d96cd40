"""Tours: the list, a person's own tour, and the bar that leads from stop to stop."""

from ui.blocks.tours.bar import tour_bar
from ui.blocks.tours.choice import our_tours
from ui.blocks.tours.own import own_tour

__all__ = ["our_tours", "own_tour", "tour_bar"]
