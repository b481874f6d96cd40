"""Each control turns a scenario into the next one and keeps what still has a place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_dtype,
    with_heads,
    with_heads_off,
    with_mask,
    with_mask_cells_toggled,
    with_matrix,
    with_scores,
    with_tokens,
    with_weights,
    with_width,
    with_words,
    with_x,
)
from mha_core.changing.recipes import LAYER_SIZES, Recipe
from mha_core.checks.errors import (
    HeadsError,
    LimitError,
    MhaError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.making.inputs import make_x
from mha_core.making.presets import PRESETS, LayerSizes, make_projections
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import (
    RARE,
    random_arrays,
    scenario_of_distinct_sizes,
    scenarios,
    self_attention,
)

WORDS = ("I", "LOVE", "PIZZA")


def by_recipe(x: str = "word_vectors", weights: str = "random", **more: Any) -> Scenario:
    """Three words, d_model 8, two heads, all made by name."""
    made = make_projections(weights, LayerSizes(8, 8, 2, 2, 4, 4, 8), WORDS, 5)
    return Scenario(
        x=make_x(x, WORDS, 8, 3),
        **vars(made),
        n_heads=2,
        tokens=WORDS,
        origin=Origin("", x, 3, weights, 5),
        **more,
    )


def by_numbers(n: int = 3, d_model: int = 6, n_heads: int = 2, **more: Any) -> Scenario:
    """Random numbers of unknown origin."""
    return self_attention(n, d_model, n_heads, **more)


# Tokens.


def test_x_by_recipe_is_made_again_for_other_words() -> None:
    s = with_tokens(by_recipe(), ["PIZZA", "LOVES", "ME", "PIZZA"])
    assert s.tokens == ("PIZZA", "LOVES", "ME", "PIZZA")
    np.testing.assert_array_equal(s.x, make_x("word_vectors", s.tokens, 8, 3))


def test_a_cell_edited_by_hand_stays_where_it_is_when_x_is_made_again() -> None:
    edited = by_recipe().x.copy()
    edited[1, 2] = 77
    s = with_tokens(with_matrix(by_recipe(), "x", edited), ["NEW", "WORDS"])
    expected = make_x("word_vectors", ["NEW", "WORDS"], 8, 3)
    expected[1, 2] = 77
    np.testing.assert_array_equal(s.x, expected)


def test_minus_zero_is_an_edit_too() -> None:
    edited = by_recipe("zeros").x.copy()
    edited[0, 0] = -0.0
    s = with_tokens(with_matrix(by_recipe("zeros"), "x", edited), ["A"])
    assert np.signbit(s.x).tolist() == [[True] + [False] * 7]


def with_zeros_below(rows: FloatArray, n: int) -> FloatArray:
    return np.vstack([rows, np.zeros((n, rows.shape[1]))])


def test_rows_given_as_numbers_stay_and_new_ones_are_zero() -> None:
    before = by_numbers(n=3)
    after = with_tokens(before, list("ABCDE"))
    np.testing.assert_array_equal(after.x, with_zeros_below(before.x, 2))
    assert with_tokens(after, before.tokens) == before


def test_new_rows_and_new_columns_of_an_x_given_as_numbers_are_zero() -> None:
    before = by_numbers(n=3, d_model=6)
    after = with_changes(before, tokens=list("ABCD"), sizes={"d_model": 8})
    np.testing.assert_array_equal(after.x[:3], np.hstack([before.x, np.zeros((3, 2))]))
    assert not after.x[3].any()


# The rule of older links.


def drawn(n: int, d_model: int, seed: int = 0) -> FloatArray:
    return make_x("random", ["any"] * n, d_model, seed)


def with_drawn_rows(s: Scenario, tokens: list[str]) -> Scenario:
    return with_changes(s, tokens=tokens, draw_new_rows=True)


def test_new_rows_are_drawn_where_that_is_asked_for() -> None:
    before = by_numbers(n=3, origin=Origin(x_seed=7))
    after = with_drawn_rows(before, list("ABCDE"))
    np.testing.assert_array_equal(after.x, np.vstack([before.x, drawn(5, 6, seed=7)[3:]]))
    assert with_tokens(after, before.tokens) == before


def test_drawn_rows_are_whole_and_new_columns_of_rows_that_stay_are_zero() -> None:
    before = by_numbers(n=3, d_model=6)
    after = with_changes(before, tokens=list("ABCD"), sizes={"d_model": 8}, draw_new_rows=True)
    np.testing.assert_array_equal(after.x[:3], np.hstack([before.x, np.zeros((3, 2))]))
    np.testing.assert_array_equal(after.x[3], drawn(4, 8)[3])


def test_an_x_of_zeros_gets_no_drawn_rows() -> None:
    zeros = by_numbers(n=2, x=np.zeros((2, 6)))
    assert not with_drawn_rows(zeros, list("ABC")).x.any()


def test_drawn_rows_have_the_number_type_of_the_others() -> None:
    after = with_drawn_rows(with_dtype(by_numbers(n=2), "float32"), list("ABC"))
    np.testing.assert_array_equal(after.x[2], drawn(3, 6)[2].astype(np.float32))


def test_both_sequences_are_drawn_rows_that_differ() -> None:
    before = with_context(by_numbers(n=3, origin=Origin(x_seed=6)), ["A", "B"])
    words = list("ABCD")
    after = with_changes(before, tokens=words, context_tokens=words, draw_new_rows=True)
    assert after.context is not None
    assert before.context is not None
    np.testing.assert_array_equal(after.x, np.vstack([before.x, drawn(4, 6, seed=6)[3:]]))
    new = drawn(4, 6, seed=7)[2:]
    np.testing.assert_array_equal(after.context, np.vstack([before.context, new]))


# Words.


def test_other_words_leave_weights_alone_unless_they_were_built_for_the_words() -> None:
    for name, preset in PRESETS.items():
        before = with_changes(by_recipe(), x=Recipe("one_hot_position"), weights=Recipe(name, 5))
        after = with_tokens(before, ["I", "I", "I"])
        made = make_projections(name, LayerSizes.of(after), after.tokens, 5)
        np.testing.assert_array_equal(after.w_q, made.w_q, err_msg=name)
        assert (after.w_q is before.w_q) == (not preset.reads_tokens), name


def test_hand_built_heads_still_do_what_they_promise_for_other_words() -> None:
    before = by_recipe("one_hot_position", "previous_token")
    after = with_tokens(before, ["SO", "SO", "GOOD"])
    claim = PRESETS["previous_token"].claims[0]
    assert claim.holds(attend(before))
    assert claim.holds(attend(after))


def test_a_recipe_that_cannot_take_the_words_says_so() -> None:
    with pytest.raises(ShapeError, match=r"d_model must be at least 9 .* got 8"):
        with_tokens(by_recipe("one_hot"), list("ABCDEFGHI"))


@pytest.mark.parametrize("change", [with_tokens, with_context])
def test_no_tokens_are_refused(change: Any) -> None:
    with pytest.raises(ShapeError, match="must hold at least one word, got none"):
        change(by_recipe(), [])


def test_a_false_hint_in_origin_does_no_harm() -> None:
    for false in ("no such recipe", "one_hot"):  # three words, but d_model is 2
        s = by_numbers(n=3, d_model=2, n_heads=1, origin=Origin("", false, 0, "previous_token"))
        after = with_tokens(s, list("ABCD"))
        np.testing.assert_array_equal(after.x, with_zeros_below(s.x, 1))
        assert after.w_q is s.w_q


# The second sequence.


def test_a_second_sequence_starts_as_the_rows_that_keys_came_from() -> None:
    before = by_numbers(n=3)
    after = with_context(before, list("ABCDE"))
    assert after.context is not None
    np.testing.assert_array_equal(after.context, with_zeros_below(before.x, 2))
    np.testing.assert_array_equal(after.x, before.x)
    assert (after.n_q, after.n_k, after.context_tokens) == (3, 5, ("A", "B", "C", "D", "E"))
    assert with_context(after, None) == before


def test_a_second_sequence_is_made_as_x_is() -> None:
    s = with_context(by_recipe(), ["PIZZA", "AMO"])
    assert s.context is not None
    np.testing.assert_array_equal(s.context, make_x("word_vectors", ["PIZZA", "AMO"], 8, 3))
    np.testing.assert_array_equal(s.context[0], s.x[2])  # the same word, the same vector


def test_chance_draws_other_numbers_for_the_second_sequence() -> None:
    s = with_context(by_recipe("random"), WORDS)
    assert s.context is not None
    assert not (s.context == s.x).any()
    again = with_context(s, [*WORDS, "MORE"])
    assert again.context is not None
    np.testing.assert_array_equal(again.context[:3], s.context)


def test_a_second_sequence_of_another_width_makes_room_in_the_weights() -> None:
    s = with_changes(by_recipe(), context_tokens=["A"], sizes={"d_model_kv": 5})
    made = make_projections("random", LayerSizes(8, 5, 2, 2, 4, 4, 8), (), 5)
    assert s.context is not None
    assert s.context.shape == (1, 5)
    np.testing.assert_array_equal(s.w_k, made.w_k)
    assert with_context(s, None) == by_recipe()


def test_a_width_of_a_second_sequence_that_is_not_there_is_refused() -> None:
    with pytest.raises(OptionError, match="d_model_kv must be d_model = 6 without a second seq"):
        with_changes(by_numbers(), sizes={"d_model_kv": 5})


# Width.


def test_sizes_that_followed_d_model_follow_it_again() -> None:
    s = with_width(by_numbers(d_model=6, n_heads=2), 10)
    assert [s.sizes[name] for name in LAYER_SIZES] == [10, 10, 2, 2, 5, 5, 10]


def test_a_second_sequence_as_wide_as_x_stays_as_wide() -> None:
    s = with_width(with_context(by_numbers(d_model=6, n_heads=2), ["A"]), 10)
    assert (s.d_model, s.d_model_kv) == (10, 10)


def test_sizes_of_their_own_stay() -> None:
    before = scenario_of_distinct_sizes()
    after = with_width(before, 23)
    assert after.sizes == before.sizes | {"d_model": 23}


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
    assert (told.thing, told.need) == (
        "d_k",
        "must be even for RoPE, which turns columns in pairs",
    )
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


# Recipes.


def test_x_made_afresh_drops_edits_and_fills_both_sequences() -> None:
    edited = with_matrix(with_context(by_recipe(), ["A", "B"]), "x", np.ones((3, 8)))
    s = with_x(edited, "sinusoids", 9)
    assert s.context is not None
    np.testing.assert_array_equal(s.x, make_x("sinusoids", WORDS, 8))
    np.testing.assert_array_equal(s.context, make_x("sinusoids", ["A", "B"], 8))
    assert (s.origin.x, s.origin.x_seed) == ("sinusoids", 9)
    assert with_x(with_matrix(by_recipe(), "x", np.ones((3, 8))), "word_vectors", 3) == by_recipe()


def test_weights_made_afresh_drop_edits_and_leave_biases() -> None:
    before = by_recipe(b_q=np.arange(8.0))
    edited = with_matrix(before, "w_q", np.ones((8, 8)))
    assert with_weights(edited, "random", 5) == before
    other = with_weights(edited, "shared_qk", 6)
    assert other.b_q is before.b_q
    np.testing.assert_array_equal(other.w_q, other.w_k)
    assert (other.origin.weights, other.origin.weights_seed) == ("shared_qk", 6)


def test_names_that_nobody_knows_are_refused() -> None:
    with pytest.raises(OptionError, match="The input must be one of one_hot"):
        with_x(by_numbers(), "nonsense")
    with pytest.raises(OptionError, match="The preset must be one of split_only"):
        with_weights(by_numbers(), "nonsense")


# Arrays by hand.


@pytest.mark.parametrize("name", GIVEN)
def test_every_array_can_be_edited_and_keeps_its_origin(name: str) -> None:
    recipes = Origin("", "random", 1, "random", 2)
    before = scenario_of_distinct_sizes(**RARE, origin=recipes)
    edited = getattr(before, name) + 1
    after = with_matrix(before, name, edited.tolist())
    assert after == replace(before, **{name: edited})
    assert after.origin == before.origin


def test_a_bias_can_be_added_and_taken_away() -> None:
    before = by_numbers()
    after = with_matrix(before, "b_o", np.arange(6.0))
    assert after.b_o is not None
    assert with_matrix(after, "b_o", None) == before


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"X must have shape \(n_q, d_model\) = \(3, 6\), got"):
        with_matrix(by_numbers(), "x", np.ones((4, 6)))
    with pytest.raises(OptionError, match="The matrix must be one of x, context, w_q"):
        with_matrix(by_numbers(), "w_z", np.ones((3, 6)))
    with pytest.raises(OptionError, match="C needs a second sequence first"):
        with_matrix(by_numbers(), "context", np.ones((3, 6)))
    with pytest.raises(MhaError, match="W_Q must"):
        with_matrix(by_numbers(), "w_q", None)


# Number types.


def test_an_edit_in_float64_leaves_float32_what_it_is() -> None:
    s = with_dtype(by_recipe(), "float32")
    for after in (
        with_matrix(s, "x", np.full((3, 8), 0.1)),
        with_tokens(s, ["A"]),
        with_width(s, 16),
        with_x(s, "random", 1),
        with_weights(s, "random", 1),
        with_context(s, ["A", "B"]),
    ):
        assert {array.dtype for array in after.given().values()} == {np.dtype(np.float32)}


def test_float32_is_no_edit_by_hand() -> None:
    s = with_tokens(with_dtype(by_recipe(), "float32"), ["A"])
    np.testing.assert_array_equal(s.x, make_x("word_vectors", ["A"], 8, 3).astype(np.float32))


def test_numbers_beyond_float32_are_refused_in_words() -> None:
    s = with_dtype(by_numbers(), "float32")
    with pytest.raises(NumberError, match="inf in row 1, column 1"):
        with_matrix(s, "x", np.full((3, 6), 1e39))
    with pytest.raises(NumberError, match="inf in row 1, column 1"):
        with_dtype(by_numbers(x=np.full((3, 6), 1e39)), "float32")


def test_other_number_types_are_refused() -> None:
    with pytest.raises(OptionError, match="number type must be one of float64, float32, got 'int'"):
        with_dtype(by_numbers(), "int")


# Mask and scores.


def test_mask_and_scores_are_set_as_they_are_given() -> None:
    mask = Mask((Rule("causal"),))
    s = with_scores(with_mask(by_numbers(), mask), scale=2.0, positions="alibi")
    assert s.mask is mask
    assert (s.scores.scale, s.scores.positions, s.scores.softcap) == (2.0, "alibi", None)
    assert with_scores(s, softcap=5.0).scores.scale == 2.0
    assert with_scores(s, temperature=0.5).scores.temperature == 0.5
    with pytest.raises(OptionError, match="A score option must be one of scale, softcap, posit"):
        with_scores(s, sharpness=1.0)


def test_changes_that_fit_only_together_are_made_in_one_step() -> None:
    turned = with_scores(by_numbers(d_model=8, n_heads=2), positions="rope")
    with pytest.raises(ShapeError, match="d_k must be even for RoPE"):
        with_width(turned, 6)
    still = replace(turned.scores, positions="none")
    assert with_changes(turned, sizes={"d_model": 6}, scores=still).d_k == 3


# Laws.


@given(scenario=scenarios())
def test_no_change_changes_nothing(scenario: Scenario) -> None:
    same = with_changes(scenario)
    assert same == scenario
    assert all(same.given()[name] is array for name, array in scenario.given().items())


@given(
    scenario=scenarios(), more=st.fixed_dictionaries(dict.fromkeys(LAYER_SIZES, st.integers(0, 3)))
)
def test_growing_and_shrinking_back_gives_the_same_scenario(
    scenario: Scenario, more: dict[str, int]
) -> None:
    cross = scenario.context is not None
    back = {name: scenario.sizes[name] for name in LAYER_SIZES}
    larger = {name: n if "heads" in name else n + more[name] for name, n in back.items()}
    if not cross:
        larger["d_model_kv"] = larger["d_model"]
    grown = with_changes(
        scenario,
        tokens=(*scenario.tokens, "one more"),
        context_tokens=(*scenario.context_tokens, "one more") if cross else (),
        sizes=larger,
        scores=replace(scenario.scores, positions="none"),
    )
    shrunk = with_changes(
        grown,
        tokens=scenario.tokens,
        context_tokens=scenario.context_tokens,
        sizes=back,
        scores=scenario.scores,
    )
    assert shrunk == scenario


@given(scenario=scenarios(), to=scenarios())
def test_any_sizes_lead_to_any_others(scenario: Scenario, to: Scenario) -> None:
    after = with_changes(
        scenario,
        tokens=to.tokens,
        context_tokens=to.context_tokens,
        sizes={name: to.sizes[name] for name in LAYER_SIZES},
        scores=to.scores,
    )
    assert after.sizes == to.sizes
    assert after.dtype == scenario.dtype


def test_random_arrays_are_not_all_zero() -> None:
    """With zeros, the laws above would be true whatever the code did."""
    arrays = random_arrays(scenario_of_distinct_sizes().sizes, list(GIVEN), seed=1, dtype=float)
    assert all(array.all() for array in arrays.values())


def test_drawing_hides_a_key_from_a_query_and_shows_it_again() -> None:
    before = by_recipe()
    hidden = with_mask_cells_toggled(before, [(1, 2)])
    assert np.argwhere(~attend(hidden).mask).tolist() == [[1, 2]]
    two = with_mask_cells_toggled(hidden, [(0, 0)])
    assert np.argwhere(~attend(two).mask).tolist() == [[0, 0], [1, 2]]
    assert with_mask_cells_toggled(two, [(0, 0), (1, 2)]) == before


def test_the_first_of_several_cells_says_whether_all_are_hidden() -> None:
    one = with_mask_cells_toggled(by_recipe(), [(1, 2)])
    two = with_mask_cells_toggled(one, [(0, 0), (1, 2)])
    assert np.argwhere(~attend(two).mask).tolist() == [[0, 0], [1, 2]]
    assert with_mask_cells_toggled(two, [(0, 0), (2, 2)]) == one


def test_drawing_does_not_overrule_a_rule() -> None:
    causal = by_recipe(mask=Mask((Rule("causal"),)))
    with pytest.raises(OptionError, match="query I, key PIZZA, which a rule hides"):
        with_mask_cells_toggled(causal, [(0, 2)])


@pytest.mark.parametrize("place", [(3, 0), (0, 3), (-1, 0)])
def test_a_cell_beside_the_mask_is_refused(place: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="must be one of the mask, of 3 queries and 3 keys"):
        with_mask_cells_toggled(self_attention(3, 4, 2), [place])


def test_a_word_that_is_there_keeps_its_row_and_a_new_one_gets_its_own() -> None:
    before = load_example("two-tokens")
    after = with_words(before, ["t2", "so", "t2", "so", "t1"])
    assert after.tokens == ("t2", "so", "t2", "so", "t1")
    np.testing.assert_array_equal(after.x[[0, 2, 4]], before.x[[1, 1, 0]])
    np.testing.assert_array_equal(after.x[[1, 3]], make_x("word_vectors", ["so", "so"], 4))


def test_of_equal_words_each_keeps_the_row_at_its_own_place() -> None:
    before = with_tokens(load_example("two-tokens"), ["so", "so"])
    np.testing.assert_array_equal(with_words(before, ["so", "so", "so"]).x[:2], before.x)
