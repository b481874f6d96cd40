"""Numbers and symbols as formulas have them."""

from __future__ import annotations


def as_written(value: float) -> str:
    r"""All digits of a number, with a power of ten in LaTeX.

    >>> as_written(30.0), as_written(1e-05)
    ('30', '1 \\cdot 10^{-5}')
    """
    digits, _, exponent = repr(float(value)).partition("e")
    digits = digits.removesuffix(".0")
    return rf"{digits} \cdot 10^{{{int(exponent)}}}" if exponent else digits


def as_factor(symbol: str) -> str:
    """A symbol as it stands in a product or a quotient: a sum in brackets."""
    return f"({symbol})" if "+" in symbol else symbol
