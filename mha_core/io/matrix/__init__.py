"""One matrix as text in many notations, and as a file."""
