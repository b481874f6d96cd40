"""The gate of what the heads add to their scores."""

from __future__ import annotations

import numpy as np

from mha_core.checks.shapes import FloatArray


def factors_of(shares: FloatArray, c_f: FloatArray | None) -> FloatArray:
    """What the numbers that a head adds to its scores are multiplied by, for each query.

    Of the two shares of a query the first says how much the gate counts: 0 leaves 2. `c_f` has a
    number for each head. What is taken from 2 is computed in float64.

    Shape: (n_heads, n_q, 2) -> (n_heads, n_q, 1)

    >>> factors_of(np.array([[[0.0, 0.5], [0.5, 0.5]]]), np.array([4.0]))
    array([[[2. ],
            [2.5]]])
    """
    first, second = shares[..., :1], shares[..., 1:]
    counts = second if c_f is None else second * c_f[:, None, None]
    made: FloatArray = (2 - first * (np.float64(1) - counts)).astype(shares.dtype)
    return made
