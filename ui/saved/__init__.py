"""A page in one file, without a server."""
