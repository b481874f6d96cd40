"""Numbers as text: fixed decimals, a true minus sign, never a negative zero.

`ui/plot/js/numbers/numbers.js` writes the same. A test compares 100,000 numbers.
"""

from __future__ import annotations

from typing import Final

from mha_core.layer.written import in_powers_of_ten, written

MINUS: Final = "\N{MINUS SIGN}"


def format_number(value: float, decimals: int = 2, *, keep_tiny: bool = False) -> str:
    """The number with a fixed count of decimals, or in powers of ten where that would be too long.

    A tiny number rounds to zero as in any table; `keep_tiny` writes it as a power of ten instead,
    for places where "almost zero" and "zero" must not look alike.

    >>> format_number(-0.4567)
    '−0.46'
    >>> format_number(-0.001)
    '0.00'
    >>> format_number(-0.001, keep_tiny=True)
    '−1.00e−3'
    >>> format_number(1234567.0, decimals=1)
    '1.2e6'
    """
    text = written(value, decimals, "text")
    rounds_to_zero = keep_tiny and value != 0 and not text.strip("0.")
    return in_powers_of_ten(value, decimals, "text") if rounds_to_zero else text


def without_zero(text: str) -> str:
    """A number without the zero before its point, for narrow cells.

    >>> without_zero("−0.46"), without_zero("0.00"), without_zero("10.5"), without_zero("0")
    ('−.46', '.00', '10.5', '0')
    """
    return text.replace("0.", ".", 1) if text.lstrip(f"+{MINUS}").startswith("0.") else text
