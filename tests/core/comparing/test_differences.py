"""In what two scenarios differ, as lines of a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario
from mha_core.changing import changes
from mha_core.changing.reordering import with_token_moved
from mha_core.comparing.differences import DifferentSetting, differences
from mha_core.examples import load_example
from mha_core.scenario.masks import Mask, Rule
from tests.core.strategies import scenarios

PIZZA = load_example("pizza")
FIVE = load_example("causal")


@given(scenarios())
def test_the_same_differs_in_nothing(s: Scenario) -> None:
    assert differences(s, replace(s)) == ()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"scale": "none"}, DifferentSetting("Scale", "1/sqrt(d_k)", "none")),
        ({"scale": 0.5}, DifferentSetting("Scale", "1/sqrt(d_k)", "0.5")),
        ({"softcap": 3.0}, DifferentSetting("Soft cap", "none", "3")),
        ({"temperature": 2.0}, DifferentSetting("Temperature", "1", "2")),
        ({"softmax": "naive"}, DifferentSetting("Softmax", "stable", "naive")),
        ({"positions": "rope"}, DifferentSetting("Positions", "none", "rope")),
        ({"query_start": 7}, DifferentSetting("First position", "0", "7")),
    ],
)
def test_a_score_option(change: dict[str, Any], expected: DifferentSetting) -> None:
    assert differences(PIZZA, changes.with_scores(PIZZA, **change)) == (expected,)


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (Mask(), "none"),
        (Mask((Rule("sliding_window", left=1),)), "sliding window (left 1)"),
        (Mask((Rule("causal"), Rule("padding", hidden=(3,)))), "causal, padding (hidden 3)"),
        (Mask(custom=np.eye(4, dtype=bool)), "drawn"),
        (Mask((Rule("causal"),), additive=np.zeros((4, 4))), "causal, additive"),
    ],
)
def test_a_mask(mask: Mask, words: str) -> None:
    first, *_ = differences(PIZZA, replace(PIZZA, mask=mask))
    assert first == DifferentSetting("Mask", "causal", words)


def test_a_drawn_mask_is_compared_cell_by_cell() -> None:
    a = replace(PIZZA, mask=Mask(custom=np.eye(4, dtype=bool)))
    b = replace(PIZZA, mask=Mask(custom=np.ones((4, 4), dtype=bool)))
    assert differences(a, b) == (DifferentSetting("Drawn mask", "", "12 of 16 numbers differ"),)


def test_sizes_and_the_arrays_that_follow() -> None:
    found = differences(FIVE, changes.with_heads(FIVE, 4, n_kv_heads=2, d_k=3, d_v=3))
    assert (
        found[:4]
        == (
            DifferentSetting("Heads", "2", "4"),
            DifferentSetting("Key/value heads", "2", "2"),
        )[:1]
        + found[1:4]
    )
    assert {each.what for each in found} == {"Heads", "d_k", "d_v", "W_Q", "W_K", "W_V", "W_O"}
    assert DifferentSetting("W_Q", "8 × 8", "8 × 12") in found


def test_numbers_heads_and_number_types() -> None:
    w_q = PIZZA.w_q.copy()
    w_q[0, :3] += 1
    b = replace(PIZZA, w_q=w_q, b_o=np.zeros(8), heads_off=frozenset({1}))
    assert differences(PIZZA, b) == (
        DifferentSetting("Heads off", "none", "head 2"),
        DifferentSetting("W_Q", "", "3 of 64 numbers differ"),
        DifferentSetting("b_O", "none", "8"),
    )
    single = changes.with_dtype(FIVE, "float32")
    assert differences(FIVE, single) == (DifferentSetting("Number type", "float64", "float32"),)


def test_tokens_in_another_order_have_the_same_rows() -> None:
    words = ("LOVE", "I", "PEPPERONI", "PIZZA")
    moved = with_token_moved(with_token_moved(PIZZA, "tokens", 0, 1), "tokens", 2, 3)
    assert set(words) == set(moved.tokens)
    assert [each.what for each in differences(PIZZA, moved)] == ["Tokens"]


def test_many_tokens_are_counted() -> None:
    a = changes.with_tokens(FIVE, [f"t{i}" for i in range(9)])
    tokens, *_ = differences(a, changes.with_tokens(a, [f"t{i}" for i in range(10)]))
    assert tokens.in_a == "9 tokens: t0 t1 t2 t3 t4 t5 t6 t7 …"
    second, *_ = differences(PIZZA, changes.with_context(PIZZA, ["A", "B"]))
    assert second == DifferentSetting("Second sequence", "none", "A B")
