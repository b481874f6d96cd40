"""What a naive softmax has lost: rows of weights that are not numbers, and why, in words."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say, say_number
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_row_max

STABLE: Final = say("The stable softmax subtracts the row's maximum first.")


def lost_rows(trace: Trace) -> BoolArray:
    """True where a query sees keys and its weights, with its sink, do not sum to 1.

    Shape: (n_heads, n_q)

    They are not numbers, or all 0 where only the sum of the exponentials is infinite.
    """
    if not without_row_max(trace.scenario):
        return np.zeros(trace.weights.shape[:2], np.bool_)
    sums = trace.weights.sum(axis=-1) + trace.sink_weights[..., 0]
    has_weights = sums > 0  # which NaN is not
    lost: BoolArray = ~has_weights & ~trace.blind_queries
    return lost


def lost_in_head(trace: Trace, head: int) -> str:
    """How many rows of a head are lost, and how; "" where none is.

    >>> from mha_core import attend
    >>> from mha_core.changing.changes import with_scores
    >>> from mha_core.examples import load_example
    >>> trace = attend(with_scores(load_example("saturated"), softmax="naive"))
    >>> lost_in_head(trace, 0), lost_in_head(trace, 1)
    ('', '3 of 4 rows are not numbers: exp overflowed.')
    """
    lost = lost_rows(trace)[head]
    if not lost.any():
        return ""
    are_zeros = lost & ~np.isnan(trace.weights[head]).any(axis=-1)
    have_vanished = lost & (trace.row_sums[head, :, 0] == 0)
    overflowed = lost & ~are_zeros & ~have_vanished
    n_overflowed, n_vanished, n_zeros = (
        int(rows.sum()) for rows in (overflowed, have_vanished, are_zeros)
    )
    said = (
        (
            n_overflowed,
            say_number(
                "{count} of {rows} is not a number: exp overflowed.",
                "{count} of {rows} are not numbers: exp overflowed.",
                n_overflowed,
            ),
        ),
        (
            n_vanished,
            say_number(
                "{count} of {rows} is not a number: every exponential is 0.",
                "{count} of {rows} are not numbers: every exponential is 0.",
                n_vanished,
            ),
        ),
        (
            n_zeros,
            say_number(
                "{count} of {rows} is all 0: the sum of the exponentials overflowed.",
                "{count} of {rows} are all 0: the sum of the exponentials overflowed.",
                n_zeros,
            ),
        ),
    )
    rows = _rows(lost.size)
    return " ".join(says.format(count=count, rows=rows) for count, says in said if count)


def overflow_note(trace: Trace) -> str:
    """What becomes of the exponentials of a naive softmax; "" of a stable one.

    >>> from mha_core import attend
    >>> from mha_core.changing.changes import with_scores
    >>> from mha_core.examples import load_example
    >>> print(overflow_note(attend(with_scores(load_example("pizza"), softmax="naive"))))
    The softmax is naive: nothing is subtracted. In float64, exp overflows from a score of 709.8 on.
    """
    if not without_row_max(trace.scenario):
        return ""
    kind = trace.scenario.dtype
    seen = np.broadcast_to(trace.mask, trace.exponentials.shape)
    infinite = int(np.isinf(trace.exponentials[seen]).sum())
    lost = int(lost_rows(trace).sum())
    if infinite:
        of_all = int(seen.sum())
        exponentials = say_number("{count} exponential", "{count} exponentials", of_all)
        too_large = say_number(
            "{count} of {exponentials} is too large for {type}. "
            "What is computed from it is not a number.",
            "{count} of {exponentials} are too large for {type}. "
            "What is computed from them is not a number.",
            infinite,
        ).format(count=infinite, exponentials=exponentials.format(count=of_all), type=kind)
        return f"{too_large} {STABLE}"
    if lost:
        are_lost = say_number(
            "{count} of {rows} is lost: see each head.",
            "{count} of {rows} are lost: see each head.",
            lost,
        ).format(count=lost, rows=_rows(trace.weights[..., 0].size))
        return f"{are_lost} {STABLE}"
    ends = np.log(np.float64(np.finfo(kind).max))
    return say(
        "The softmax is naive: nothing is subtracted. In {type}, exp overflows "
        "from a score of {score:.1f} on."
    ).format(type=kind, score=ends)


def _rows(count: int) -> str:
    return say_number("{count} row", "{count} rows", count).format(count=count)
