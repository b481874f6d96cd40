"""The n x n part of the forward pass, cut into pieces that stay in the processor's cache.

The arithmetic is `mha_core.attention`'s, run on one piece at a time. A piece is a few heads, or a
few rows of one head. Where a head fits in one piece the numbers are the same to the last bit as
those of the whole; beyond that the cut may move the last bit of a product.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mha_core.attention import weights_in_place
from mha_core.shapes import BoolArray, FloatArray

BLOCK_BYTES: Final = 512 * 1024  # half of a common second-level cache

Block = tuple[slice, slice]  # heads, rows


def blocks(n_heads: int, n_q: int, n_k: int, itemsize: int) -> Iterator[Block]:
    """Cut (n_heads, n_q, n_k) into blocks of at most BLOCK_BYTES: whole heads, or rows of one.

    >>> list(blocks(2, 256, 1024, itemsize=8))[1]
    (slice(0, 1, None), slice(64, 128, None))
    >>> list(blocks(8, 4, 4, itemsize=8))
    [(slice(0, 8, None), slice(0, 4, None))]
    """
    cells = BLOCK_BYTES // itemsize
    heads = min(n_heads, max(1, cells // (n_q * n_k)))
    rows = min(n_q, max(1, cells // n_k))
    for head in range(0, n_heads, heads):
        for row in range(0, n_q, rows):
            yield (
                slice(head, min(head + heads, n_heads)),
                slice(row, min(row + rows, n_q)),
            )


def scores_in_blocks(q: FloatArray, k: FloatArray) -> FloatArray:
    """Q K^T of every head. Shapes: (h, n_q, d), (h, n_k, d) -> (h, n_q, n_k)."""
    scores = np.empty((len(q), q.shape[1], k.shape[1]), q.dtype)
    for heads, rows in blocks(*scores.shape, scores.itemsize):
        np.matmul(q[heads, rows], k[heads].mT, out=scores[heads, rows])
    return scores


def weights_in_blocks(
    q: FloatArray,
    k: FloatArray,
    *,
    scale: float,
    softcap: float | None,
    bias: FloatArray | None,
    allowed: BoolArray | None,
) -> FloatArray:
    """From Q and K to the weights of every head, with nothing of that size held beside them.

    Shapes: (h, n_q, d), (h, n_k, d) -> (h, n_q, n_k); bias (h, n_q, n_k), allowed (n_q, n_k)
    """
    weights = np.empty((len(q), q.shape[1], k.shape[1]), q.dtype)
    for heads, rows in blocks(*weights.shape, weights.itemsize):
        block = weights[heads, rows]
        np.matmul(q[heads, rows], k[heads].mT, out=block)
        weights_in_place(
            block,
            scale=scale,
            softcap=softcap,
            bias=None if bias is None else bias[heads, rows],
            allowed=None if allowed is None else allowed[rows],
        )
    return weights
