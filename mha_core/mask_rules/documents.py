"""The rule of documents that do not see each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray
from mha_core.language import say
from mha_core.mask_rules.declared import Documents, MaskRule
from mha_core.mask_rules.places import ALL_ROWS, segment_numbers


def documents(
    n_q: int,
    n_k: int,
    *,
    segments: Sequence[int],
    query_segments: Sequence[int] = (),
    rows: slice = ALL_ROWS,
) -> BoolArray:
    """Documents: each token sees only the tokens of its own document (block-diagonal).

    `segments` has the document number of each key. `query_segments` has that of each query, if the
    queries are another sequence.

    >>> documents(3, 3, segments=[1, 1, 2]).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [0, 0, 1]])
    """
    of_key = segment_numbers("documents' segments", segments, n_k, say("key"))
    of_query = segment_numbers(
        "documents' query_segments",
        segments if query_segments == () else query_segments,
        n_q,
        say("query"),
    )
    return np.equal(of_query[rows, None], of_key)


def _two_halves(_: int, n_k: int) -> tuple[int, ...]:
    half = (n_k + 1) // 2
    return tuple(1 if i < half else 2 for i in range(n_k))


def _where_others(n_q: int, n_k: int) -> tuple[int, ...] | None:
    segments = _two_halves(n_q, n_k)
    return None if n_q == n_k else tuple(segments[i % n_k] for i in range(n_q))


RULE: Final = MaskRule(
    documents,
    order=50,
    options=(
        Documents("segments", say("Document of each key"), first=_two_halves),
        Documents(
            "query_segments", say("Document of each query"), first=_where_others, of_queries=True
        ),
    ),
    words=say("Documents: each token sees only the tokens of its own document (block-diagonal)."),
)
