"""The arithmetic beside attention: norms and activations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.models.plan import Activation


def normed(x: FloatArray, eps: float, *, is_rms: bool) -> FloatArray:
    """Each row with mean 0 and variance 1; RMSNorm divides by its root mean square alone.

    >>> normed(np.array([[1.0, 3.0]]), 0.0, is_rms=False)
    array([[-1.,  1.]])
    >>> normed(np.array([[3.0, 4.0]]), 0.0, is_rms=True) * 12.5**0.5
    array([[3., 4.]])
    """
    centred = x if is_rms else x - x.mean(axis=-1, keepdims=True)
    variance = np.square(centred).mean(axis=-1, keepdims=True)
    made: FloatArray = centred / np.sqrt(variance + x.dtype.type(eps))
    return made


STEPS: Final = 2**13
FURTHEST: Final = 6.0  # beyond it erf is 1 to the last digit


@cache
def _known_erf() -> tuple[FloatArray, FloatArray]:
    """Erf at equal steps from 0, and how far it is from each to the next."""
    known = np.array([math.erf(FURTHEST * step / STEPS) for step in range(STEPS + 2)])
    return known[:-1], np.diff(known)


def erf(x: FloatArray) -> FloatArray:
    """The error function, which NumPy lacks: read between known values, 1e-7 from it at most.

    >>> erf(np.array([-9.0, 0.0, 0.5])).round(6)
    array([-1.    ,  0.    ,  0.5205])
    """
    known, to_next = _known_erf()
    place = np.minimum(np.abs(x, dtype=np.float64) * (STEPS / FURTHEST), STEPS)
    below = place.astype(np.intp)
    return np.copysign(known[below] + (place - below) * to_next[below], x)


def sigmoid(x: FloatArray) -> FloatArray:
    """1 / (1 + e^-x), written so that nothing overflows."""
    made: FloatArray = 0.5 * (1 + np.tanh(0.5 * x))
    return made


def _gelu(x: FloatArray) -> FloatArray:
    return (0.5 * x * (1 + erf(x * 0.5**0.5))).astype(x.dtype)


def _gelu_tanh(x: FloatArray) -> FloatArray:
    made: FloatArray = 0.5 * x * (1 + np.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x**3)))
    return made


ACTIVATIONS: Final[Mapping[Activation, Callable[[FloatArray], FloatArray]]] = {
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "gelu_quick": lambda x: x * sigmoid(1.702 * x),
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: x * sigmoid(x),
}

# How config.json calls them.
BY_NAME: Final[Mapping[str, Activation]] = {
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_tanh": "gelu_tanh",
    "quick_gelu": "gelu_quick",
    "relu": "relu",
    "silu": "silu",
    "swish": "silu",
}
