"""LaTeX as MathML, which a browser shows by itself."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from latex2mathml.converter import convert

MOST_KEPT: Final = 1000
NUMBER: Final = re.compile(r"\d+\.\d+")
PLACE: Final = "0.000000{:06d}"  # of a number, while everything else is converted
PLACED: Final = re.compile(r"0\.000000(\d{6})")


def mathml(latex: str, display: str = "inline") -> str:
    """All visitors see the same formulas with other numbers: so all else is converted once."""
    numbers: list[str] = NUMBER.findall(latex)
    places = map(PLACE.format, range(len(numbers)))
    math = _converted(NUMBER.sub(lambda _: next(places), latex), display)
    return PLACED.sub(lambda place: numbers[int(place[1])], math)


@lru_cache(MOST_KEPT)
def _converted(latex: str, display: str) -> str:
    return str(convert(latex, display=display))
