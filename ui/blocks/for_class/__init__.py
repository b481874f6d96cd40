"""What a lecturer takes away: pictures, slides, a pack of all of it."""

from ui.blocks.for_class.offers import class_heading, offers

__all__ = ["class_heading", "offers"]
