"""Worksheets: a layer that one works out with a pen, its answer key, and the marks of answers."""
