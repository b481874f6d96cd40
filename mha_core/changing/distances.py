"""Vectors for distances: given, taken away, for more distances or for fewer, on other axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_whole
from mha_core.layer.positions import sinusoids
from mha_core.layer.relative import one_below_the_other
from mha_core.options.r_places import axes_of_distances
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

OF_DISTANCES: Final = ("r_k", "r_q")
FIRST_REACH: Final = 2  # of an R that nobody has given


def with_reach(s: Scenario, reach: int) -> Scenario:
    """Vectors for all distances up to this one, backwards and forwards, on each axis.

    New rows are those at the ends again: what is farther away had these before, so no score
    changes. Without an R before, R_K begins as waves, read at the distance: each head has the same.
    """
    axes = axes_of_distances(s.scores)
    check_whole("reach", reach, 0, (LIMITS.width // axes - 1) // 2)
    before = {name: getattr(s, name) for name in OF_DISTANCES}
    given = {name: array for name, array in before.items() if array is not None}
    if not given:
        return replace(s, r_k=np.tile(waves(reach, s.d_k), (axes, s.n_heads)).astype(s.dtype))
    changed: dict[str, Any] = {
        name: one_below_the_other(np.split(array, axes), reach) for name, array in given.items()
    }
    return replace(s, **changed)


def without_distances(s: Scenario) -> Scenario:
    """No vectors for distances, and no places that these are between."""
    return replace(s, r_k=None, r_q=None, scores=replace(s.scores, r_places=None))


def waves(reach: int, d_k: int) -> FloatArray:
    """The sinusoids of positions, at distances: what Transformer-XL makes its vectors of.

    >>> waves(1, 2).round(2)
    array([[-0.84,  0.54],
           [ 0.  ,  1.  ],
           [ 0.84,  0.54]])
    """
    return sinusoids(2 * reach + 1, d_k, -reach)


def distances_on_axes(
    before: ScoreOptions, after: ScoreOptions, arrays: Mapping[str, FloatArray | None]
) -> dict[str, FloatArray]:
    """R_K and R_Q among these arrays where places get another number of axes; none if they don't.

    The first axes keep their rows. A new one begins with those of the last.
    """
    was, now = axes_of_distances(before), axes_of_distances(after)
    if was == now:
        return {}
    given = {name: r for name in OF_DISTANCES if (r := arrays.get(name)) is not None}
    return {name: _on_axes(np.split(r, was), now) for name, r in given.items()}


def _on_axes(tables: Sequence[FloatArray], count: int) -> FloatArray:
    return np.concatenate([*tables[:count], *[tables[-1]] * (count - len(tables))])
