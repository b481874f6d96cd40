"""Other widths and head counts: what has a place stays, what is new is zero."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_heads,
    with_heads_off,
    with_matrix,
    with_scores,
    with_tokens,
    with_width,
)
from mha_core.changing.recipes import LAYER_SIZES, Recipe
from mha_core.checks.errors import HeadsError, LimitError, NumberError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.making.inputs import make_x
from mha_core.making.presets import LayerSizes, make_projections
from mha_core.scenario.masks import Mask
from mha_core.scenario.score_options import ScoreOptions
from tests.core.changing.beginnings import WORDS, by_numbers, by_recipe
from tests.core.strategies import scenario_of_distinct_sizes, self_attention


def test_sizes_that_followed_d_model_follow_it_again() -> None:
    s = with_width(by_numbers(d_model=6, n_heads=2), 10)
    assert [s.sizes[name] for name in LAYER_SIZES] == [10, 10, 10, 2, 2, 5, 5, 10]


def test_a_second_sequence_as_wide_as_x_stays_as_wide() -> None:
    s = with_width(with_context(by_numbers(d_model=6, n_heads=2), ["A"]), 10)
    assert (s.d_model, s.d_model_kv) == (10, 10)


def test_sizes_of_their_own_stay() -> None:
    before = scenario_of_distinct_sizes()
    after = with_width(before, 29)
    assert after.sizes == before.sizes | {"d_model": 29}


def test_a_wider_matrix_keeps_each_heads_columns_and_grows_by_zeros() -> None:
    before = by_numbers(d_model=6, n_heads=2)
    after = with_width(before, 8)
    by_head = after.w_q.reshape(8, 2, 4)
    np.testing.assert_array_equal(by_head[:6, :, :3], before.w_q.reshape(6, 2, 3))
    assert not by_head[6:].any()
    assert not by_head[:, :, 3:].any()
    assert with_width(after, 6) == before


def test_weights_by_preset_are_made_again_for_another_width() -> None:
    s = with_width(by_recipe(), 12)
    np.testing.assert_array_equal(
        s.w_v, make_projections("random", LayerSizes(12, 12, 2, 2, 6, 6, 12), (), 5).w_v
    )
    np.testing.assert_array_equal(s.x, make_x("word_vectors", WORDS, 12, 3))


def test_a_width_that_the_heads_do_not_divide_is_refused() -> None:
    with pytest.raises(HeadsError, match=r"n_heads must divide d_model = 9, got 2\. .*1, 3, 9"):
        with_width(by_numbers(d_model=6, n_heads=2), 9)


# RoPE needs an even d_k, and a refusal says where an odd one comes from.

TURNED = ScoreOptions(positions="rope")


def test_a_preset_that_leads_to_an_odd_d_k_is_named_as_the_cause() -> None:
    s = by_recipe("word_vectors", "random", scores=TURNED)
    with pytest.raises(ShapeError) as caught:
        with_changes(s, weights=Recipe("previous_token"), sizes={"d_model": 10})
    told = caught.value
    assert (told.thing, told.need) == ("d_k", "must be even for RoPE, which turns columns in pairs")
    assert told.got == "5, which the preset 'Previous token' needs here"
    assert told.way_out == "Choose other positions than RoPE, or a d_k of its own, such as 6."
    taken = with_changes(s, weights=Recipe("previous_token"), sizes={"d_model": 10, "d_k": 6})
    assert taken.d_k == 6


def test_a_width_that_leads_to_an_odd_d_k_is_named_as_the_cause() -> None:
    with pytest.raises(ShapeError, match="got 5, which is d_model / n_heads = 10 / 2"):
        with_width(by_recipe(scores=TURNED), 10)
    with pytest.raises(ShapeError, match=r"must be even for RoPE.*, got 3\. Choose other"):
        with_heads(by_recipe(scores=TURNED), 2, d_k=3)


# Heads.


def test_heads_share_d_model_by_default() -> None:
    s = with_heads(by_numbers(d_model=12, n_heads=2), 4)
    assert (s.n_heads, s.n_kv_heads, s.d_k, s.d_v) == (4, 4, 3, 3)


def test_another_cut_of_the_same_columns_changes_no_number() -> None:
    before = by_numbers(d_model=12, n_heads=2)
    after = with_heads(before, 6)
    assert all(after.given()[name] is array for name, array in before.given().items())


def test_another_cut_of_columns_that_a_preset_made_keeps_every_edit() -> None:
    before = with_matrix(by_recipe(), "w_q", np.arange(64.0).reshape(8, 8))
    after = with_heads(before, 4)
    assert all(after.given()[name] is array for name, array in before.given().items())


def test_query_heads_keep_their_columns_while_key_heads_are_cut_anew() -> None:
    before = scenario_of_distinct_sizes()  # 6 heads of 2 columns, 3 key heads
    after = with_heads(before, 6, 2, d_k=5, d_v=17)
    np.testing.assert_array_equal(
        after.w_q.reshape(11, 6, 5)[:, :, :2], before.w_q.reshape(11, 6, 2)
    )
    np.testing.assert_array_equal(after.w_k[:, :6], before.w_k)
    assert not after.w_k[:, 6:].any()


def test_each_head_keeps_its_columns_when_all_get_wider() -> None:
    before = by_numbers(d_model=6, n_heads=3)
    after = with_heads(before, 3, d_k=5, d_v=4)
    np.testing.assert_array_equal(after.w_k.reshape(6, 3, 5)[:, :, :2], before.w_k.reshape(6, 3, 2))
    np.testing.assert_array_equal(after.w_o.reshape(3, 4, 6)[:, :2], before.w_o.reshape(3, 2, 6))
    assert not after.w_o.reshape(3, 4, 6)[:, 2:].any()


def test_more_heads_of_the_same_width_are_added_as_zeros() -> None:
    before = scenario_of_distinct_sizes()
    after = with_heads(before, 9, 3, d_k=2, d_v=17)
    np.testing.assert_array_equal(after.w_q[:, :12], before.w_q)
    assert not after.w_q[:, 12:].any()
    assert after.b_q is not None
    assert after.b_q[12:].tolist() == [0] * 6
    assert after.w_k is before.w_k


@pytest.mark.parametrize(
    ("norm", "before", "after"),
    [
        ("head", (2.0, 3.0), (2.0, 3.0, 1.0)),
        ("all", (2.0, 3.0, 4.0, 5.0), (2.0, 3.0, 1.0, 4.0, 5.0, 1.0, 1.0, 1.0, 1.0)),
    ],
)
def test_new_columns_have_a_gain_of_1(
    norm: str, before: tuple[float, ...], after: tuple[float, ...]
) -> None:
    s = with_scores(self_attention(3, 4, 2), qk_norm=norm, q_gain=before)
    wider = with_heads(s, 3, d_k=3, d_v=2)
    assert (wider.scores.q_gain, wider.scores.k_gain) == (after, None)
    assert with_heads(wider, 2, d_k=2, d_v=2).scores == s.scores


def test_new_columns_have_a_shift_of_0_and_gains_of_each_head_stay_with_it() -> None:
    s = with_scores(
        self_attention(3, 4, 2),
        **{"qk_norm": "head", "q_gain": (2.0, 3.0, 4.0, 5.0), "k_shift": (2.0, 3.0)},
        **{"v_norm": "rms", "v_gain": (2.0, 3.0)},
        **{"concat_norm": "layer", "concat_shift": (2.0, 3.0, 4.0, 5.0)},
    )
    wider = with_heads(s, 3, d_k=3, d_v=1).scores
    assert wider.q_gain == (2.0, 3.0, 1.0, 4.0, 5.0, 1.0, 1.0, 1.0, 1.0)
    assert (wider.k_shift, wider.v_gain) == ((2.0, 3.0, 0.0), (2.0,))
    assert wider.concat_shift == (2.0, 4.0, 0.0)


def test_gains_that_no_norm_reads_stay_as_they_are() -> None:
    s = with_scores(self_attention(3, 4, 2), v_gain=(2.0, 3.0, 4.0))
    assert with_heads(s, 4, d_k=1, d_v=1).scores == s.scores


def test_heads_keep_what_they_add_to_their_scores_when_tokens_come() -> None:
    s = replace(self_attention(3, 4, 2), b_s=np.arange(1.0, 19).reshape(6, 3))
    longer = attend(with_tokens(s, ["a", "b", "c", "d"])).bias
    np.testing.assert_array_equal(longer[:, :3, :3], s.b_s.reshape(2, 3, 3))
    assert not longer[:, 3].any()
    assert not longer[:, :, 3].any()


def test_an_edited_weight_stays_when_the_preset_is_made_again() -> None:
    edited = by_recipe().w_o.copy()
    edited[3, 1] = 77
    s = with_heads(with_matrix(by_recipe(), "w_o", edited), 2, d_k=4, d_v=6)
    expected = make_projections("random", LayerSizes.of(s), (), 5).w_o.copy()
    expected[3, 1] = 77
    np.testing.assert_array_equal(s.w_o, expected)
    assert with_heads(s, 2).w_o.tolist() == edited.tolist()


def test_heads_off_stay_off_while_they_exist() -> None:
    s = with_heads_off(by_numbers(d_model=12, n_heads=4), [1, 3])
    assert with_heads(s, 3).heads_off == {1}
    assert with_heads(s, 6).heads_off == {1, 3}


def test_a_head_count_that_does_not_divide_is_refused_with_those_that_do() -> None:
    message = r"n_heads must divide d_model = 6, got 4\. Take one of 1, 2, 3, 6, or choose d_k and"
    with pytest.raises(HeadsError, match=message):
        with_heads(by_numbers(d_model=6), 4)
    assert with_heads(by_numbers(d_model=6), 4, d_k=1, d_v=5).d_v == 5


def test_key_heads_must_divide_the_heads() -> None:
    with pytest.raises(HeadsError, match="n_kv_heads must divide n_heads = 6, got 4"):
        with_heads(by_numbers(d_model=6), 6, 4)


@pytest.mark.parametrize("wrong", [0, -2, 1.5, "3", True, 10**9])
def test_sizes_that_are_no_sizes_are_refused(wrong: Any) -> None:
    with pytest.raises(NumberError, match="n_heads must be a whole number from 1 to 256"):
        with_heads(by_numbers(), wrong)
    with pytest.raises(NumberError, match="d_model must be a whole number from 1 to 8192"):
        with_width(by_numbers(), wrong)


def test_arrays_that_are_too_large_are_never_made() -> None:
    tokens = ["A"] * LIMITS.tokens
    with pytest.raises(
        LimitError, match="numbers in X must be at most 67,108,864, got 134,217,728"
    ):
        with_changes(by_numbers(), tokens=tokens, sizes={"d_model": LIMITS.width})
    for mask in (Mask(custom=np.ones((3, 3), np.bool_)), Mask(additive=np.zeros((3, 3)))):
        with pytest.raises(
            LimitError, match="cells in the mask must be at most 67,108,864, got 268,4"
        ):
            with_tokens(by_numbers(mask=mask), tokens)
