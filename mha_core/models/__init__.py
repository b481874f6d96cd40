"""Models with trained weights."""
