"""Positions of the tokens: sinusoids, rotations (RoPE) and distances (ALiBi)."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.scenario.rotation import Rotation, rotation_of
from mha_core.scenario.score_options import ScoreOptions

BASE: Final = 10_000.0  # of the waves, in the paper


def sinusoids(n: int, d_model: int, start: int = 0) -> FloatArray:
    """The fixed waves of "Attention is all you need", with one row for each position.

    Shape: (n, d_model). Column 2i is sin(p / 10000^(2i/d_model)), column 2i+1 its cosine.

    >>> sinusoids(2, 2).round(4)
    array([[0.    , 1.    ],
           [0.8415, 0.5403]])
    """
    column = np.arange(d_model)
    angle = _positions(n, start) / BASE ** (2 * (column // 2) / d_model)
    return np.where(column % 2 == 0, np.sin(angle), np.cos(angle))


def rotate(heads: FloatArray, start: int = 0, rotation: Rotation | None = None) -> FloatArray:
    """RoPE: turn each pair of columns by an angle that grows with the position.

    Shape: (n_heads, n, d_k) -> (n_heads, n, d_k)

    Lengths stay. The product of a rotated query and a rotated key depends on their distance only,
    not on their positions. Without a `rotation` it is the paper's: all columns turn, in pairs of
    neighbours. Many libraries pair column i with column i + d_k/2: `rope_pairs="halves"`. With
    `rope_pairs="crossed"` two neighbours have two angles: then neither is so.

    >>> rotate(np.array([[[1.0, 0.0], [1.0, 0.0]]])).round(4)
    array([[[1.    , 0.    ],
            [0.5403, 0.8415]]])
    """
    n, d_k = heads.shape[-2:]
    how = rotation or rotation_of(ScoreOptions(), d_k)
    (cos, cos_2), (sin, sin_2) = _turns(n, start, how)
    first, second = heads[..., how.first], heads[..., how.second]
    rotated = heads.copy()
    rotated[..., how.first] = first * cos - second * sin
    rotated[..., how.second] = first * sin_2 + second * cos_2
    return rotated


def rotate_back(slopes: FloatArray, start: int, how: Rotation) -> FloatArray:
    """The way back, for derivatives: how a number moves with the columns before they were turned.

    A column has moved its own pair only: itself by a cosine, its like by a sine.

    >>> how = rotation_of(ScoreOptions(), 2)
    >>> rotate_back(rotate(np.array([[[1.0, 2.0]]]), 5, how), 5, how).round(8)
    array([[[1., 2.]]])
    """
    (cos, cos_2), (sin, sin_2) = _turns(slopes.shape[-2], start, how)
    first, second = slopes[..., how.first], slopes[..., how.second]
    back = slopes.copy()
    back[..., how.first] = first * cos + second * sin_2
    back[..., how.second] = second * cos_2 - first * sin
    return back


def _turns(n: int, start: int, how: Rotation) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """The cosines of the first columns of the pairs and of the second ones; then the sines."""
    angle = how.angles(_positions(n, start))
    return how.by_columns(np.cos(angle)), how.by_columns(np.sin(angle))


def alibi_slopes(n_heads: int) -> FloatArray:
    """The slope of each head, as in the paper: 2^(-8/n), 2^(-16/n), ... if n is a power of 2.

    For other counts the paper takes the slopes of the next lower power of 2, then every second
    slope of the next higher one.

    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    >>> alibi_slopes(3)
    array([0.0625    , 0.00390625, 0.25      ])
    """
    power = 2 ** math.floor(math.log2(n_heads))
    slopes = _geometric(power)
    between = _geometric(2 * power)[0::2]
    return np.concatenate([slopes, between])[:n_heads]


def alibi(
    n_heads: int, n_q: int, n_k: int, start: int = 0, rows: slice = slice(None)
) -> FloatArray:
    """The numbers that ALiBi adds to the scores: minus the slope times the distance.

    Shape: (n_heads, n_q, n_k), or only `rows` of it. The distance is never negative, so the rule
    works without a causal mask too. `start` is the place of the first query among the keys.

    >>> alibi(1, 2, 2)
    array([[[ 0.        , -0.00390625],
            [-0.00390625,  0.        ]]])
    """
    return alibi_slopes(n_heads)[:, None, None] * -distances(n_q, n_k, start, rows)


def distances(
    n_q: int, n_k: int, start: int = 0, rows: slice = slice(None)
) -> npt.NDArray[np.int_]:
    """How far each key is from each query. `start` is the place of the first query."""
    return np.abs(_positions(n_q, start)[rows] - np.arange(n_k))


def _positions(n: int, start: int) -> npt.NDArray[Any]:
    return np.arange(start, start + n)[:, None]


def _geometric(n: int) -> FloatArray:
    return 2.0 ** (-8.0 * np.arange(1, n + 1) / n)
