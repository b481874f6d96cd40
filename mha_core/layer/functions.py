"""Functions of one number, with what they move by; the layer and its expressions share them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray


class Function(NamedTuple):
    """A function of one number: NumPy's, its derivative by its argument and its value."""

    of: Callable[[Any], Any]
    derivative: Callable[[Any, Any], Any]


def sigmoid(x: FloatArray) -> FloatArray:
    """From 0 to 1: how far a gate is open.

    >>> sigmoid(np.array([-100.0, 0.0, np.log(3)])).round(8)
    array([0.  , 0.5 , 0.75])
    """
    with np.errstate(over="ignore"):  # far below 0, where it is 0
        made: FloatArray = 1 / (1 + np.exp(-x))
    return made


def softplus(x: FloatArray) -> FloatArray:
    """The logarithm of 1 + exp(x): nearly 0 far below 0, nearly x far above.

    >>> softplus(np.array([-1000.0, np.log(np.e - 1), 1000.0])).round(8)
    array([   0.,    1., 1000.])
    """
    made: FloatArray = np.logaddexp(0, x)
    return made


def silu(x: FloatArray) -> FloatArray:
    """A number times its sigmoid.

    >>> silu(np.array([-1000.0, 0.0, np.log(3)])).round(8) / np.log(3)
    array([-0.  ,  0.  ,  0.75])
    """
    return x * sigmoid(x)


def relu(x: FloatArray) -> FloatArray:
    """A number, but 0 where it is below 0.

    >>> relu(np.array([-2.0, 0.0, 2.0]))
    array([0., 0., 2.])
    """
    made: FloatArray = np.maximum(x, 0)
    return made


def hardswish(x: FloatArray) -> FloatArray:
    """A number times a line that rises from 0 at -3 to 1 at 3.

    >>> hardswish(np.array([-4.0, -1.5, 0.0, 3.0, 4.0]))
    array([-0.   , -0.375,  0.   ,  3.   ,  4.   ])
    """
    made: FloatArray = x * np.clip(x / 6 + 0.5, 0, 1)
    return made


def _of_hardswish(x: Any, _: Any) -> Any:
    return np.where(np.abs(x) < 3, x / 3 + 0.5, x > 0)


FUNCTIONS: Final[Mapping[str, Function]] = {
    "ln": Function(np.log, lambda number, _: 1 / number),
    "exp": Function(np.exp, lambda _, value: value),
    "tanh": Function(np.tanh, lambda _, value: 1 - value**2),
    "sigmoid": Function(sigmoid, lambda _, value: value * (1 - value)),
    "softplus": Function(softplus, lambda x, _: sigmoid(x)),
    "silu": Function(silu, lambda x, value: value + sigmoid(x) * (1 - value)),
    "relu": Function(relu, lambda x, _: (x > 0) * 1.0),
    "hardswish": Function(hardswish, _of_hardswish),
    "sqrt": Function(np.sqrt, lambda _, root: 0.5 / root),
    "sin": Function(np.sin, lambda angle, _: np.cos(angle)),
    "cos": Function(np.cos, lambda angle, _: -np.sin(angle)),
}
