"""Pictures as files, without a browser: SVG, PDF, PNG, TikZ.

A plain figure (`ui/figures`) is laid out for a size of paper and becomes a `Sheet` of marks
(`ink.py`). Each kind of file writes the same marks. So the figure stays the one description, drawn
by the page (`ui/plot`) and here.
"""
