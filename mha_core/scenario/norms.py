"""The norms of a layer: over which columns, whether the mean goes first, and with which gains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.concat_norm import is_concat_normed
from mha_core.options.qk_norm import is_divided, is_normed
from mha_core.options.registry import OPTIONS
from mha_core.options.v_norm import are_values_normed
from mha_core.scenario.score_options import ScoreOptions

NormOf = Literal["q", "k", "v", "concat"]


@dataclass(frozen=True)
class Norm:
    """How heads are normed: each number is divided by the root mean square of its row.

    The row is that of its head, or that of all heads side by side. In a LayerNorm the mean of the
    row is subtracted first (`is_centered`). Gains and shifts are one for each column of a head, or
    of all heads. They may be all there is (`is_divided` is False).
    """

    is_over_all: bool
    eps: float
    gains: tuple[float, ...] | None = None
    is_centered: bool = False
    shifts: tuple[float, ...] | None = None
    is_divided: bool = True

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes of heads, as (head, row, column), that a mean is over."""
        return (0, 2) if self.is_over_all else (2,)

    def gain(self, heads: FloatArray) -> FloatArray | float:
        """What each column of the heads is multiplied by, in all rows."""
        return 1.0 if self.gains is None else _in_columns(self.gains, heads)

    def shift(self, heads: FloatArray) -> FloatArray | float:
        """What is then added to each column of the heads, in all rows."""
        return 0.0 if self.shifts is None else _in_columns(self.shifts, heads)


def _in_columns(numbers: tuple[float, ...], heads: FloatArray) -> FloatArray:
    n_heads, _, width = heads.shape
    return np.array(numbers).reshape(n_heads if len(numbers) > width else 1, 1, width)


def norms_of(scores: ScoreOptions) -> Iterator[NormOf]:
    """What a layer with these options norms."""
    if is_normed(scores):
        yield "q"
        yield "k"
    if are_values_normed(scores):
        yield "v"
    if is_concat_normed(scores):
        yield "concat"


def norm_of(s: Any, of: NormOf) -> Norm:
    """A norm of a scenario that has it; gains that do not fit are refused."""
    n_heads = s.n_heads if of in ("q", "concat") else s.n_kv_heads
    return _norm(s.scores, of, n_heads, s.d_k if of in ("q", "k") else s.d_v)


@lru_cache(128)
def _norm(scores: ScoreOptions, of: NormOf, n_heads: int, width: int) -> Norm:
    gains, shifts = (
        _fitting(scores, f"{of}_{what}", of, n_heads, width) for what in ("gain", "shift")
    )
    if of == "v":
        return Norm(False, scores.v_norm_eps, gains)
    if of == "concat":
        is_centered = scores.concat_norm == "layer"
        return Norm(True, scores.concat_norm_eps, gains, is_centered, shifts)
    is_over_all, divides = scores.qk_norm == "all", is_divided(scores)
    is_centered = divides and scores.qk_norm_kind == "layer"
    return Norm(is_over_all, scores.qk_norm_eps, gains, is_centered, shifts, divides)


def _fitting(
    scores: ScoreOptions, name: str, of: NormOf, n_heads: int, width: int
) -> tuple[float, ...] | None:
    """The gains or shifts of this name, refused if they are not as many as columns."""
    numbers: tuple[float, ...] | None = getattr(scores, name) if name in OPTIONS else None
    is_over_all = of == "concat" or (of != "v" and scores.qk_norm == "all")
    may_be = [n_heads * width] if is_over_all or n_heads == 1 else [width, n_heads * width]
    if numbers is None or len(numbers) in may_be:
        return numbers
    need = say("must be {count}: one for each column that is normed").format(count=may_be[-1])
    if len(may_be) > 1:
        says = say("must be {width}, one for each column of a head, or {count}, for those of all")
        need = says.format(width=width, count=may_be[-1])
    raise ShapeError(OPTIONS[name].thing, need, str(len(numbers)), _way_out(name))


def _way_out(name: str) -> str:
    if name.endswith("gain"):
        return say("Leave them out, then all are 1.")
    return say("Leave them out, then all are 0.")
