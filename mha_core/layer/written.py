"""One number as text or LaTeX, for formulas."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

LARGE: Final = 1e5  # from here on powers of ten are shorter; the same in all pictures


def written(value: Any, decimals: int, notation: str) -> str:
    r"""A number with so many decimals; a truth value as 0 or 1.

    >>> written(-0.25, 1, "text"), written(-0.0001, 2, "text"), written(-np.inf, 2, "latex")
    ('−0.2', '0.00', '-\\infty')
    >>> written(2.5e300, 2, "text"), written(-2.5e300, 1, "latex"), written(np.nan, 2, "text")
    ('2.50e300', '-2.5 \\cdot 10^{300}', 'NaN')
    """
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    is_latex = notation == "latex"
    if np.isnan(value):
        return r"\mathrm{NaN}" if is_latex else "NaN"
    minus = "-" if is_latex else "\N{MINUS SIGN}"
    sign = minus if value < 0 else ""
    size = abs(float(value))
    if np.isinf(size):
        return f"{sign}{_INFINITY[is_latex]}"
    if size >= LARGE:
        digits, exponent = f"{size:.{decimals}e}".split("e")
        power = rf" \cdot 10^{{{int(exponent)}}}" if is_latex else f"e{int(exponent)}"
        return f"{sign}{digits}{power}"
    text = f"{size:.{decimals}f}"
    return text if float(text) == 0 else f"{sign}{text}"


_INFINITY: Final = {True: r"\infty", False: "\N{INFINITY}"}
