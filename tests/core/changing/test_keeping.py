"""What masks keep when tokens come and go."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.changing.changes import with_context, with_tokens
from mha_core.scenario.masks import Mask, Rule
from tests.core.strategies import self_attention


@pytest.mark.parametrize(
    ("rule", "fewer", "more"),
    [
        (Rule("causal"), Rule("causal"), Rule("causal")),
        (
            Rule("padding", {"hidden": [0, 2]}),
            Rule("padding", {"hidden": [0]}),
            Rule("padding", {"hidden": [0, 2]}),
        ),
        (
            Rule("global_local", {"global_tokens": [2], "left": 1}),
            Rule("global_local", {"global_tokens": [], "left": 1}),
            Rule("global_local", {"global_tokens": [2], "left": 1}),
        ),
        (
            Rule("documents", {"segments": [1, 2, 3]}),
            Rule("documents", {"segments": [1, 2]}),
            Rule("documents", {"segments": [1, 2, 3, 3, 3]}),
        ),
        (
            Rule("documents", {"segments": [1, 2, 3], "query_segments": [3, 2, 1]}),
            Rule("documents", {"segments": [1, 2], "query_segments": [3, 2]}),
            Rule("documents", {"segments": [1, 2, 3, 3, 3], "query_segments": [3, 2, 1, 1, 1]}),
        ),
    ],
    ids=lambda rule: repr(rule.options),
)
def test_rules_keep_what_still_has_a_place(rule: Rule, fewer: Rule, more: Rule) -> None:
    s = self_attention(3, 6, 2, mask=Mask((rule,)))
    assert with_tokens(s, ["A", "B"]).mask.rules == (fewer,)
    assert with_tokens(s, list("ABCDE")).mask.rules == (more,)


def test_documents_of_another_sequence_keep_the_queries_documents() -> None:
    s = self_attention(3, 6, 2, mask=Mask((Rule("documents", {"segments": [1, 2, 2]}),)))
    cross = with_context(s, ["A", "B"])
    assert cross.mask.rules[0].options == {"segments": (1, 2), "query_segments": (1, 2, 2)}


def test_drawn_masks_keep_their_corner_and_are_open_beyond() -> None:
    custom = np.eye(2, dtype=np.bool_)
    additive = np.array([[0.0, -np.inf], [1.0, -2.0]], np.float32)
    s = self_attention(2, 6, 2, mask=Mask(custom=custom, additive=additive))
    more = with_tokens(s, ["A", "B", "C"]).mask
    assert more.custom is not None
    assert more.custom.astype(int).tolist() == [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
    assert more.additive is not None
    assert more.additive.tolist() == [[0, -np.inf, 0], [1, -2, 0], [0, 0, 0]]
    assert more.additive.dtype == np.float32
    fewer = with_tokens(s, ["A"]).mask
    assert fewer == Mask(custom=custom[:1, :1], additive=additive[:1, :1])
