"""LaTeX as MathML, which a browser shows by itself."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from latex2mathml.converter import convert

MOST_KEPT: Final = 1000


@lru_cache(MOST_KEPT)
def mathml(latex: str, display: str = "inline") -> str:
    """The same formulas are shown to everybody, with other numbers and labels put into them."""
    return str(convert(latex, display=display))
