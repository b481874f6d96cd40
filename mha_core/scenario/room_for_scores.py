"""Whether there is room for the scores of a layer; the error speaks of its tokens and heads."""

from __future__ import annotations

import math

from mha_core.checks.errors import LimitError
from mha_core.language import say, say_number
from mha_core.scenario.scenario import Scenario


def check_room_for_scores(s: Scenario, most: int, way_out: str, *, where: str = "") -> None:
    """Refuse a layer with more scores, heads x queries x keys, than `most`."""
    if s.n_heads * s.n_q * s.n_k <= most:
        return
    a_head = most // s.n_heads
    beside = say_number("with one head{where}", "with {count} heads{where}", s.n_heads).format(
        count=s.n_heads, where=where
    )
    if s.context is None:
        need = say("must have at most {rows:,} rows {beside}").format(
            rows=math.isqrt(a_head), beside=beside
        )
        raise LimitError("X", need, f"{s.n_q:,}", way_out)
    need = say("must have at most {rows:,} rows {beside} and {rows_of_c:,} rows of C").format(
        rows=max(1, a_head // s.n_k), beside=beside, rows_of_c=s.n_k
    )
    raise LimitError("X", need, f"{s.n_q:,}", way_out)
