"""One matrix as text in any usual notation, and as a file."""
