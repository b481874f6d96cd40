"""The norms of a layer: of queries, keys and values, and of what all heads found."""

from __future__ import annotations

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.layer.attention import check_within_range
from mha_core.scenario.norms import Norm


def centered(heads: FloatArray, norm: Norm) -> FloatArray:
    """Each row less its mean: what a LayerNorm does first. The mean is taken in float64.

    Shape: (n_heads, n, d) -> (n_heads, n, d)

    >>> centered(np.array([[[3.0, 4.0], [0.0, 2.0]]]), Norm(is_over_all=False, eps=1e-12))
    array([[[-0.5,  0.5],
            [-1. ,  1. ]]])
    """
    mean = heads.mean(axis=norm.axes, keepdims=True, dtype=np.float64)
    less: FloatArray = (heads - mean).astype(heads.dtype)
    return less


def normed(heads: FloatArray, norm: Norm, *, may_be_lost: bool = False) -> FloatArray:
    """Each row divided by its root mean square, then gains multiply columns, and shifts are added.

    Rows that a naive softmax has lost may stay lost. Where nothing is divided, gains are all.

    Shape: (n_heads, n, d) -> (n_heads, n, d)

    >>> each = Norm(is_over_all=False, eps=1e-12)
    >>> normed(np.array([[[3.0, 4.0], [0.0, 2.0]]]), each).round(4)
    array([[[0.8485, 1.1314],
            [0.    , 1.4142]]])
    """
    made = heads * factors(heads, norm, may_be_lost=may_be_lost)
    if norm.shifts is not None:
        made = made + norm.shift(heads)
    return made.astype(heads.dtype)


def factors(heads: FloatArray, norm: Norm, *, may_be_lost: bool = False) -> FloatArray:
    """What the norm multiplies each number by: its gain over the root mean square of its row."""
    if not norm.is_divided:
        return np.asarray(norm.gain(heads))
    made: FloatArray = norm.gain(heads) / roots(heads, norm, may_be_lost=may_be_lost)
    return made


def roots(heads: FloatArray, norm: Norm, *, may_be_lost: bool = False) -> FloatArray:
    """The root mean square of each row, with epsilon in it. In float64: squares are far larger."""
    squares = np.square(heads, dtype=np.float64)
    counted = squares[np.isfinite(heads)] if may_be_lost else squares
    check_within_range(say("The squares of the norm"), counted)
    root: FloatArray = np.sqrt(squares.mean(axis=norm.axes, keepdims=True) + norm.eps)
    return root
