"""The numbers of a layer as they come about on paper: in fractions, with the table of the sheet.

In base 2 every number is exact. In base e the powers are those of the table, and the weights are
rounded. What follows is computed from the rounded weights, as a person does, and is exact again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.cells import matrix_name
from mha_core.layer.trace import Trace
from mha_core.worksheets.exercise import Base
from mha_core.worksheets.kind_numbers import DECIMALS, LONGEST_STEP, TABLE_DECIMALS

MINUS: Final = "\N{MINUS SIGN}"
HIDDEN: Final = f"{MINUS}∞"

Number = Fraction | None  # None: a score that the mask hides
Rows = tuple[tuple[Number, ...], ...]
Fractions = Sequence[Sequence[Fraction]]


def table_of_powers(base: Base) -> tuple[tuple[str, str], ...]:
    """What a sheet prints of the powers: the exponent and the power, from 0 down.

    >>> table_of_powers("2")
    (('0', '1'), ('−1', '1/2'), ('−2', '1/4'), ('−3', '1/8'))
    >>> table_of_powers("e")[1]
    ('−1', '0.368')
    """
    steps = range(LONGEST_STEP + 1)
    return tuple((as_text(Fraction(-step)), _power_as_text(step, base)) for step in steps)


def rows_on_paper(trace: Trace, base: Base) -> Mapping[str, Rows]:
    """The matrices from the weights on, by name. All before them are whole numbers anyway."""
    s = trace.scenario
    heads: list[Fractions] = []
    found: dict[str, Rows] = {}
    for head in range(s.n_heads):
        weights = [_weights(row, base) for row in trace.masked_scores[head]]
        output = product(weights, exact(trace.v_heads[head]))
        found[matrix_name("weights", head)] = _frozen(weights)
        found[matrix_name("head_outputs", head)] = _frozen(output)
        heads.append(output)
    concat = [list(chain.from_iterable(rows)) for rows in zip(*heads, strict=True)]
    found["concat"] = _frozen(concat)
    found["output"] = _frozen(product(concat, exact(s.w_o)))
    return found


def exact(array: FloatArray) -> list[list[Fraction]]:
    return [[Fraction(float(number)) for number in row] for row in array]


def given_rows(array: FloatArray) -> Rows:
    """Numbers of a trace that paper writes as they are."""
    return tuple(
        tuple(Fraction(float(number)) if np.isfinite(number) else None for number in row)
        for row in array
    )


def product(left: Fractions, right: Fractions) -> list[list[Fraction]]:
    columns = list(zip(*right, strict=True))
    return [
        [sum((a * b for a, b in zip(row, column, strict=True)), Fraction()) for column in columns]
        for row in left
    ]


def as_text(number: Number, decimals: int | None = None) -> str:
    """A number as one writes it: whole, as a fraction, or with so many decimals.

    >>> as_text(Fraction(-4, 3)), as_text(Fraction(6)), as_text(None)
    ('−4/3', '6', '−∞')
    >>> as_text(Fraction(-1, 2), decimals=2), as_text(Fraction(2), decimals=2)
    ('−0.50', '2')
    """
    if number is None:
        return HIDDEN
    sign = MINUS if number.numerator < 0 else ""
    if number.denominator == 1:
        return f"{sign}{abs(number.numerator)}"
    size = abs(number)
    return sign + (str(size) if decimals is None else f"{float(size):.{decimals}f}")


def power(step: int, base: Base) -> Fraction:
    """The power in the table for a score that is this far below the largest one."""
    if base == "2":
        return Fraction(1, 2**step)
    return round(Fraction(float(np.exp(-step))), TABLE_DECIMALS)


def _power_as_text(step: int, base: Base) -> str:
    return as_text(power(step, base), None if base == "2" else TABLE_DECIMALS)


def _weights(scores: FloatArray, base: Base) -> list[Fraction]:
    """One row of weights. A hidden key has the weight 0."""
    largest = scores.max()
    powers = [
        power(round(largest - score), base) if np.isfinite(score) else Fraction()
        for score in scores
    ]
    shares = [each / sum(powers) for each in powers]
    return shares if base == "2" else [round(share, DECIMALS) for share in shares]


def _frozen(rows: Fractions) -> Rows:
    return tuple(map(tuple, rows))
