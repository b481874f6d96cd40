"""A folder of pages without a server: what a course can share from any static host."""
