"""Worksheets as one HTML document that prints: sheets, and answer keys on sheets of their own."""

from mha_core.io.worksheets.document import class_set_html, sheet_html

__all__ = ["class_set_html", "sheet_html"]
