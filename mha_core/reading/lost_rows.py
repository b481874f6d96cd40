"""What a naive softmax has lost: rows of weights that are not numbers, and why, in words."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_row_max

STABLE: Final = say("The stable softmax subtracts the row's maximum first.")


def lost_rows(trace: Trace) -> BoolArray:
    """True where a query sees keys and its weights do not sum to 1. Shape: (n_heads, n_q)

    They are not numbers, or all 0 where only the sum of the exponentials is infinite.
    """
    if not without_row_max(trace.scenario):
        return np.zeros(trace.weights.shape[:2], np.bool_)
    has_weights = trace.weights.sum(axis=-1) > 0  # which NaN is not
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
    said = (
        (
            overflowed,
            say("{not_numbers}: exp overflowed").format(not_numbers=_not_numbers(overflowed)),
        ),
        (
            have_vanished,
            say("{not_numbers}: every exponential is 0").format(
                not_numbers=_not_numbers(have_vanished)
            ),
        ),
        (are_zeros, say("all 0: the sum of the exponentials overflowed")),
    )
    counts = ((int(rows.sum()), words) for rows, words in said)
    return " ".join(f"{_of(n, lost.size)} {words}." for n, words in counts if n)


def _not_numbers(rows: BoolArray) -> str:
    return say("not a number") if rows.sum() == 1 else say("not numbers")


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
        too_large = say("{of} too large for {kind}.").format(
            of=_of(infinite, int(seen.sum()), "exponential"), kind=kind
        )
        them = "it" if infinite == 1 else "them"
        return say("{too_large} What is computed from {them} is not a number. {stable}").format(
            too_large=too_large, them=them, stable=STABLE
        )
    if lost:
        return say("{of} lost: see each head. {stable}").format(
            of=_of(lost, trace.weights[..., 0].size), stable=STABLE
        )
    ends = np.log(np.float64(np.finfo(kind).max))
    return say(
        "The softmax is naive: nothing is subtracted. In {kind}, exp overflows "
        "from a score of {ends:.1f} on."
    ).format(kind=kind, ends=ends)


def _of(n: int, of: int, thing: str = "row") -> str:
    return f"{n} of {of} {thing}{'s' * (of > 1)} {'is' if n == 1 else 'are'}"
