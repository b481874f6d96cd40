"""Other words, and a second sequence: rows that have a place keep their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.changing.changes import (
    with_changes,
    with_context,
    with_dtype,
    with_matrix,
    with_tokens,
    with_words,
)
from mha_core.changing.recipes import Recipe
from mha_core.checks.errors import OptionError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.making.inputs import make_x
from mha_core.making.presets import PRESETS, LayerSizes, make_projections
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from tests.core.changing.beginnings import WORDS, by_numbers, by_recipe


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


def test_a_word_that_is_there_keeps_its_row_and_a_new_one_gets_its_own() -> None:
    before = load_example("two-tokens")
    after = with_words(before, ["t2", "so", "t2", "so", "t1"])
    assert after.tokens == ("t2", "so", "t2", "so", "t1")
    np.testing.assert_array_equal(after.x[[0, 2, 4]], before.x[[1, 1, 0]])
    np.testing.assert_array_equal(after.x[[1, 3]], make_x("word_vectors", ["so", "so"], 4))


def test_of_equal_words_each_keeps_the_row_at_its_own_place() -> None:
    before = with_tokens(load_example("two-tokens"), ["so", "so"])
    np.testing.assert_array_equal(with_words(before, ["so", "so", "so"]).x[:2], before.x)
