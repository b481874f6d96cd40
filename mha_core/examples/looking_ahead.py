"""Claims about causal masks that several examples share."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.trace import Trace
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal


def nobody_looks_ahead(trace: Trace) -> bool:
    return not np.triu(trace.weights, k=1).any()


def each_sees_the_past(trace: Trace) -> bool:
    """Each token gives weight to itself and to all before it, and to none that comes later."""
    own_and_before = np.tril_indices(trace.scenario.n_q, m=trace.scenario.n_k)
    sees = (trace.weights > 0)[:, *own_and_before]
    return bool(sees.all()) and nobody_looks_ahead(trace)


def _rows_blend_the_past(trace: Trace) -> bool:
    """Row t of each head is computed again, from the values of the first t tokens only.

    Where a window hides some of them, it blends fewer.
    """
    if not each_sees_the_past(trace):
        return False
    values = np.repeat(trace.v_normed, len(trace.weights) // len(trace.v_normed), axis=0)
    return all(
        nearly_equal(
            trace.head_outputs[:, t],
            (trace.weights[:, t, None, : t + 1] @ values[:, : t + 1])[:, 0],
        )
        for t in range(trace.weights.shape[1])
    )


def _rows_that_move(trace: Trace, changed: int) -> list[bool]:
    """Which rows of the output move when one row of X changes."""
    x = trace.x.copy()
    x[changed] += 1
    other = attend(replace(trace.scenario, x=x))
    return [not nearly_equal(a, b) for a, b in zip(trace.output, other.output, strict=True)]


def _only_the_last_row_moves(trace: Trace) -> bool:
    *before, last = _rows_that_move(trace, changed=-1)
    return last and not any(before)


def every_row_moves(trace: Trace) -> bool:
    return all(_rows_that_move(trace, changed=-1))


LANGUAGE_MODEL: Final = (
    Claim(say("No token looks ahead."), nobody_looks_ahead),
    Claim(say("Row t of a head's output blends values 1 to t."), _rows_blend_the_past),
    Claim(say("Change the last word: only the last output row moves."), _only_the_last_row_moves),
)
