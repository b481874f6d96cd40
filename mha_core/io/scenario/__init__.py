"""A whole scenario as a link and as a file."""
