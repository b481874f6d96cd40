"""What weights and outputs amount to: on weights made by hand, and as laws on drawn ones."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.errors import NumberError, ShapeError
from mha_core.layer.attention import softmax
from mha_core.reading.metrics import (
    Change,
    Picks,
    Target,
    contribution,
    contributions_gap,
    effective_tokens,
    main_target,
    mean_effective_tokens,
    output_change,
    picks,
)
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from tests.core.by_hand import ALL_BLIND, CAUSAL, evenly, with_weights
from tests.core.strategies import SEEDS, scenario_of_distinct_sizes, scenarios, self_attention

# Effective tokens


def test_effective_tokens_count_the_keys_that_share_the_weight() -> None:
    weights = [[0, 0, 1, 0, 0], [0.5, 0, 0, 0.5, 0], [0, 1 / 3, 1 / 3, 0, 1 / 3], [0.2] * 5]
    assert effective_tokens(np.array(weights)) == pytest.approx([1, 2, 3, 5])


def test_effective_tokens_of_unequal_shares_are_the_exponential_of_their_entropy() -> None:
    in_nats = -(0.9 * math.log(0.9) + 0.1 * math.log(0.1))
    assert effective_tokens(np.array([0.9, 0.1])) == pytest.approx(math.exp(in_nats))


def test_a_blind_row_looks_at_no_token() -> None:
    assert effective_tokens(np.array([[0.0, 0.0], [0.0, 1.0]])).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("weights", "sums"),
    [
        ([[1.5, -0.5]], "rows that sum to 1 up to 1"),
        ([[0.2, 0.2], [3, 4]], "rows that sum to 0.4 up to 7"),
        ([[math.nan, 1.0]], "rows that sum to nan up to nan"),
    ],
)
def test_what_are_not_weights_is_refused(weights: Any, sums: str) -> None:
    with pytest.raises(NumberError) as refused:
        effective_tokens(np.array(weights))
    assert str(refused.value) == (
        "Each row of weights must be 0 or more everywhere and sum to 1, or be all 0, "
        f"got {sums}. Take the softmax of the scores first."
    )


def test_a_head_looks_at_as_many_tokens_as_its_queries_do_on_average() -> None:
    trace = with_weights(evenly([[1, 0, 0], [1, 1, 0], [1, 1, 1]]), np.eye(3))
    counts = [mean_effective_tokens(weights) for weights in trace.weights]
    assert counts == pytest.approx([2, 1])


def test_blind_queries_are_left_out_of_the_average() -> None:
    custom = np.array([[0, 0, 0], [1, 1, 0], [1, 1, 0]], bool)
    trace = with_weights(np.full((3, 3), 1 / 3), mask=Mask(custom=custom))
    assert mean_effective_tokens(trace.weights[0]) == pytest.approx(2)
    assert mean_effective_tokens(np.zeros((3, 3))) == 0


@given(scenarios())
def test_a_query_looks_at_no_fewer_than_one_token_and_no_more_than_it_may_see(s: Scenario) -> None:
    trace = attend(s)
    counts, allowed = effective_tokens(trace.weights, trace.sink_weights), trace.mask.sum(axis=-1)
    is_one_left = trace.weights.any(axis=-1)  # a sink may take all
    assert np.all(counts <= allowed * (1 + 1e-6))
    assert np.all(counts >= is_one_left * np.minimum(allowed, 1) * (1 - 1e-6))


@given(SEEDS, st.integers(1, 7))
def test_the_order_of_the_keys_plays_no_part_in_effective_tokens(seed: int, n_k: int) -> None:
    rng = np.random.default_rng(seed)
    weights = softmax(3 * rng.standard_normal((5, n_k)))
    shuffled = weights[:, rng.permutation(n_k)]
    assert effective_tokens(shuffled) == pytest.approx(effective_tokens(weights))


# Where most weight goes


def test_the_main_target_is_the_key_with_most_weight_over_all_queries() -> None:
    trace = with_weights([[0.1, 0.9, 0.0], [0.1, 0.5, 0.4], [0.6, 0.4, 0.0]])
    target = main_target(trace, 0)
    assert target is not None
    assert (target.key, target.keys) == (1, (1,))
    assert target.share == pytest.approx(0.6)
    assert target.least == pytest.approx(0.4)


def test_of_keys_that_tie_the_first_stands_for_all() -> None:
    target = main_target(with_weights([[0.2, 0.4, 0.4]] * 3), 0)
    assert target == Target((1, 2), pytest.approx(0.4), least=pytest.approx(0.8))
    assert target.key == 1


def test_blind_queries_have_no_say_in_the_main_target() -> None:
    custom = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]], bool)
    trace = with_weights([[0, 0, 1]] * 3, mask=Mask(custom=custom))
    assert main_target(trace, 0) == Target((2,), pytest.approx(1), least=pytest.approx(1))
    assert main_target(with_weights(np.eye(3), mask=ALL_BLIND), 0) is None


# How few keys each query picks


@pytest.mark.parametrize(
    ("weights", "found"),
    [
        (np.eye(5)[[3, 0, 4, 4, 1]], Picks(1, pytest.approx(1))),
        ([[0, 0.92, 0.08, 0]] * 2 + [[1, 0, 0, 0]] * 2, Picks(1, pytest.approx(0.96))),
        ([[0, 0.5, 0.46, 0.04]] * 2 + [[1, 0, 0, 0]] * 2, Picks(2, pytest.approx(0.98))),
        ([[0, 0.5, 0.38, 0.12]] + [[1, 0, 0, 0]] * 3, None),
        ([[0.5, 0.5], [1, 0]], None),  # two of two are all there are
    ],
)
def test_the_keys_that_each_query_picks_are_counted(weights: Any, found: Picks | None) -> None:
    assert picks(with_weights(weights), 0) == found


def test_what_the_mask_leaves_is_no_pick() -> None:
    rows = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5]]
    assert picks(with_weights(rows, mask=CAUSAL), 0) == Picks(2, pytest.approx(1))
    narrow = Mask((Rule("sliding_window", {"left": 1}), Rule("causal")))
    assert picks(with_weights(np.eye(4), mask=narrow), 0) == Picks(1, pytest.approx(1))
    assert picks(with_weights(evenly(np.tri(4) - np.tri(4, k=-2)), mask=narrow), 0) is None
    assert picks(with_weights(np.eye(3), mask=ALL_BLIND), 0) is None


@pytest.mark.parametrize("head", [-1, 2])
@pytest.mark.parametrize("ask", [main_target, picks, contribution])
def test_a_head_that_is_not_there_is_refused(ask: Any, head: int) -> None:
    with pytest.raises(NumberError) as refused:
        ask(with_weights(np.eye(3), np.eye(3)), head)
    assert str(refused.value) == (
        f"head must be from 0 to 1, got {head}. The first head is number 0."
    )


# The output without some heads


def test_the_output_moves_by_what_the_heads_contribute() -> None:
    trace = with_weights(np.eye(3), 3 * np.eye(3)[[1, 2, 0]] / 3, w_o=np.vstack([np.eye(3)] * 2))
    # Each row holds a 1 from either head, in different columns: half of the squares go.
    change = output_change(trace, without=[0])
    assert change.relative == pytest.approx(math.sqrt(1 / 2))
    assert change.rows == pytest.approx([1, 1, 1])


def test_the_token_that_moves_most_is_named() -> None:
    trace = with_weights(np.eye(3), w_v=np.diag([2.0, 5.0, 3.0]))
    assert output_change(trace, without=[0]) == Change(
        pytest.approx(1), pytest.approx((2, 5, 3)), most=1
    )


def test_of_tokens_that_move_alike_the_first_is_named() -> None:
    assert output_change(with_weights(np.eye(3)), without=[0]).most == 0


def test_without_no_head_nothing_moves() -> None:
    assert output_change(with_weights(np.eye(3))) == Change(0, (0, 0, 0), most=None)


def test_an_output_of_zeros_that_moves_moves_without_measure() -> None:
    opposite = np.vstack([np.eye(3), -np.eye(3)])
    change = output_change(with_weights(np.eye(3), np.eye(3), w_o=opposite), without=[1])
    assert change == Change(math.inf, pytest.approx((1, 1, 1)), most=0)


def test_an_output_of_zeros_that_stays_does_not_move() -> None:
    trace = with_weights(np.eye(3), w_v=np.zeros((3, 3)))
    assert output_change(trace, without=[0]) == Change(0, (0, 0, 0), most=None)


def test_numbers_whose_squares_leave_float64_are_measured_too() -> None:
    trace = with_weights(np.eye(3), w_v=1e99 * np.eye(3), w_o=1e99 * np.eye(3))
    assert output_change(trace, without=[0]).relative == pytest.approx(1)


@given(scenarios(), st.data())
def test_without_a_second_pass_the_change_is_that_of_a_second_pass(
    s: Scenario, data: st.DataObject
) -> None:
    heads = data.draw(st.frozensets(st.integers(0, s.n_heads - 1)))
    on, off = (attend(replace(s, heads_off=h)) for h in (s.heads_off - heads, s.heads_off | heads))
    tolerance = {np.float32: 1e-4, np.float64: 1e-11}[s.dtype.type]
    expected = output_change(on, without=off).rows
    for trace in (on, off, attend(s)):
        assert output_change(trace, heads).rows == pytest.approx(
            expected, rel=tolerance, abs=tolerance
        )


def test_by_default_the_heads_that_are_off_are_asked_about() -> None:
    trace = attend(self_attention(5, 6, 3, heads_off=frozenset({1, 2})))
    assert output_change(trace) == output_change(trace, without=[1, 2])
    all_on = attend(self_attention(5, 6, 3))
    assert output_change(trace).relative == pytest.approx(
        np.linalg.norm(all_on.output - trace.output) / np.linalg.norm(all_on.output)
    )


def test_a_head_named_twice_is_counted_once() -> None:
    trace = attend(self_attention(5, 6, 3))
    assert output_change(trace, [1, 1]) == output_change(trace, [1])


def test_outputs_of_other_shapes_are_not_compared() -> None:
    with pytest.raises(ShapeError) as refused:
        output_change(attend(self_attention(5, 6, 3)), attend(self_attention(7, 6, 3)))
    assert str(refused.value) == (
        "The other trace must have an output of shape (5, 6), got (7, 6). "
        "Compare layers of the same sizes."
    )


def test_the_contribution_of_a_head_that_is_off_is_what_it_would_add() -> None:
    on, off = (
        attend(scenario_of_distinct_sizes(heads_off=frozenset(heads))) for heads in ([], [4])
    )
    assert not off.contributions[4].any()
    assert contribution(off, 4) == pytest.approx(on.contributions[4])


# The sum of contributions


@given(scenarios())
def test_contributions_and_b_o_sum_to_the_output(s: Scenario) -> None:
    assert contributions_gap(attend(s)) < {np.float32: 1e-5, np.float64: 1e-13}[s.dtype.type]


def test_a_gap_is_measured_against_the_largest_number() -> None:
    trace = with_weights(np.eye(3), w_v=4 * np.eye(3), b_o=np.ones(3))
    assert trace.output.max() == 5
    trace.__dict__["output"] = trace.output - 0.5  # as if b_O had been forgotten by half
    assert contributions_gap(trace) == pytest.approx(0.5 / 4.5)


def test_of_zeros_there_is_no_gap() -> None:
    assert contributions_gap(with_weights(np.eye(3), w_v=np.zeros((3, 3)))) == 0
