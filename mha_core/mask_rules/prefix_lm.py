"""The rule of a prefix language model."""

from __future__ import annotations

from typing import Final

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import ALIGN, Counted, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, Align, check_count, places


def prefix_lm(
    n_q: int, n_k: int, *, prefix: int, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Prefix language model: all queries see the first `prefix` keys; the rest is causal.

    >>> prefix_lm(3, 3, prefix=2).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    check_count("prefix_lm's prefix", prefix)
    query, key = places(n_q, n_k, align, rows)
    return (key < prefix) | (key <= query)


RULE: Final = MaskRule(
    prefix_lm,
    order=40,
    options=(
        Counted("prefix", say("Keys open to all"), first=lambda _, n_k: (n_k + 1) // 2),
        ALIGN,
    ),
    words=say(
        "Prefix language model: all queries see the first `prefix` keys; the rest is causal."
    ),
)
