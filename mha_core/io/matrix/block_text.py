"""A block of numbers as a short expression, such as 10*I or 4*shift(-1). It is read, never run."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say

LONGEST: Final = 200  # characters
THE_BLOCK: Final = say("The block")
NEED: Final = say("must be a sum of I, shift(n), ones and numbers, each with a factor or none")
WAY_OUT: Final = say("Write 10*I, 4*shift(-1), 0, or I - shift(1).")
_NUMBER: Final = r"(?P<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)"
_SHAPE: Final = r"(?P<shape>ones|I|shift\s*\(\s*(?P<by>[+-]?\d{1,4})\s*\))"
_ALONE: Final = _SHAPE.replace("P<", "P<alone_")
_TERM: Final = re.compile(
    rf"\s*(?P<sign>[+-])?\s*(?:{_NUMBER}\s*(?:\*?\s*{_SHAPE})?|{_ALONE})\s*",
    re.IGNORECASE | re.ASCII,
)


def block_of(text: str, rows: int, columns: int) -> FloatArray:
    """The block of this size. A number alone fills all of it; I has its ones on the diagonal.

    In shift(n) each row has its 1 so many columns to the right: as W_Q, it asks for the token n
    places later.

    >>> block_of("10*I", 2, 3)
    array([[10.,  0.,  0.],
           [ 0., 10.,  0.]])
    >>> block_of("2 - shift(-1)", 2, 2)
    array([[2., 2.],
           [1., 2.]])
    """
    made = np.zeros((rows, columns))
    written, place = text.replace("\u2212", "-").replace("\u00b7", "*"), 0
    if not written.strip() or len(written) > LONGEST:
        raise _refused(text)
    while place < len(written):
        term = _TERM.match(written, place)
        if term is None or (place and not term["sign"]):
            raise _refused(text)
        made += _term(term, rows, columns)
        place = term.end()
    if not np.isfinite(made).all():
        raise _refused(text)
    return made


def _term(term: re.Match[str], rows: int, columns: int) -> FloatArray:
    factor = float(term["number"] or 1) * (-1 if term["sign"] == "-" else 1)
    shape = (term["shape"] or term["alone_shape"] or "ones").lower()
    if shape == "ones":
        return np.full((rows, columns), factor)
    by = int(term["by"] or term["alone_by"] or 0)
    return factor * np.eye(rows, columns, k=by)


def _refused(text: str) -> OptionError:
    return OptionError(THE_BLOCK, NEED, repr(text.strip()[:40]), WAY_OUT)
