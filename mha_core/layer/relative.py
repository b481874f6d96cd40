"""Relative positions: what queries and keys meet of their distance, beside each other.

R_K has a vector for each distance, and for each head. A query meets the key plus this vector, so
its score gets one more product. R_Q is the same for keys. Each vector is multiplied once, and the
products are picked by distance: no array has a vector for each pair.

If places have several axes, a pair of tokens has a distance on each, and meets a vector of each.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.layer.on_scores import ALL_HEADS
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.scenario.scenario import Scenario

Places = npt.NDArray[np.int_]


def rows_of_distances(s: Scenario, rows: slice = ALL_ROWS) -> Places:
    """For some queries and all keys: the row of R that their distance has, on each axis.

    What is farther away than R reaches has the row at its end. Shape: (axes, rows, n_k)
    """
    reach, places = s.reach, s.scores.r_places
    rows_of_r: Places
    if places is None:
        queries = np.arange(s.n_q)[rows, None] + s.query_start
        keys = np.arange(s.n_k) + s.key_start
        rows_of_r = np.clip(keys - queries, -reach, reach) + reach
        return rows_of_r[None]
    on_axes = np.array(places).T
    of_queries = on_axes[:, s.query_start : s.query_start + s.n_q][:, rows, None]
    of_keys = on_axes[:, None, s.key_start : s.key_start + s.n_k]
    middles = reach + (2 * reach + 1) * np.arange(len(on_axes))
    rows_of_r = np.clip(of_keys - of_queries, -reach, reach) + middles[:, None, None]
    return rows_of_r


def by_heads(s: Scenario, r: FloatArray) -> FloatArray:
    """R of each head. Shapes: (n_distances, n_heads * d_k) -> (n_heads, n_distances, d_k)."""
    return r.reshape(s.n_distances, s.n_heads, s.d_k).swapaxes(0, 1)


def one_below_the_other(tables: Sequence[FloatArray], reach: int) -> FloatArray:
    """The vectors of each axis, as R has them: for distances up to one reach.

    Of a table that reaches less far, the rows at the ends are repeated: what is farther away on its
    axis has these.

    >>> one_below_the_other([np.array([[1.0], [2], [3]]), np.array([[4.0]])], reach=1).T
    array([[1., 2., 3., 4., 4., 4.]])
    """
    distances = np.arange(-reach, reach + 1)
    middles = [len(table) // 2 for table in tables]
    return np.concatenate(
        [
            table[np.clip(distances, -middle, middle) + middle]
            for table, middle in zip(tables, middles, strict=True)
        ]
    )


def relative(
    s: Scenario, q: FloatArray, k: FloatArray, places: Places, heads: slice = ALL_HEADS
) -> FloatArray:
    """What the distances add to the scores of some queries, in some heads.

    Shapes: (h, rows, d_k), (h, n_k, d_k), (axes, rows, n_k) -> (h, rows, n_k)
    """
    parts: list[FloatArray] = []
    if s.r_k is not None:
        of_queries = q @ by_heads(s, s.r_k)[heads].mT
        parts += (np.take_along_axis(of_queries, each[None], axis=-1) for each in places)
    if s.r_q is not None:
        of_keys = k @ by_heads(s, s.r_q)[heads].mT
        parts += (np.take_along_axis(of_keys, each.T[None], axis=-1).mT for each in places)
    return sum(parts[1:], parts[0])


def summed_by_distance(by_pairs: FloatArray, places: Places, count: int) -> FloatArray:
    """The way back: the sum of the numbers of all pairs that have a row of R, of each query.

    Shapes: (h, rows, n_k), (axes, rows, n_k) -> (h, rows, count)

    >>> summed_by_distance(np.array([[[1.0, 2, 4]]]), np.array([[[1, 2, 2]]]), 3)
    array([[[0., 1., 6.]]])
    """
    of_an_axis = count // len(places)
    sums = [
        np.where(places[row // of_an_axis] == row, by_pairs, 0).sum(axis=-1) for row in range(count)
    ]
    return np.stack(sums, axis=-1)
