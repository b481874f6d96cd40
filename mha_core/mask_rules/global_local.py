"""The rule of a few global tokens and a window for the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import ALIGN, Counted, Keys, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, Align, check_count, check_keys, places
from mha_core.mask_rules.sliding_window import sliding_window


def global_local(
    n_q: int,
    n_k: int,
    *,
    global_tokens: Sequence[int],
    left: int,
    right: int = 0,
    align: Align = "end",
    rows: slice = ALL_ROWS,
) -> BoolArray:
    """Global plus local: a few tokens see all and are seen by all; the others have a window.

    >>> global_local(4, 4, global_tokens=[0], left=1).astype(int)
    array([[1, 1, 1, 1],
           [1, 1, 0, 0],
           [1, 1, 1, 0],
           [1, 0, 1, 1]])
    """
    check_keys("global_local's global_tokens", global_tokens, n_k)
    check_count("global_local's left", left)
    check_count("global_local's right", right)
    query, key = places(n_q, n_k, align, rows)
    local = sliding_window(n_q, n_k, left=left, right=right, align=align, rows=rows)
    return local | np.isin(query, global_tokens) | np.isin(key, global_tokens)


RULE: Final = MaskRule(
    global_local,
    order=60,
    options=(
        Keys("global_tokens", say("Global tokens"), first=lambda *_: (0,)),
        Counted("left", say("Keys before"), first=1),
        Counted("right", say("Keys after"), first=1),
        ALIGN,
    ),
    words=say(
        "Global plus local: a few tokens see all and are seen by all; the others have a window."
    ),
)
