"""What a scenario does to raw scores before they become weights: in all rows, or in some.

Its options change scores; ALiBi, b_S, perhaps with a gate, and the additive mask add to them; the
mask hides some.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypedDict

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.layer.positions import alibi
from mha_core.layer.unchanged import without_alibi, without_row_max
from mha_core.options.registry import OPTIONS, Change, changes_of, numbers_of
from mha_core.scenario.scenario import Scenario

ALL_HEADS: Final = slice(None)


class Changes(TypedDict):
    """What happens to the scores, beside what is added to them and which of them are hidden."""

    before_mask: Sequence[Change]
    after_mask: Sequence[Change]
    is_naive: bool


def sinks_of(s: Scenario, heads: slice = ALL_HEADS) -> FloatArray | None:
    """The sink of each of these heads, as a score of every row; None where there are none."""
    return None if s.sinks is None else s.sinks[heads, None, None]


def changes_to_scores(s: Scenario) -> Changes:
    """What the options do to the scores, before the mask and after it."""
    numbers = numbers_of(s.scores, s.d_k)
    return {
        "before_mask": changes_of(numbers, after_mask=False),
        "after_mask": changes_of(numbers, after_mask=True),
        "is_naive": without_row_max(s),
    }


def changed_by(option: str, s: Scenario, scores: FloatArray) -> FloatArray:
    """Copies of these scores, as an option of the scores changes them."""
    step, changed = OPTIONS[option].step, scores.copy()
    assert step is not None
    step.change(changed, s.scores.number(option, s.d_k))
    return changed


def added_to(rows: slice, s: Scenario, factors: FloatArray | None) -> FloatArray | None:
    """The numbers to add to these rows of the scores of every head, or None.

    `factors` are those of all rows, by which a gate multiplies b_S; None without one.
    """
    parts = []
    if not without_alibi(s):
        queries_after_keys = s.query_start - s.key_start
        parts.append(alibi(s.n_heads, s.n_q, s.n_k, queries_after_keys, rows))
    if s.b_s is not None:
        own = s.b_s.reshape(s.n_heads, s.n_q, s.n_k)[:, rows]
        parts.append(own if factors is None else factors[:, rows] * own)
    if (added := s.mask.added(rows)) is not None:
        parts.append(np.broadcast_to(added, (s.n_heads, *added.shape)))
    return sum(parts[1:], parts[0]).astype(s.dtype) if parts else None


def allowed_in(rows: slice, s: Scenario) -> BoolArray | None:
    """These rows of the mask, or None if it hides nothing."""
    return None if s.mask.hides_nothing else s.mask.allowed(s.n_q, s.n_k, rows)
