"""What happened to a number that its type could not hold, in words.

>>> from mha_core.layer.expressions import Applied, Constant
>>> what_happened(Applied("exp", Constant("", np.float64(800))), np.dtype("float64"), 0)
'exp(800) is beyond float64, which ends at 1.8e+308: ∞'
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mha_core.language import say
from mha_core.layer.attention import quiet
from mha_core.layer.expressions import Applied, Expression, Quotient
from mha_core.layer.written import written


@quiet()
def what_happened(expression: Expression, dtype: np.dtype[Any], decimals: int) -> str:
    """Why a number is infinite, is not a number, or has vanished; "" where nothing was lost."""
    value = expression.value
    if not expression.parts or expression.because or dtype.kind != "f":
        return ""
    if np.isnan(value):
        return _not_a_number(expression)
    if np.isinf(value):
        return _beyond(expression, dtype, decimals)
    return _vanished(expression, dtype, decimals) if value == 0 else ""


def _not_a_number(expression: Expression) -> str:
    if (
        isinstance(expression, Quotient)
        and not np.isnan([part.value for part in expression.parts]).any()
    ):
        over, under = (written(part.value, 0, "text") for part in expression.parts)
        return say("{over} ÷ {under} is not a number").format(over=over, under=under)
    return say("One of the numbers that it is made of is not a number")


def _beyond(expression: Expression, dtype: np.dtype[Any], decimals: int) -> str:
    infinity = written(expression.value, 0, "text")
    if any(np.isinf(each.value) for each in expression.operands):
        return say("One of the numbers that it is made of is {infinity}").format(infinity=infinity)
    what = _exp(expression, decimals) if isinstance(expression, Applied) else say("The result")
    return say("{what} is beyond {type}, which ends at {limit:.2g}: {infinity}").format(
        what=what, type=dtype, limit=np.finfo(dtype).max, infinity=infinity
    )


def _vanished(expression: Expression, dtype: np.dtype[Any], decimals: int) -> str:
    if isinstance(expression, Applied) and expression.function == "exp":
        return say("{what} is too small for {type}: 0").format(
            what=_exp(expression, decimals), type=dtype
        )
    if isinstance(expression, Quotient) and np.isinf(expression.under.value):
        return say("A number ÷ ∞ is 0")
    return ""


def _exp(expression: Applied, decimals: int) -> str:
    return f"exp({written(expression.argument.value, decimals, 'text')})"
