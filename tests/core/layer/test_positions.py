"""How tokens learn where they stand: what the papers say of waves, rotations and distances."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.shapes import FloatArray
from mha_core.layer.positions import alibi, alibi_slopes, rotate, rotate_back, sinusoids
from mha_core.scenario.masks import Mask
from mha_core.scenario.rotation import Rotation, rotation_of
from mha_core.scenario.score_options import ScoreOptions
from tests.core import oracle
from tests.core.compare import largest_difference
from tests.core.strategies import (
    FLOATS,
    SEEDS,
    fitting,
    scenario_of_distinct_sizes,
    score_options,
    self_attention,
)

START = st.integers(0, 50)
ROUNDING = 1e-12


# Sinusoids.


@given(n=st.integers(1, 5), d_model=st.integers(1, 7), start=START)
def test_sinusoids_are_the_paper_s_formula_cell_by_cell(n: int, d_model: int, start: int) -> None:
    expected = [[oracle.wave(start + p, c, d_model) for c in range(d_model)] for p in range(n)]
    assert largest_difference(sinusoids(n, d_model, start), expected) <= ROUNDING


def test_the_waves_get_longer_from_pair_to_pair_up_to_the_base() -> None:
    """Each pair starts with the sine near 0 and the cosine near 1; the last is 10000 times longer
    than the first when d_model is large."""
    wave = sinusoids(2, 512)
    angles = np.arctan2(wave[1, 0::2], wave[1, 1::2])
    assert angles[0] == pytest.approx(1)
    assert (np.diff(angles) < 0).all()
    assert angles[-1] == pytest.approx(10_000 ** -(510 / 512))


@given(d_model=st.integers(1, 4).map(lambda pairs: 2 * pairs), p=START, shift=START)
def test_a_shift_turns_each_pair_of_waves_by_an_angle_that_p_does_not_matter_to(
    d_model: int, p: int, shift: int
) -> None:
    """PE(p + shift) is a fixed rotation of PE(p), which is why the paper took waves."""
    here, there = sinusoids(1, d_model, p)[0], sinusoids(1, d_model, p + shift)[0]
    for pair in range(d_model // 2):
        angle = shift / 10_000 ** (2 * pair / d_model)
        sine, cosine = here[2 * pair : 2 * pair + 2]
        turned = [
            sine * math.cos(angle) + cosine * math.sin(angle),
            cosine * math.cos(angle) - sine * math.sin(angle),
        ]
        assert largest_difference(there[2 * pair : 2 * pair + 2], turned) <= ROUNDING


# RoPE.


def heads_of(seed: int, shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@given(seed=SEEDS, pairs=st.integers(1, 3), start=START, dtype=FLOATS)
def test_a_rotation_keeps_lengths_and_the_kind_of_number(
    seed: int, pairs: int, start: int, dtype: Any
) -> None:
    heads = heads_of(seed, (2, 5, 2 * pairs), dtype)
    rotated = rotate(heads, start)
    lengths = np.linalg.norm(rotated, axis=-1)
    assert rotated.dtype == dtype
    assert largest_difference(lengths, np.linalg.norm(heads, axis=-1)) <= 1e-5
    if dtype == np.float64:
        assert largest_difference(lengths, np.linalg.norm(heads, axis=-1)) <= ROUNDING


@given(seed=SEEDS, d_k=st.integers(2, 8), start=START, scores=score_options(8, n_q=9, n_k=9))
def test_a_rotation_is_the_paper_s_cell_by_cell(
    seed: int, d_k: int, start: int, scores: ScoreOptions
) -> None:
    heads = heads_of(seed, (2, 3, d_k))
    scores = fitting(replace(scores, positions="rope"), d_k, n_q=start + 3, n_k=start + 3)
    assume(scores.positions == "rope")
    expected = [oracle.turn(head, start, scores) for head in heads.tolist()]
    rotated = rotate(heads, start, rotation_of(scores, d_k))
    assert largest_difference(rotated, expected) <= ROUNDING


def test_columns_that_do_not_turn_keep_their_numbers() -> None:
    heads = heads_of(2, (2, 3, 6))
    turned = rotate(heads, 1, rotation_of(ScoreOptions(rope_columns=4), 6))
    assert np.array_equal(turned[..., 4:], heads[..., 4:])
    assert not np.isclose(turned[..., :4], heads[..., :4]).any()


def test_columns_that_turn_together_are_neighbours_or_of_two_halves_and_the_rest_stand_alone() -> (
    None
):
    neighbours = rotation_of(ScoreOptions(rope_columns=4), 6)
    halves = rotation_of(ScoreOptions(rope_columns=4, rope_pairs="halves"), 6)
    assert [neighbours.pair_of(column) for column in (0, 3, 5)] == [(0, 1), (2, 3), (5,)]
    assert [halves.pair_of(column) for column in (0, 3, 5)] == [(0, 2), (1, 3), (5,)]


def test_halves_are_neighbours_in_another_order() -> None:
    """So a file that was written for one way is wrong under the other, and nothing says so."""
    heads = heads_of(3, (2, 5, 6))
    order = [0, 2, 4, 1, 3, 5]  # the first columns of the pairs, then the second ones
    in_halves = rotate(heads[..., order], 2, rotation_of(ScoreOptions(rope_pairs="halves"), 6))
    assert np.array_equal(in_halves, rotate(heads, 2)[..., order])
    assert not np.allclose(in_halves, rotate(heads[..., order], 2))


CROSSED = ScoreOptions(positions="rope", rope_pairs="crossed")


def test_two_neighbours_that_are_crossed_turn_by_two_angles() -> None:
    """Four columns have the angles of the first pair, the second, the first and the second."""
    row = np.array([[[1.0, 0.0, 1.0, 0.0]]])
    turned = rotate(row, 1, rotation_of(CROSSED, 4))[0, 0]
    first, second = 1.0, 0.01
    expected = [math.cos(first), math.sin(second), math.cos(first), math.sin(second)]
    assert turned.tolist() == pytest.approx(expected)
    assert np.linalg.norm(turned) < 1  # its length was the root of 2


def test_a_single_pair_has_nothing_to_cross() -> None:
    heads = heads_of(8, (2, 3, 2))
    assert np.array_equal(rotate(heads, 1, rotation_of(CROSSED, 2)), rotate(heads, 1))


def test_crossed_pairs_stay_on_their_axis() -> None:
    """As V-JEPA 2 has them: frame, row and column have columns of their own, and some are left."""
    heads = heads_of(9, (2, 1, 14))
    how = at_places(14, (0.0, 0.0, 0.0), (5.0, 2.0, 7.0), rope_pairs="crossed", rope_columns=12)
    turned = rotate(heads, 1, how)
    for axis, place in enumerate((5, 2, 7)):
        own = slice(4 * axis, 4 * axis + 4)
        alone = rotate(heads[..., own], place, rotation_of(CROSSED, 4))
        assert largest_difference(turned[..., own], alone) <= ROUNDING
    assert np.array_equal(turned[..., 12:], heads[..., 12:])


@pytest.mark.parametrize("pairs", ["neighbours", "halves", "crossed"])
def test_the_way_back_of_a_rotation_has_rows_for_columns(pairs: str) -> None:
    how = rotation_of(ScoreOptions(rope_pairs=pairs, rope_columns=6), 7)
    each = np.eye(7)[:, None]
    there, back = (turn(each, 3, how)[:, 0] for turn in (rotate, rotate_back))
    assert np.array_equal(back, there.T)


def test_frequencies_stand_for_the_base() -> None:
    heads = heads_of(4, (1, 3, 4))
    usual = rotation_of(ScoreOptions(rope_frequencies=(1.0, 0.01)), 4)
    assert largest_difference(rotate(heads, 1, usual), rotate(heads, 1)) <= ROUNDING
    still = rotation_of(ScoreOptions(rope_frequencies=(0.0, 0.0)), 4)
    assert np.array_equal(rotate(heads, 1, still), heads)


def test_a_frequency_below_0_turns_the_other_way() -> None:
    heads = heads_of(4, (1, 3, 4))
    there = rotation_of(ScoreOptions(rope_frequencies=(2.0, 0.5)), 4)
    back = rotation_of(ScoreOptions(rope_frequencies=(-2.0, -0.5)), 4)
    assert largest_difference(rotate(rotate(heads, 1, there), 1, back), heads) <= ROUNDING
    assert not np.allclose(rotate(heads, 1, there), rotate(heads, 1, back))


def at_places(d_k: int, *places: tuple[float, ...], **more: Any) -> Rotation:
    return rotation_of(ScoreOptions(positions="rope", rope_places=places, **more), d_k)


def test_places_that_count_are_the_positions() -> None:
    heads = heads_of(5, (2, 3, 6))
    counted = at_places(6, (0.0,), (1.0,), (2.0,), (3.0,))
    assert np.array_equal(rotate(heads, 1, counted), rotate(heads, 1))


def test_on_two_axes_each_half_of_a_head_is_a_rotation_of_its_own() -> None:
    """The first half turns by the row, the second by the column, each as a whole head would."""
    heads = heads_of(6, (2, 3, 8))
    turned = rotate(heads, 0, at_places(8, (0.0, 7.0), (1.0, 8.0), (2.0, 9.0)))
    assert largest_difference(turned[..., :4], rotate(heads[..., :4])) <= ROUNDING
    assert largest_difference(turned[..., 4:], rotate(heads[..., 4:], 7)) <= ROUNDING


def test_a_token_at_0_on_all_axes_is_not_turned() -> None:
    heads = heads_of(7, (1, 2, 8))
    turned = rotate(heads, 0, at_places(8, (0.0, 0.0), (0.0, 3.0)))
    assert np.array_equal(turned[:, 0], heads[:, 0])
    assert np.array_equal(turned[:, 1, :4], heads[:, 1, :4])
    assert not np.isclose(turned[:, 1, 4:], heads[:, 1, 4:]).any()


@given(seed=SEEDS, steps=st.tuples(*[st.integers(-4, 4)] * 6))
def test_scores_depend_on_the_distance_on_each_axis_only(seed: int, steps: tuple[int, ...]) -> None:
    query, key = heads_of(seed, (2, 1, 1, 8))
    at_query, at_key, shift = (np.array(steps[i : i + 2], float) for i in (0, 2, 4))

    def score(*places: FloatArray) -> float:
        how = at_places(8, *(tuple(place.tolist()) for place in places))
        return float((rotate(query, 0, how) @ rotate(key, 1, how).mT).item())

    here, there = score(at_query, at_key), score(at_query + shift, at_key + shift)
    assert largest_difference(there, here) <= ROUNDING


def test_the_series_of_frequencies_begins_anew_on_each_axis_or_goes_on() -> None:
    places = ((1.0, 1.0),)
    heads = np.tile([1.0, 0.0], 4)[None, None]

    def angles(**more: Any) -> list[float]:
        turned = rotate(heads, 0, at_places(8, *places, rope_base=16.0, **more))[0, 0]
        return np.arctan2(turned[1::2], turned[::2]).round(9).tolist()

    assert angles() == [1, 0.25, 1, 0.25]
    assert angles(rope_axes=(0, 1, 0, 1)) == [1, 1, 0.25, 0.25]
    assert angles(rope_series="all") == [1, 0.5, 0.25, 0.125]
    assert angles(rope_axes=(1, 1, 1, 1)) == [1, 0.5, 0.25, 0.125]


def test_position_zero_is_not_turned() -> None:
    heads = heads_of(1, (2, 1, 6))
    assert np.array_equal(rotate(heads), heads)


@given(seed=SEEDS, start=START)
def test_a_later_start_is_the_tail_of_a_longer_sequence(seed: int, start: int) -> None:
    heads = heads_of(seed, (2, start + 3, 4))
    assert np.array_equal(rotate(heads[:, start:], start), rotate(heads)[:, start:])


@given(seed=SEEDS, p=START, distance=START, shift=START)
def test_scores_under_rope_depend_on_the_distance_only(
    seed: int, p: int, distance: int, shift: int
) -> None:
    query, key = heads_of(seed, (2, 1, 1, 6))

    def score(at_query: int, at_key: int) -> float:
        return float((rotate(query, at_query) @ rotate(key, at_key).mT).item())

    here, there = score(p + distance, p), score(p + distance + shift, p + shift)
    assert largest_difference(there, here) <= ROUNDING
    assert largest_difference(score(p, p), (query @ key.mT).item()) <= ROUNDING


def test_a_rotation_does_not_write_into_what_it_turns() -> None:
    heads = heads_of(1, (2, 3, 4))
    before = heads.copy()
    rotate(heads, 3)
    assert np.array_equal(heads, before)


# ALiBi.

PAPER_SLOPES = {
    1: [1 / 256],
    2: [1 / 16, 1 / 256],
    8: [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256],
    16: [2 ** -(h / 2) for h in range(1, 17)],
    3: [1 / 16, 1 / 256, 1 / 4],
    6: [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8],
    12: [*(2.0**-h for h in range(1, 9)), *(2 ** -(h / 2) for h in (1, 3, 5, 7))],
}


@pytest.mark.parametrize("n_heads", PAPER_SLOPES)
def test_slopes_are_the_paper_s(n_heads: int) -> None:
    assert largest_difference(alibi_slopes(n_heads), PAPER_SLOPES[n_heads]) <= 1e-15


@pytest.mark.parametrize("n_heads", range(1, 33))
def test_slopes_follow_the_paper_s_rule_for_any_number_of_heads(n_heads: int) -> None:
    ours = alibi_slopes(n_heads)
    assert largest_difference(ours, oracle.slopes(n_heads)) <= 1e-15
    assert len(set(ours.round(12))) == n_heads
    assert (ours > 0).all()
    assert (ours < 1).all()


def test_alibi_takes_the_slope_for_every_token_in_between() -> None:
    bias = alibi(2, 2, 4, start=2)
    assert bias[0].tolist() == [[-2 / 16, -1 / 16, 0, -1 / 16], [-3 / 16, -2 / 16, -1 / 16, 0]]
    assert np.array_equal(bias[1], bias[0] / 16)


def test_queries_and_keys_start_together_unless_said_otherwise() -> None:
    assert np.array_equal(alibi(1, 3, 3)[0].diagonal(), [0, 0, 0])
    assert np.array_equal(sinusoids(3, 5), sinusoids(3, 5, 0))


@given(start=START, first=st.integers(0, 5), last=st.integers(0, 5))
def test_rows_of_alibi_asked_for_alone_are_rows_of_the_whole(
    start: int, first: int, last: int
) -> None:
    rows = slice(first, last)
    assert np.array_equal(alibi(3, 5, 7, start, rows), alibi(3, 5, 7, start)[:, rows])


# In the trace.


def test_alibi_and_an_additive_mask_are_both_added() -> None:
    additive = np.arange(35.0).reshape(5, 7)
    scores = ScoreOptions(positions="alibi", query_start=2)
    trace = attend(scenario_of_distinct_sizes(mask=Mask(additive=additive), scores=scores))
    assert np.array_equal(trace.bias, alibi(6, 5, 7, 2) + additive)
    assert np.array_equal(trace.biased_scores, trace.capped_scores + trace.bias)


def test_sinusoids_are_added_to_both_sequences_each_from_its_own_start() -> None:
    scores = ScoreOptions(positions="sinusoidal", query_start=2)
    trace = attend(scenario_of_distinct_sizes(scores=scores))
    assert np.array_equal(trace.x_positioned, trace.x + sinusoids(5, 11, 2))
    assert np.array_equal(trace.context_positioned, trace.context + sinusoids(7, 13))


def test_rope_turns_queries_and_keys_but_not_values() -> None:
    scores = ScoreOptions(positions="rope", query_start=2)
    turned, plain = (
        attend(scenario_of_distinct_sizes(scores=scores)),
        attend(scenario_of_distinct_sizes()),
    )
    assert np.array_equal(turned.q_rotated, rotate(plain.q_heads, 2))
    assert np.array_equal(turned.k_rotated, rotate(plain.k_heads))
    assert np.array_equal(turned.v_heads, plain.v_heads)


@pytest.mark.parametrize("positions", ["none", "sinusoidal", "alibi"])
def test_only_rope_turns_anything(positions: Any) -> None:
    trace = attend(self_attention(5, 14, 2, scores=ScoreOptions(positions=positions)))
    assert np.array_equal(trace.q_rotated, trace.q_heads)
    assert np.array_equal(trace.k_rotated, trace.k_heads)
