"""Numbers in formulas: one can compute with a constant as it is written."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mha_core.layer.written import in_powers_of_ten, written_constant

SIZES = [digits * 10.0**power for power in range(-320, 308) for digits in (1, 1.2345, 9.9996)]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_constant_reads_as_the_number_that_it_is(sign: int) -> None:
    for size in SIZES:
        text = written_constant(sign * size, 2, "text").replace("\N{MINUS SIGN}", "-")
        assert float(text) == pytest.approx(sign * size, rel=1e-3, abs=1e-323)


def test_a_half_goes_to_the_even_digit_in_powers_of_ten_too() -> None:
    halves = [Fraction(2 * n + 1, 2) * 1000 for n in range(1, 9)]
    texts = [in_powers_of_ten(float(half), 0, "text") for half in halves]
    assert texts == ["2e3", "2e3", "4e3", "4e3", "6e3", "6e3", "8e3", "8e3"]
    assert in_powers_of_ten(np.float64(-9500.0), 0, "text") == "−1e4"
