"""Python and the page write every number the same: 100,000, of the awkward kinds above all."""

from __future__ import annotations

from base64 import b64encode
from math import inf, isfinite, nan
from pathlib import Path

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.written import in_powers_of_ten, in_six_digits, written_constant
from tests.ui.plot.node import answering
from ui.number_format import format_number

RUNNER = Path(__file__).parent / "numbers_runner.mjs"
COUNT = 100_000
DECIMALS = range(7)  # as many as the page offers
ENDS = (0.0, -0.0, nan, inf, -inf, 5e-324, 2.2e-308, 1e-300, 1e300, 1.8e308, 99_999.5, 1e5, 9.5e5)


def awkward(generator: np.random.Generator, count: int) -> FloatArray:
    """A fifth each: of usual size, of any size, subnormal, ties, ties between powers of ten."""
    fifth = count // 5
    ties = generator.integers(1, 10**6, fifth) / 2.0 ** generator.integers(1, 8, fifth)
    powers = generator.integers(1, 20, fifth) * 5.0 * 10.0 ** generator.integers(0, 22, fifth)
    return np.concatenate(
        [
            generator.normal(size=fifth),
            generator.choice([-1, 1], fifth) * 10 ** generator.uniform(-320, 308, fifth),
            generator.integers(1, 2**52, fifth).view(np.float64),
            ties,
            -powers,
        ]
    )


def test_a_hundred_thousand_numbers_are_written_alike() -> None:
    generator = np.random.default_rng(30)
    share = COUNT // len(DECIMALS) + 1
    with answering(RUNNER) as ask:
        for decimals in DECIMALS:
            numbers = np.concatenate([ENDS, awkward(generator, share)])
            there = ask({"bytes": b64encode(numbers.tobytes()).decode(), "decimals": decimals})
            for name, write in WRITERS.items():
                here = [write(number, decimals) for number in numbers.tolist()]
                apart = [
                    (number, ours, theirs)
                    for number, ours, theirs in zip(numbers, here, there[name], strict=True)
                    if ours != theirs
                ]
                assert not apart[:5], name


def in_few_letters(number: float, _: int) -> str:
    if isfinite(number):
        return in_powers_of_ten(number, 0, "text").replace("−0e0", "0e0")
    return format_number(number)


WRITERS = {
    "fixed": format_number,
    "keepsTiny": lambda number, decimals: format_number(number, decimals, keep_tiny=True),
    "constant": lambda number, decimals: written_constant(number, decimals, "text"),
    "inPowersOfTen": in_few_letters,
    "sixDigits": lambda number, _: in_six_digits(number),
}
