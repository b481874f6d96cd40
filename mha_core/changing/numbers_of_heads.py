"""Options that have a number for each column or head, where sizes or the order of heads change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from mha_core.checks.shapes import FloatArray, Sizes
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions


class OfColumns(NamedTuple):
    """The option of a norm that has a number for each column of some heads, or of all of them."""

    norm: str  # the option that says which norm there is
    heads: str
    width: str
    usual: float  # what new columns get


OF_COLUMNS: Final[Mapping[str, OfColumns]] = {
    "q_gain": OfColumns("qk_norm", "n_heads", "d_k", 1),
    "q_shift": OfColumns("qk_norm", "n_heads", "d_k", 0),
    "k_gain": OfColumns("qk_norm", "n_kv_heads", "d_k", 1),
    "k_shift": OfColumns("qk_norm", "n_kv_heads", "d_k", 0),
    "v_gain": OfColumns("v_norm", "n_kv_heads", "d_v", 1),
    "concat_gain": OfColumns("concat_norm", "n_heads", "d_v", 1),
    "concat_shift": OfColumns("concat_norm", "n_heads", "d_v", 0),
}


def scores_resized(s: Scenario, scores: ScoreOptions, after: Sizes) -> ScoreOptions:
    """These options in other sizes: what `s` has too keeps its numbers, new columns the usual."""
    changed: dict[str, Any] = {}
    for name, of in OF_COLUMNS.items():
        numbers = getattr(scores, name)
        if numbers is None or numbers != getattr(s.scores, name):
            continue
        is_same_norm = getattr(scores, of.norm) == getattr(s.scores, of.norm)
        if is_same_norm and getattr(scores, of.norm) != "none":
            old = np.reshape(numbers, (-1, s.sizes[of.width]))
            many = after[of.heads] if _are_of_each_head(s, name) else 1
            new = _in_shape(old, (many, after[of.width]), of.usual)
            changed[name] = tuple(new.ravel().tolist())
    return replace(scores, **changed)


def scores_in_order(s: Scenario, order: Sequence[int]) -> ScoreOptions:
    """The options when heads are in another order: those with numbers of their own take them along.

    Heads that share their keys share the gains of these too.
    """
    changed: dict[str, Any] = {}
    for name, of in OF_COLUMNS.items():
        numbers = getattr(s.scores, name)
        is_normed = getattr(s.scores, of.norm) != "none"
        if numbers is None or not is_normed or not _are_of_each_head(s, name):
            continue
        if s.sizes[of.heads] == s.n_heads:
            moved = np.reshape(numbers, (s.n_heads, -1))[list(order)]
            changed[name] = tuple(moved.ravel().tolist())
    return replace(s.scores, **changed)


def _are_of_each_head(s: Scenario, name: str) -> bool:
    """Whether each head has numbers of its own, or all have the same.

    Those of a single head count as the same for all, unless the norm is over all heads.
    """
    of = OF_COLUMNS[name]
    is_over_all = s.scores.qk_norm == "all" if of.norm == "qk_norm" else of.norm == "concat_norm"
    return is_over_all or len(getattr(s.scores, name)) > s.sizes[of.width]


def _in_shape(numbers: FloatArray, shape: tuple[int, int], usual: float) -> FloatArray:
    result = np.full(shape, float(usual))
    kept = tuple(slice(min(sides)) for sides in zip(numbers.shape, shape, strict=True))
    result[kept] = numbers[kept]
    return result
