"""Numbers on screen: a true minus, never a negative zero, nothing wider than it must be."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.number_format import MINUS, format_number

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.375, 2, "0.38"),
        (-0.4567, 2, "−0.46"),
        (-0.001, 2, "0.00"),
        (-0.0, 3, "0.000"),
        (2.0, 0, "2"),
        (-0.4, 0, "0"),
        (99_999.0, 1, "99999.0"),
        (100_000.0, 1, "1.0e5"),
        (-1e300, 2, "−1.00e300"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
        (math.nan, 2, "NaN"),
    ],
)
def test_a_number_is_written_like_this(value: float, decimals: int, text: str) -> None:
    assert format_number(value, decimals) == text


def test_almost_zero_and_zero_can_be_told_apart() -> None:
    assert format_number(-0.00042, keep_tiny=True) == "−4.20e−4"
    assert format_number(0.0, keep_tiny=True) == "0.00"


@given(FINITE, st.integers(0, 6))
def test_no_hyphen_and_no_negative_zero_is_ever_written(value: float, decimals: int) -> None:
    text = format_number(value, decimals)
    assert "-" not in text
    assert not (text.startswith(MINUS) and float(text.replace(MINUS, "-")) == 0)
