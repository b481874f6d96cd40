"""The causal rule."""

from __future__ import annotations

from typing import Final

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import ALIGN, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, Align, places


def causal(n_q: int, n_k: int, *, align: Align = "end", rows: slice = ALL_ROWS) -> BoolArray:
    """Causal: no query sees a key after its own place.

    >>> causal(2, 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    >>> causal(2, 3, align="start").astype(int)
    array([[1, 0, 0],
           [1, 1, 0]])
    """
    query, key = places(n_q, n_k, align, rows)
    return key <= query


RULE: Final = MaskRule(
    causal,
    order=10,
    options=(ALIGN,),
    is_often_used=True,
    words=say("Causal: no query sees a key after its own place."),
)
