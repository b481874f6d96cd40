"""The RMS norm of queries and keys as a layer has it: over which columns, and with which gains."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.registry import OPTIONS
from mha_core.scenario.score_options import ScoreOptions


@dataclass(frozen=True)
class Norm:
    """How heads are normed: each number is divided by the root mean square of its row.

    The row is that of its head, or that of all heads side by side.
    """

    is_over_all: bool
    eps: float
    gains: tuple[float, ...] | None

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes of heads, as (head, row, column), that a mean is over."""
        return (0, 2) if self.is_over_all else (2,)

    def gain(self, n_heads: int) -> FloatArray | float:
        """What each column is multiplied by, for all rows of all heads."""
        if self.gains is None:
            return 1.0
        gains = np.array(self.gains)
        return gains.reshape(n_heads, 1, -1) if self.is_over_all else gains


def norm_of(s: Any, of: Literal["q", "k"]) -> Norm:
    """The norm of a scenario's queries or keys; gains that do not fit are refused."""
    return _norm(s.scores, of, s.n_heads if of == "q" else s.n_kv_heads, s.d_k)


@lru_cache(64)
def _norm(scores: ScoreOptions, of: str, n_heads: int, d_k: int) -> Norm:
    is_over_all = scores.qk_norm == "all"
    gains = getattr(scores, f"{of}_gain")
    _check_gains(OPTIONS[f"{of}_gain"].thing, gains, n_heads * d_k if is_over_all else d_k)
    return Norm(is_over_all, scores.qk_norm_eps, gains)


def _check_gains(thing: str, gains: tuple[float, ...] | None, columns: int) -> None:
    if gains is not None and len(gains) != columns:
        raise ShapeError(
            thing,
            say("must be {count}: one for each column that is normed").format(count=columns),
            str(len(gains)),
            say("Leave them out, then all are 1."),
        )
