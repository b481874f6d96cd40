"""One number as text or LaTeX, for formulas."""

from __future__ import annotations

import re
from math import floor, inf, isinf, isnan, log10
from typing import Any, Final

import numpy as np

LARGE: Final = 1e5  # from here on powers of ten are shorter; the same in all pictures
SMALL: Final = 1e-5  # below it they are shorter, for numbers that must not read 0
MOST_DIGITS: Final = 4  # of a constant, if the page asks for no more decimals
DIGITS_OF_A_TIP: Final = 6


def written(value: Any, decimals: int, notation: str) -> str:
    r"""A number with this many decimals; a truth value as 0 or 1.

    >>> written(-0.25, 1, "text"), written(-0.0001, 2, "text"), written(-np.inf, 2, "latex")
    ('−0.2', '0.00', '-\\infty')
    >>> written(2.5e300, 2, "text"), written(-2.5e300, 1, "latex"), written(np.nan, 2, "text")
    ('2.50e300', '-2.5 \\cdot 10^{300}', 'NaN')
    """
    if isinstance(value, _TRUTH):
        return str(int(value))
    is_latex, number = notation == "latex", float(value)
    if isnan(number):
        return r"\mathrm{NaN}" if is_latex else "NaN"
    minus = "-" if is_latex else "\N{MINUS SIGN}"
    sign, size = minus if number < 0 else "", abs(number)
    if isinf(size):
        return f"{sign}{_INFINITY[is_latex]}"
    if size >= LARGE:
        return in_powers_of_ten(number, decimals, notation)
    text = f"{size:.{decimals}f}"
    return text if float(text) == 0 else f"{sign}{text}"


def written_with_digits(value: Any, digits: int, decimals: int, notation: str) -> str:
    r"""A number with this many decimals, or with more if it needs them to show its `digits`.

    >>> [written_with_digits(n, 2, 2, "text") for n in (0.0031415, -0.5, 0, -3e-12)]
    ['0.0031', '−0.50', '0.00', '−3.0e−12']
    """
    size = abs(float(value))
    if not 0 < size < inf:
        return written(value, decimals, notation)
    if size >= SMALL:
        before = floor(log10(size)) if size < LARGE else 0
        return written(value, max(decimals, digits - 1 - before), notation)
    return in_powers_of_ten(value, digits - 1, notation)


def written_constant(value: Any, decimals: int, notation: str) -> str:
    r"""A number that stands in no cell, such as the scale, so that one can compute with it.

    >>> [written_constant(n, 2, "text") for n in (0.125, 2**-0.5, 8.0, -2, 1 / 3, 12.3456, 2e10)]
    ['0.125', '0.7071', '8', '−2', '0.3333', '12.35', '2e10']
    >>> written_constant(2**-0.5, 6, "latex"), written_constant(2e-12, 1, "latex")
    ('0.707107', '2 \\cdot 10^{-12}')
    """
    return _without_last_zeros(written_with_digits(value, MOST_DIGITS, decimals, notation))


def in_six_digits(value: Any) -> str:
    """A number as a tooltip says it: more digits would take a while to read.

    >>> [in_six_digits(n) for n in (1 / 3, -2.5, 0.1 + 0.2, 123456.78, -1e-7, np.inf)]
    ['0.333333', '−2.5', '0.3', '1.23457e5', '−1e−7', '∞']
    """
    return _without_last_zeros(written_with_digits(value, DIGITS_OF_A_TIP, 0, "text"))


def _without_last_zeros(text: str) -> str:
    return re.sub(r"\.(\d*?)0*(?= |e|$)", lambda found: found[1] and f".{found[1]}", text)


def in_powers_of_ten(value: float, decimals: int, notation: str) -> str:
    r"""A finite number with one digit before the point.

    >>> in_powers_of_ten(-25000, 0, "text"), in_powers_of_ten(0.001, 1, "latex")
    ('−2e4', '1.0 \\cdot 10^{-3}')
    """
    digits, power = f"{value:.{decimals}e}".split("e")
    if notation == "latex":
        return rf"{digits} \cdot 10^{{{int(power)}}}"
    return f"{digits}e{int(power)}".replace("-", "\N{MINUS SIGN}")


_TRUTH: Final = (bool, np.bool_)
_INFINITY: Final = {True: r"\infty", False: "\N{INFINITY}"}
