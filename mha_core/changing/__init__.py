"""How a scenario becomes the next one, and what is kept of its numbers."""
