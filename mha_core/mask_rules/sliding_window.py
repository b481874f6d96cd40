"""The rule of a sliding window."""

from __future__ import annotations

from typing import Final

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import ALIGN, Counted, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, Align, check_count, places


def sliding_window(
    n_q: int, n_k: int, *, left: int, right: int = 0, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Sliding window: a query sees `left` keys before its own place and `right` after it.

    >>> sliding_window(4, 4, left=1).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    check_count("sliding_window's left", left)
    check_count("sliding_window's right", right)
    query, key = places(n_q, n_k, align, rows)
    return (key >= query - left) & (key <= query + right)


RULE: Final = MaskRule(
    sliding_window,
    order=30,
    options=(
        Counted("left", say("Keys before"), first=1),
        Counted("right", say("Keys after"), first=1),
        ALIGN,
    ),
    is_often_used=True,
    words=say(
        "Sliding window: a query sees `left` keys before its own place and `right` after it."
    ),
)
