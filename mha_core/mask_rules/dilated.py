"""The rule of a dilated window."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import ALIGN, Counted, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, Align, check_count, places


def dilated(
    n_q: int, n_k: int, *, step: int, align: Align = "end", rows: slice = ALL_ROWS
) -> BoolArray:
    """Dilated: a query sees the keys whose distance is a multiple of the step.

    >>> dilated(3, 3, step=2).astype(int)
    array([[1, 0, 1],
           [0, 1, 0],
           [1, 0, 1]])
    """
    check_count("dilated's step", step, least=1)
    query, key = places(n_q, n_k, align, rows)
    is_seen: BoolArray = np.abs(query - key) % step == 0
    return is_seen


RULE: Final = MaskRule(
    dilated,
    order=80,
    options=(Counted("step", say("Step"), first=2, least=1), ALIGN),
    words=say("Dilated: a query sees the keys whose distance is a multiple of the step."),
)
