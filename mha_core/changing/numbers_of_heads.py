"""Options that have a number for each column or head, where sizes or the order of heads change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray, Sizes
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

# The heads that the gains of a norm over all heads stand for.
GAINS: Final[Mapping[str, str]] = {"q_gain": "n_heads", "k_gain": "n_kv_heads"}


def scores_resized(s: Scenario, scores: ScoreOptions, after: Sizes) -> ScoreOptions:
    """These options in other sizes: what `s` has too keeps its numbers, and new columns have 1."""
    if scores.qk_norm == "none" or scores.qk_norm != s.scores.qk_norm:
        return scores
    changed: dict[str, Any] = {}
    for name, heads in GAINS.items():
        gains = getattr(scores, name)
        if gains is not None and gains == getattr(s.scores, name):
            many = after[heads] if scores.qk_norm == "all" else 1
            old = np.reshape(gains, (-1, s.d_k))
            changed[name] = tuple(_in_shape(old, (many, after["d_k"])).ravel().tolist())
    return replace(scores, **changed)


def scores_in_order(s: Scenario, order: Sequence[int]) -> ScoreOptions:
    """The options when heads are in another order: those with numbers of their own take them along.

    Heads that share their keys share the gains of these too.
    """
    changed: dict[str, Any] = {}
    if s.scores.qk_norm == "all":
        for name, heads in GAINS.items():
            gains = getattr(s.scores, name)
            if gains is not None and s.sizes[heads] == s.n_heads:
                moved = np.reshape(gains, (s.n_heads, -1))[list(order)]
                changed[name] = tuple(moved.ravel().tolist())
    return replace(s.scores, **changed)


def _in_shape(numbers: FloatArray, shape: tuple[int, int]) -> FloatArray:
    result = np.ones(shape)
    kept = tuple(slice(min(sides)) for sides in zip(numbers.shape, shape, strict=True))
    result[kept] = numbers[kept]
    return result
