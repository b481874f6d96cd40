"""A model in our own format, small enough to be computed by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from mha_core.checks.shapes import FloatArray
from tests.core.models.held import Held

WORDS = ["a", "b", "c", "d", "<unk>"]


def own_model(**config: Any) -> Held:
    """Two layers of two heads: d_k 3, d_v 1, d_model 5, places for 7 tokens."""
    drawn = np.random.default_rng(0)

    def numbers(*shape: int) -> FloatArray:
        return drawn.normal(size=shape).astype(np.float32)

    tensors = {"embed": numbers(5, 5), "positions": numbers(7, 5), "unembed": numbers(5, 5)}
    for layer in range(2):
        place = f"layers.{layer}"
        tensors |= {
            f"{place}.w_q": numbers(5, 6),
            f"{place}.w_k": numbers(5, 6),
            f"{place}.w_v": numbers(5, 2),
            f"{place}.w_o": numbers(2, 5),
        }
    tensors["layers.1.b_o"] = numbers(5)
    said = {"family": "attention-only", "heads": 2, "words": WORDS, "causal": True}
    return Held(tensors, {**said, **config})
