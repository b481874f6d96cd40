"""Two layers, A and B, side by side: how far apart they are, in what, and ready questions."""
