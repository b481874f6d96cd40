"""The rule that hides what only fills up a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import Keys, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, check_keys, places


def padding(n_q: int, n_k: int, *, hidden: Sequence[int], rows: slice = ALL_ROWS) -> BoolArray:
    """Padding: no query sees the chosen key tokens, which only fill up the sequence.

    >>> padding(1, 4, hidden=[3]).astype(int)
    array([[1, 1, 1, 0]])
    """
    check_keys("padding's hidden", hidden, n_k)
    query, key = places(n_q, n_k, "start", rows)
    open_keys: BoolArray = np.broadcast_to(~np.isin(key, hidden), (query.size, n_k))
    return open_keys


RULE: Final = MaskRule(
    padding,
    order=20,
    options=(Keys("hidden", say("Hidden tokens"), first=lambda _, n_k: (n_k - 1,)),),
    words=say("Padding: no query sees the chosen key tokens, which only fill up the sequence."),
)
