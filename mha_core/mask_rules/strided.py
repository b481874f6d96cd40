"""The rule of the Sparse Transformer."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import ALIGN, Counted, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, Align, IntArray, check_count, places


def strided(
    n_q: int, n_k: int, *, stride: int, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Strided: a query sees the keys nearer than `stride`, and every stride-th key beyond them.

    Together with causal, this is the pattern of the Sparse Transformer.

    >>> from mha_core.mask_rules.causal import causal
    >>> (strided(5, 5, stride=2) & causal(5, 5)).astype(int)
    array([[1, 0, 0, 0, 0],
           [1, 1, 0, 0, 0],
           [1, 1, 1, 0, 0],
           [0, 1, 1, 1, 0],
           [1, 0, 1, 1, 1]])
    """
    check_count("strided's stride", stride, least=1)
    query, key = places(n_q, n_k, align, rows)
    distance: IntArray = np.abs(query - key)
    near: BoolArray = (distance < stride) | (distance % stride == 0)
    return near


RULE: Final = MaskRule(
    strided,
    order=70,
    options=(Counted("stride", say("Stride"), first=2, least=1), ALIGN),
    words=say(
        "Strided: a query sees the keys nearer than `stride`, and every stride-th key beyond them."
    ),
)
