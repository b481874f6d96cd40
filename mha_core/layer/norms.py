"""The RMS norm of queries and keys."""

from __future__ import annotations

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.attention import check_within_range
from mha_core.scenario.norms import Norm


def normed(heads: FloatArray, norm: Norm) -> FloatArray:
    """Each row divided by its root mean square, then each column multiplied by its gain.

    Shape: (n_heads, n, d) -> (n_heads, n, d)

    >>> each = Norm(is_over_all=False, eps=1e-12, gains=None)
    >>> normed(np.array([[[3.0, 4.0], [0.0, 2.0]]]), each).round(4)
    array([[[0.8485, 1.1314],
            [0.    , 1.4142]]])
    """
    return (heads * factors(heads, norm)).astype(heads.dtype)


def factors(heads: FloatArray, norm: Norm) -> FloatArray:
    """What the norm multiplies each number by: its gain over the root mean square of its row."""
    made: FloatArray = norm.gain(len(heads)) / roots(heads, norm)
    return made


def roots(heads: FloatArray, norm: Norm) -> FloatArray:
    """The root mean square of each row, with epsilon in it. In float64: squares are far larger."""
    squares = np.square(heads, dtype=np.float64)
    check_within_range(say("The squares of the norm"), squares)
    root: FloatArray = np.sqrt(squares.mean(axis=norm.axes, keepdims=True) + norm.eps)
    return root
