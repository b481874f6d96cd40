"""Vectors for distances: given, taken away, for more distances or for fewer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_whole
from mha_core.layer.positions import sinusoids
from mha_core.scenario.scenario import Scenario

OF_DISTANCES: Final = ("r_k", "r_q")
FIRST_REACH: Final = 2  # of an R that nobody has given


def with_reach(s: Scenario, reach: int) -> Scenario:
    """Vectors for all distances up to this one, backwards and forwards.

    New rows are those at the ends again: what is farther away had these before, so no score
    changes. Without an R before, R_K begins as waves, read at the distance: each head has the same.
    """
    check_whole("reach", reach, 0, (LIMITS.width - 1) // 2)
    before = {name: getattr(s, name) for name in OF_DISTANCES}
    given = {name: array for name, array in before.items() if array is not None}
    if not given:
        return replace(s, r_k=np.tile(waves(reach, s.d_k), s.n_heads).astype(s.dtype))
    changed: dict[str, Any] = {name: _reaching(array, reach) for name, array in given.items()}
    return replace(s, **changed)


def without_distances(s: Scenario) -> Scenario:
    return replace(s, r_k=None, r_q=None)


def waves(reach: int, d_k: int) -> FloatArray:
    """The sinusoids of positions, at distances: what Transformer-XL makes its vectors of.

    >>> waves(1, 2).round(2)
    array([[-0.84,  0.54],
           [ 0.  ,  1.  ],
           [ 0.84,  0.54]])
    """
    return sinusoids(2 * reach + 1, d_k, -reach)


def _reaching(r: FloatArray, reach: int) -> FloatArray:
    middle = len(r) // 2
    rows = np.clip(np.arange(-reach, reach + 1), -middle, middle) + middle
    taken: FloatArray = r[rows]
    return taken
