"""The n x n part of the forward pass, cut into blocks that stay in the processor's cache.

The arithmetic is that of `attention.py`, on one block at a time: a few heads, or a few rows of one
head. All functions here cut in the same way, so that a number does not depend on what else was
computed. If a head fits in one block, the numbers are the same to the last bit as without a cut.
Otherwise the last bit of a product may differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.attention import weights_in_place
from mha_core.layer.growth import growth_factors
from mha_core.layer.on_scores import added_to, allowed_in, changes_to_scores, sinks_of
from mha_core.layer.relative import relative, rows_of_distances
from mha_core.layer.unchanged import without_distances, without_growth
from mha_core.scenario.scenario import Scenario

# Measured: smaller blocks make products slower, and larger blocks do not fit in the cache.
BLOCK_BYTES: Final = 4 * 1024 * 1024

CacheBlock = tuple[slice, slice]  # heads, rows


def fits_in_one_block(s: Scenario) -> bool:
    """Are the weights of all heads so small that they are not cut? In a lesson they are."""
    return s.n_heads * s.n_q * s.n_k * s.dtype.itemsize <= BLOCK_BYTES


def cache_blocks(n_heads: int, n_q: int, n_k: int, itemsize: int) -> Iterator[CacheBlock]:
    """Cut (n_heads, n_q, n_k) into blocks of at most BLOCK_BYTES: whole heads, or rows of one.

    All heads of some rows come before the next rows, so that the mask of a row is made once.

    >>> list(cache_blocks(2, 1024, 1024, itemsize=8))[1]
    (slice(1, 2, None), slice(0, 512, None))
    >>> list(cache_blocks(8, 4, 4, itemsize=8))
    [(slice(0, 8, None), slice(0, 4, None))]
    """
    cells = BLOCK_BYTES // itemsize
    heads = min(n_heads, max(1, cells // (n_q * n_k)))
    rows = min(n_q, max(1, cells // n_k))
    for row in range(0, n_q, rows):
        for head in range(0, n_heads, heads):
            yield slice(head, min(head + heads, n_heads)), slice(row, min(row + rows, n_q))


def scores_in_blocks(q: FloatArray, k: FloatArray) -> FloatArray:
    """Q K^T of every head. Shapes: (h, n_q, d), (h, n_k, d) -> (h, n_q, n_k)."""
    n_heads, n_q, n_k = len(q), q.shape[1], k.shape[1]
    scores = np.empty((n_heads, n_q, n_k), q.dtype)
    for heads, rows in cache_blocks(n_heads, n_q, n_k, q.itemsize):
        np.matmul(q[heads, rows], k[heads].mT, out=scores[heads, rows])
    return scores


def relative_in_blocks(s: Scenario, q: FloatArray, k: FloatArray) -> FloatArray:
    """What each query and each key meet of their distance, for every head."""
    scores = np.empty((len(q), s.n_q, s.n_k), q.dtype)
    for heads, rows in cache_blocks(len(q), s.n_q, s.n_k, q.itemsize):
        if heads.start == 0:
            places = rows_of_distances(s, rows)
        scores[heads, rows] = relative(s, q[heads, rows], k[heads], places, heads)
    return scores


def weights_by_block(
    s: Scenario,
    q: FloatArray,
    k: FloatArray,
    factors: FloatArray | None,
    into: FloatArray | None = None,
) -> Iterator[tuple[CacheBlock, FloatArray]]:
    """From Q and K to the weights, block by block, without another n x n array in memory.

    Shapes: (h, n_q, d), (h, n_k, d) -> blocks of (h, n_q, n_k)

    `factors` are those of a gate, by which b_S is multiplied.

    A block is written to its place in `into` if that is given, or else to new memory.
    """
    changes = changes_to_scores(s)
    n_heads, n_q, n_k = len(q), q.shape[1], k.shape[1]
    for heads, rows in cache_blocks(n_heads, n_q, n_k, q.itemsize):
        if heads.start == 0:
            bias, allowed = added_to(rows, s, factors), allowed_in(rows, s)
            places = None if without_distances(s) else rows_of_distances(s, rows)
            growth = None if without_growth(s) else growth_factors(s, rows)
        queries = q[heads, rows]
        block = np.empty((*queries.shape[:2], n_k), q.dtype) if into is None else into[heads, rows]
        np.matmul(queries, k[heads].mT, out=block)
        if places is not None:
            block += relative(s, queries, k[heads], places, heads)
        if growth is not None:
            block *= growth
        weights_in_place(
            block,
            bias=None if bias is None else bias[heads],
            allowed=allowed,
            sinks=sinks_of(s, heads),
            **changes,
        )
        yield (heads, rows), block
