"""Matrices and scenarios as text, as files and as links."""
