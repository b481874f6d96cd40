"""Whether there is room for the scores of a layer, said of its tokens and heads."""

from __future__ import annotations

import math

from mha_core.checks.errors import LimitError
from mha_core.language import say
from mha_core.scenario.scenario import Scenario


def check_room_for_scores(s: Scenario, most: int, way_out: str, *, where: str = "") -> None:
    """Refuse a layer with more scores, heads x queries x keys, than `most`."""
    if s.n_heads * s.n_q * s.n_k <= most:
        return
    a_head = most // s.n_heads
    beside = (
        f"with {s.n_heads} heads{where}"
        if s.n_heads > 1
        else say("with one head{where}").format(where=where)
    )
    if s.context is None:
        need = say("must have at most {isqrt:,} rows {beside}").format(
            isqrt=math.isqrt(a_head), beside=beside
        )
        raise LimitError("X", need, f"{s.n_q:,}", way_out)
    need = say("must have at most {max:,} rows {beside} and {n_k:,} rows of C").format(
        max=max(1, a_head // s.n_k), beside=beside, n_k=s.n_k
    )
    raise LimitError("X", need, f"{s.n_q:,}", way_out)
