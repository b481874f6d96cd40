"""The functions of the source documents, on plain arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.layer.attention import (
    attention_weights,
    combine_heads,
    multi_head_attention,
    naive_softmax,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from tests.core.compare import TOLERANCE, largest_difference
from tests.core.strategies import FLOATS, SEEDS

E = math.e


def normal(seed: int, *shape: int, dtype: Any = np.float64) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def plain_attention(q: Any, k: Any, v: Any, allowed: Any) -> list[list[float]]:
    """One head by nested loops."""
    blend = []
    for query, open_keys in zip(q.tolist(), allowed.tolist(), strict=True):
        scores = [
            math.fsum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query))
            for key in k.tolist()
        ]
        shares = [
            math.exp(s) if is_open else 0.0 for s, is_open in zip(scores, open_keys, strict=True)
        ]
        total = math.fsum(shares) or 1.0
        blend.append(
            [
                math.fsum(w * row[c] for w, row in zip(shares, v.tolist(), strict=True)) / total
                for c in range(v.shape[1])
            ]
        )
    return blend


# A human can check these.


def test_a_query_of_root_two_gives_weights_one_and_e() -> None:
    weights = attention_weights([[0, math.sqrt(2)]], np.eye(2))
    assert largest_difference(weights, [[1 / (1 + E), E / (1 + E)]]) <= 1e-15


def test_document_000_prints_this() -> None:
    eye = np.eye(2)
    combined = multi_head_attention(eye, eye, eye, n_heads=2)
    assert combined.round(8).tolist() == [[0.73105858, 0.5], [0.5, 0.73105858]]


def test_three_equal_keys_share_alike() -> None:
    output = scaled_dot_product_attention([[5.0]], [[2.0]] * 3, [[1.0], [2.0], [6.0]])
    assert output.tolist() == [[3.0]]


# Softmax.


@given(seed=SEEDS, shift=st.sampled_from([-1000.0, -3.0, 0.0, 40.0, 1e5]))
def test_softmax_is_unmoved_by_what_is_added_to_a_row(seed: int, shift: float) -> None:
    scores = 4 * normal(seed, 3, 5)
    assert largest_difference(softmax(scores + shift), softmax(scores)) <= 1e-10


@given(seed=SEEDS, dtype=FLOATS)
def test_softmax_is_the_formula_where_the_formula_does_not_overflow(seed: int, dtype: Any) -> None:
    scores = 4 * normal(seed, 3, 5, dtype=dtype)
    difference = largest_difference(softmax(scores), naive_softmax(scores))
    assert difference <= TOLERANCE[np.dtype(dtype).name]


def test_softmax_leaves_its_argument_alone() -> None:
    scores = np.array([[1.0, 2.0]])
    softmax(scores)
    assert scores.tolist() == [[1.0, 2.0]]


def test_softmax_of_a_row_of_nothing_is_zeros_and_of_whole_numbers_is_float64() -> None:
    assert softmax(np.array([-np.inf, -np.inf])).tolist() == [0.0, 0.0]
    assert softmax([0, 0]).tolist() == [0.5, 0.5]  # type: ignore[arg-type] # lists are taken too
    assert softmax(np.array([1, 2], np.int8)).dtype == np.float64


@pytest.mark.parametrize(("kind", "last_good"), [(np.float64, 709), (np.float32, 88)])
def test_the_naive_softmax_overflows_where_the_stable_one_does_not(
    kind: type, last_good: int
) -> None:
    good, too_large = np.array([last_good, 0], kind), np.array([last_good + 1, 0], kind)
    assert np.isfinite(naive_softmax(good)).all()
    assert np.isnan(naive_softmax(too_large)[0])
    assert naive_softmax(too_large).dtype == kind
    assert softmax(too_large).tolist() == pytest.approx([1.0, 0.0])


def test_the_naive_softmax_has_no_answer_where_nothing_may_be_attended_to() -> None:
    assert np.isnan(naive_softmax(np.array([-np.inf, -np.inf]))).all()


# Shapes: batches, heads, groups.


@given(
    seed=SEEDS,
    batch=st.lists(st.integers(1, 3), max_size=3),
    sizes=st.tuples(*[st.integers(1, 5)] * 4),
    dtype=FLOATS,
)
def test_leading_axes_are_attended_one_by_one(
    seed: int, batch: list[int], sizes: tuple[int, int, int, int], dtype: Any
) -> None:
    n_q, n_k, d_k, d_v = sizes
    q = normal(seed, *batch, n_q, d_k, dtype=dtype)
    k = normal(seed + 1, *batch, n_k, d_k, dtype=dtype)
    v = normal(seed + 2, *batch, n_k, d_v, dtype=dtype)
    allowed = np.random.default_rng(seed).random((n_q, n_k)) < 0.7
    output = scaled_dot_product_attention(q, k, v, allowed)
    assert output.shape == (*batch, n_q, d_v)
    assert output.dtype == dtype
    for place in np.ndindex(*batch):
        expected = plain_attention(q[place], k[place], v[place], allowed)
        assert largest_difference(output[place], expected) <= TOLERANCE[np.dtype(dtype).name]


@given(seed=SEEDS, kv_heads=st.integers(1, 3), group=st.integers(1, 3))
def test_fewer_key_heads_are_shared_by_neighbouring_query_heads(
    seed: int, kv_heads: int, group: int
) -> None:
    q = normal(seed, 2, kv_heads * group, 3, 5)
    k, v = normal(seed + 1, 2, kv_heads, 7, 5), normal(seed + 2, 2, kv_heads, 7, 4)
    output = scaled_dot_product_attention(q, k, v)
    for head in range(kv_heads * group):
        alone = scaled_dot_product_attention(q[:, head], k[:, head // group], v[:, head // group])
        assert largest_difference(output[:, head], alone) <= 1e-12


def test_keys_and_values_without_a_head_axis_serve_all_heads() -> None:
    q, k, v = normal(1, 3, 5, 2), normal(2, 7, 2), normal(3, 7, 4)
    output = scaled_dot_product_attention(q, k, v)
    for head in range(3):
        alone = scaled_dot_product_attention(q[head], k, v)
        assert largest_difference(output[head], alone) <= 1e-12


def test_one_query_matrix_may_ask_many_heads_of_keys() -> None:
    q, k, v = normal(1, 5, 2), normal(2, 3, 7, 2), normal(3, 3, 7, 4)
    output = scaled_dot_product_attention(q, k, v)
    assert output.shape == (3, 5, 4)
    assert largest_difference(output[2], scaled_dot_product_attention(q, k[2], v[2])) <= 1e-12


def test_lists_and_whole_numbers_are_taken() -> None:
    assert scaled_dot_product_attention([[0]], [[1], [1]], [[2], [4]]).tolist() == [[3.0]]


def test_a_mix_of_float32_and_float64_is_float64() -> None:
    q, k = normal(1, 3, 2, dtype=np.float32), normal(2, 5, 2)
    assert attention_weights(q, k).dtype == np.float64
    assert scaled_dot_product_attention(q, q, k[:3]).dtype == np.float64


# Masks.


def test_a_boolean_mask_keeps_what_is_true() -> None:
    mask = np.array([[True, False, True], [False, False, True]])
    weights = attention_weights(np.zeros((2, 4)), np.zeros((3, 4)), mask)
    assert weights.tolist() == [[0.5, 0, 0.5], [0, 0, 1]]


def test_a_float_mask_is_added_to_the_scaled_scores() -> None:
    added = np.log([[1.0, 3.0], [4.0, 1.0]])
    weights = attention_weights(np.zeros((2, 4)), np.zeros((2, 4)), added)
    assert largest_difference(weights, [[0.25, 0.75], [0.8, 0.2]]) <= 1e-15


def test_a_float_mask_hides_where_it_is_minus_infinity() -> None:
    added = [[0.0, -np.inf], [-np.inf, -np.inf]]
    weights = attention_weights(np.zeros((2, 4)), np.zeros((2, 4)), np.array(added))
    assert weights.tolist() == [[1, 0], [0, 0]]


def test_a_query_that_may_attend_to_nothing_gets_a_row_of_zeros() -> None:
    mask = np.array([[True, True], [False, False]])
    output = scaled_dot_product_attention(np.ones((2, 3)), np.ones((2, 3)), np.ones((2, 5)), mask)
    assert output.tolist() == [[1.0] * 5, [0.0] * 5]


@pytest.mark.parametrize("shape", [(), (7,), (1, 7), (5, 1), (5, 7), (3, 1, 7), (2, 1, 5, 7)])
@pytest.mark.parametrize("kind", [np.bool_, np.float32, np.float64])
def test_leading_axes_of_a_mask_broadcast_as_numpy_does(shape: tuple[int, ...], kind: type) -> None:
    q, k, v = normal(1, 2, 3, 5, 4), normal(2, 2, 3, 7, 4), normal(3, 2, 3, 7, 6)
    mask = (np.random.default_rng(7).random(shape) < 0.6).astype(kind)
    whole = np.broadcast_to(mask, (2, 3, 5, 7))
    expected = scaled_dot_product_attention(q, k, v, whole)
    assert np.array_equal(scaled_dot_product_attention(q, k, v, mask), expected)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_a_mask_does_not_change_the_kind_of_number(kind: type) -> None:
    q = normal(1, 3, 2, dtype=np.float32)
    assert scaled_dot_product_attention(q, q, q, np.zeros((3, 3), kind)).dtype == np.float32


# Scale, soft cap and temperature.


def test_without_a_scale_it_is_one_over_the_root_of_d_k() -> None:
    q, k = normal(1, 3, 16), normal(2, 5, 16)
    assert np.array_equal(attention_weights(q, k), attention_weights(q, k, scale=0.25))
    assert np.array_equal(attention_weights(q, k), attention_weights(q / 4, k, scale=1))


def test_scale_comes_first_then_the_cap_then_the_mask_then_the_temperature() -> None:
    q, k, added = normal(1, 3, 2), normal(2, 5, 2), normal(3, 3, 5)
    weights = attention_weights(q, k, added, scale=3.0, softcap=0.5, temperature=0.7)
    expected = softmax((0.5 * np.tanh(3 * (q @ k.T) / 0.5) + added) / 0.7)
    assert largest_difference(weights, expected) <= 1e-15


def test_a_small_cap_lets_no_key_stand_out() -> None:
    weights = attention_weights(100 * np.eye(4), np.eye(4), softcap=0.01)
    assert weights.max() / weights.min() <= math.exp(0.02) * (1 + 1e-12)


def test_a_temperature_is_handed_on_to_the_weights() -> None:
    q, k, v = normal(1, 3, 2), normal(2, 5, 2), normal(3, 5, 7)
    weights = attention_weights(q, k, temperature=2)
    assert np.array_equal(weights, attention_weights(q / 2, k))
    assert np.array_equal(scaled_dot_product_attention(q, k, v, temperature=2), weights @ v)


# Splitting and combining.


def test_splitting_costs_nothing_it_is_a_view() -> None:
    x = normal(1, 5, 6)
    assert np.shares_memory(split_heads(x, 3), x)


@given(seed=SEEDS, n_heads=st.integers(1, 4))
def test_multi_head_attention_is_attention_in_each_slice(seed: int, n_heads: int) -> None:
    q, k = normal(seed, 3, 2 * n_heads), normal(seed + 1, 5, 2 * n_heads)
    v = normal(seed + 2, 5, 3 * n_heads)
    allowed = np.random.default_rng(seed).random((3, 5)) < 0.8
    output = multi_head_attention(q, k, v, n_heads, allowed)
    for h in range(n_heads):
        own_k, own_v = slice(2 * h, 2 * h + 2), slice(3 * h, 3 * h + 3)
        expected = plain_attention(q[:, own_k], k[:, own_k], v[:, own_v], allowed)
        assert largest_difference(output[:, own_v], expected) <= 1e-12


def test_combine_lays_the_heads_side_by_side() -> None:
    heads = normal(1, 2, 3, 5, 4)
    assert np.array_equal(combine_heads(heads)[1, 4, 8:12], heads[1, 2, 4])


def test_nothing_is_written_into_what_is_given() -> None:
    q, k, v, mask = normal(1, 2, 3, 4), normal(2, 2, 5, 4), normal(3, 2, 5, 6), normal(4, 3, 5)
    before = [array.copy() for array in (q, k, v, mask)]
    scaled_dot_product_attention(q, k, v, mask, softcap=2.0)
    assert all(map(np.array_equal, (q, k, v, mask), before))
