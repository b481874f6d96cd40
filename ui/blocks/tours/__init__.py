"""Tours: the list, a person's own tour, and the bar that leads from stop to stop."""

from ui.blocks.tours.bar import tour_bar
from ui.blocks.tours.choice import heading, our_tours
from ui.blocks.tours.own import own_tour, own_tour_is_begun

__all__ = ["heading", "our_tours", "own_tour", "own_tour_is_begun", "tour_bar"]
