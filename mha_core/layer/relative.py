"""Relative positions: what queries and keys meet of their distance, beside each other.

R_K has a vector for each distance, and for each head. A query meets the key plus this vector, so
its score gets one more product. R_Q is the same for keys. Each vector is multiplied once, and the
products are picked by distance: no array has a vector for each pair.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.layer.on_scores import ALL_HEADS
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.scenario.scenario import Scenario

Places = npt.NDArray[np.int_]


def rows_of_distances(s: Scenario, rows: slice = ALL_ROWS) -> Places:
    """For some queries and all keys: the row of R that their distance has.

    What is farther away than R reaches has the row at its end.
    """
    reach = s.n_distances // 2
    queries = np.arange(s.n_q)[rows, None] + s.query_start
    keys = np.arange(s.n_k) + s.key_start
    rows_of_r: Places = np.clip(keys - queries, -reach, reach) + reach
    return rows_of_r


def by_heads(s: Scenario, r: FloatArray) -> FloatArray:
    """R of each head. Shapes: (n_distances, n_heads * d_k) -> (n_heads, n_distances, d_k)."""
    return r.reshape(s.n_distances, s.n_heads, s.d_k).swapaxes(0, 1)


def relative(
    s: Scenario, q: FloatArray, k: FloatArray, places: Places, heads: slice = ALL_HEADS
) -> FloatArray:
    """What the distances add to the scores of some queries, in some heads.

    Shapes: (h, rows, d_k), (h, n_k, d_k), (rows, n_k) -> (h, rows, n_k)
    """
    parts = []
    if s.r_k is not None:
        of_queries = q @ by_heads(s, s.r_k)[heads].mT
        parts.append(np.take_along_axis(of_queries, places[None], axis=-1))
    if s.r_q is not None:
        of_keys = k @ by_heads(s, s.r_q)[heads].mT
        parts.append(np.take_along_axis(of_keys, places.T[None], axis=-1).mT)
    return sum(parts[1:], parts[0])


def summed_by_distance(by_pairs: FloatArray, places: Places, count: int) -> FloatArray:
    """The way back: the sum of the numbers of all pairs that have a row of R, of each query.

    Shapes: (h, rows, n_k), (rows, n_k) -> (h, rows, count)

    >>> summed_by_distance(np.array([[[1.0, 2, 4]]]), np.array([[1, 2, 2]]), 3)
    array([[[0., 1., 6.]]])
    """
    sums = [np.where(places == row, by_pairs, 0).sum(axis=-1) for row in range(count)]
    return np.stack(sums, axis=-1)
