"""In what two scenarios differ, as lines of a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, Stack
from mha_core.changing import changes
from mha_core.changing.layers import as_stack, with_layer, with_layer_count, with_prediction
from mha_core.changing.reordering import with_token_moved
from mha_core.comparing.differences import (
    DifferentSetting,
    differences,
    differences_elsewhere,
    named_by_layer,
)
from mha_core.examples import load_example, load_stack
from mha_core.scenario.masks import Mask, Rule
from tests.core.strategies import scenarios

PIZZA = load_example("pizza")
GRID = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
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
        ({"rope_columns": 2}, DifferentSetting("Columns that turn", "all", "2")),
        ({"rope_pairs": "halves"}, DifferentSetting("Pairs", "neighbours", "halves")),
        ({"rope_pairs": "crossed"}, DifferentSetting("Pairs", "neighbours", "crossed")),
        (
            {"rope_frequencies": (1.0, 0.25)},
            DifferentSetting("Frequencies", "from the base", "1, 0.25"),
        ),
        (
            {"rope_places": ((0.0,), (1.0,), (2.5,))},
            DifferentSetting("Places", "0, 1, 2 and so on", "0; 1; 2.5"),
        ),
        ({"rope_places": GRID}, DifferentSetting("Places", "0, 1, 2 and so on", "2 x 2")),
        ({"rope_axes": (0, 1)}, DifferentSetting("Axes of pairs", "equal runs", "0, 1")),
        (
            {"r_places": ((0, 0), (0, 1), (1, 0), (1, 1))},
            DifferentSetting("Places of distances", "0, 1, 2 and so on", "2 x 2"),
        ),
        ({"qk_norm": "head"}, DifferentSetting("Norm of Q and K", "none", "head")),
        ({"q_gain": (1.0, -2.0)}, DifferentSetting("Gains of queries", "ones", "1, -2")),
        ({"growth": 0.1}, DifferentSetting("Growth with position", "0", "0.1")),
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
        == (DifferentSetting("Heads", "2", "4"), DifferentSetting("Key/value heads", "2", "2"))[:1]
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


# ---- of several layers --------------------------------------------------------------------------

TWO = load_stack("induction")


def found_elsewhere(b: Stack, layers: tuple[int, int] = (1, 1), a: Stack = TWO) -> list[str]:
    """Each line in words."""
    found = differences_elsewhere(a, b, layers)
    return [" ".join(filter(None, (each.what, each.in_a, each.in_b))) for each in found]


def test_the_same_layers_differ_nowhere() -> None:
    assert found_elsewhere(replace(TWO)) == []
    assert found_elsewhere(as_stack(PIZZA), (0, 0), as_stack(PIZZA)) == []


def test_the_layer_that_both_show_is_not_elsewhere() -> None:
    off = with_layer(TWO, 0, TWO.first, changes.with_heads_off(TWO.first, {0}))
    assert found_elsewhere(off, (0, 0)) == []
    assert found_elsewhere(off) == ["Layer 1: Heads off none head 1"]
    assert found_elsewhere(off, (0, 1)) == ["Layer 1: Heads off none head 1"]


def test_a_layer_above_differs_in_what_is_its_own() -> None:
    (above,) = TWO.above
    b = replace(TWO, layers=(TWO.first, replace(above, w_v=above.w_v + 1)))
    numbers = above.w_v.size
    words = f"Layer 2: W_V {numbers} of {numbers} numbers differ"
    assert found_elsewhere(b, (0, 0)) == [words]


def test_tokens_types_and_what_layers_below_make_are_said_once() -> None:
    longer = with_layer(TWO, 0, TWO.first, changes.with_tokens(TWO.first, [*TWO.tokens, "e"]))
    assert not any("Tokens" in line for line in found_elsewhere(longer))
    assert not any("Layer 2: X" in line for line in found_elsewhere(longer, (0, 0)))
    assert any("Layer 1: X" in line for line in found_elsewhere(longer))
    single = with_layer(TWO, 0, TWO.first, changes.with_dtype(TWO.first, "float32"))
    assert found_elsewhere(single) == []


def test_the_number_of_layers() -> None:
    assert found_elsewhere(with_layer_count(TWO, 3)) == ["Number of layers 2 3"]
    alone = with_layer_count(TWO, 1)
    assert alone.is_one_layer
    assert found_elsewhere(alone, (0, 0)) == ["Number of layers 2 1"]
    assert found_elsewhere(TWO, (0, 0), alone) == ["Number of layers 1 2"]


def test_the_residual_stream() -> None:
    assert found_elsewhere(replace(TWO, residual=False)) == ["Residual stream on off"]


def test_what_is_predicted() -> None:
    predicts = with_prediction(TWO, is_on=True)
    assert predicts.w_u is not None
    assert found_elsewhere(predicts) == ["Predicted words none a b c d"]
    doubled = replace(predicts, w_u=2 * predicts.w_u)
    changed = np.count_nonzero(predicts.w_u)
    assert found_elsewhere(doubled, a=predicts) == [
        f"W_U {changed} of {predicts.w_u.size} numbers differ"
    ]


def test_lines_say_of_which_layer_they_are() -> None:
    found = differences(PIZZA, changes.with_scores(PIZZA, scale="none"))
    assert named_by_layer(found, 1) == (DifferentSetting("Layer 2: Scale", "1/sqrt(d_k)", "none"),)
