"""A comparison in Python of a number and its formula: whoever runs it gets True."""

from __future__ import annotations

from math import ceil, isfinite, log10
from typing import Any, Final

import numpy as np

from mha_core.layer.expressions import (
    Constant,
    Difference,
    Expression,
    Given,
    Largest,
    Leaf,
    MinusInfinity,
    Operand,
    Product,
    Quotient,
    Sum,
    Zero,
)

RELATIVE: Final = 1e-5  # of a number, plus ABSOLUTE: what np.isclose allows
ABSOLUTE: Final = 1e-8
ROUNDINGS: Final = 4  # of each term, where an order of operations differs
IMPORT: Final = "import numpy as np"


def compared(name: str, formula: str, expression: Expression, value: Any) -> str:
    """An expression of Python that is True where the array and the formula agree.

    Sums, and functions of a library, may differ from the core's in the last bits. So may float32,
    where an operand has more bits.
    """
    text = f"{name} == {formula}"
    is_as_wide = all(np.asarray(e.value).itemsize <= value.itemsize for e in expression.operands)
    if not (is_exact(expression) and is_as_wide) or np.isnan(value):
        text = f"np.isclose({name}, {formula}{_tolerance(expression, value)})"
    return f"{text}  # {IMPORT}" if "np." in text else text


def is_exact(expression: Expression) -> bool:
    """Whether the formula, as it is written, has the core's order of operations to the last bit."""
    if isinstance(expression, Sum):
        return len(expression.terms) <= 2 and all(isinstance(e, Leaf) for e in expression.terms)
    if isinstance(expression, Product | Quotient | Difference):
        return all(isinstance(part, Leaf) for part in expression.parts)
    return isinstance(expression, Operand | Constant | Given | Zero | MinusInfinity | Largest)


def in_python(number: Any) -> str:
    """A constant as Python reads it.

    >>> in_python(np.float64(0.5)), in_python(-np.inf), in_python(np.bool_(True))
    ('0.5', '-np.inf', 'True')
    """
    return repr(np.asarray(number).item()).replace("inf", "np.inf")


def _tolerance(expression: Expression, value: Any) -> str:
    """More than np.isclose allows by itself, where large terms cancel or float32 is coarse."""
    if np.isnan(value):
        return ", equal_nan=True"
    parts = expression.parts if isinstance(expression, Sum | Difference) else (expression,)
    size = sum(abs(float(part.value)) for part in parts)
    roundings = ROUNDINGS * len(parts) * float(np.finfo(value.dtype).eps) * size
    if not isfinite(size) or roundings <= ABSOLUTE + RELATIVE * abs(float(value)):
        return ""
    return f", atol=1e{ceil(log10(roundings))}"
