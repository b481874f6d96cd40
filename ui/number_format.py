"""Numbers as text: fixed decimals, a true minus sign, never a negative zero."""

from __future__ import annotations

import math
from typing import Final

MINUS: Final = "\N{MINUS SIGN}"

# From here on a fixed notation is wider than a scientific one and no easier to read.
_LARGE: Final = 1e5


def format_number(value: float, decimals: int = 2, *, keep_tiny: bool = False) -> str:
    """The number with a fixed count of decimals, or in powers of ten where that would be too long.

    A tiny number rounds to zero as in any table; `keep_tiny` writes it as a power of ten instead,
    for places where "almost zero" and "zero" must not look alike. `fixed` in
    `ui/plot/js/numbers.js` writes the same into cells.

    >>> format_number(-0.4567)
    '−0.46'
    >>> format_number(-0.001)
    '0.00'
    >>> format_number(-0.001, keep_tiny=True)
    '−1.00e−3'
    >>> format_number(1234567.0, decimals=1)
    '1.2e6'
    """
    if not math.isfinite(value):
        return _not_finite(value)
    text = f"{value:.{decimals}f}"
    rounds_to_zero = float(text) == 0
    if abs(value) >= _LARGE or (rounds_to_zero and value != 0 and keep_tiny):
        return _scientific(f"{value:.{decimals}e}")
    return text.lstrip("-") if rounds_to_zero else text.replace("-", MINUS)


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "head"), counted(2, "head")
    ('1 head', '2 heads')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "not a number"
    return "∞" if value > 0 else f"{MINUS}∞"


def _scientific(text: str) -> str:
    mantissa, exponent = text.split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", MINUS)
