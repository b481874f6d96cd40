"""The gate between the heads and W_O: what it lets through."""

from __future__ import annotations

import numpy as np

from mha_core.checks.shapes import FloatArray


def opened(scores: FloatArray) -> FloatArray:
    """The sigmoid: how far a gate is open, from 0 to 1.

    >>> opened(np.array([-100.0, 0.0, np.log(3)])).round(8)
    array([0.  , 0.5 , 0.75])
    """
    made: FloatArray = 1 / (1 + np.exp(-scores))
    return made
