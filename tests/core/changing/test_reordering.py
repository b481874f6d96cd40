"""Tokens and columns that are added, removed and moved take along what belongs to them.

Takes long: random layers are changed and computed anew, fifty for each law.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.changing.changes import (
    with_context,
    with_heads,
    with_matrix,
    with_scores,
    with_weights,
    with_x,
)
from mha_core.changing.reordering import (
    with_column_added,
    with_column_moved,
    with_column_removed,
    with_head_moved,
    with_token_added,
    with_token_moved,
    with_token_removed,
    with_tokens_backwards,
)
from mha_core.checks.errors import MhaError, NumberError, OptionError, ShapeError
from mha_core.examples import load_example
from mha_core.layer.trace import Trace
from mha_core.making.inputs import INPUTS, make_x, natural_width
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.any_scenario import any_scenario
from tests.core.compare import TOLERANCE, largest_difference
from tests.core.strategies import scenario_of_distinct_sizes, scenarios, self_attention

SEQUENCES = ["tokens", "context_tokens"]
WIDTHS = ["d_model", "d_model_kv"]


def count_of(s: Scenario, sequence: str) -> int:
    return s.n_q if sequence == "tokens" else s.n_k


def bare(s: Scenario) -> Scenario:
    """The scenario without the names of its recipes."""
    return replace(s, origin=Origin())


@st.composite
def scenario_and_places(
    draw: st.DrawFn, layers: st.SearchStrategy[Scenario], names: list[str], count: Any
) -> tuple[Scenario, str, int, int]:
    """A scenario, one of its sequences or widths, and two places there."""
    s = draw(layers)
    name = draw(st.sampled_from(names if s.context is not None else names[:1]))
    place = st.integers(0, count(s, name) - 1)
    return s, name, draw(place), draw(place)


def width_of(s: Scenario, width: str) -> int:
    return s.sizes[width]


@st.composite
def scenario_and_heads(draw: st.DrawFn) -> tuple[Scenario, int, int]:
    """A scenario and two heads that share keys and values, or any two where none are shared."""
    s = draw(scenarios())
    group = s.n_heads // s.n_kv_heads
    head, to = (draw(st.integers(0, s.n_heads - 1)) for _ in range(2))
    return s, head, to if group == 1 else head - head % group + to % group


# Labels of all kinds are drawn where tokens move: columns and heads have none.
with_two_tokens = given(case=scenario_and_places(any_scenario(), SEQUENCES, count_of))
with_two_columns = given(case=scenario_and_places(scenarios(), WIDTHS, width_of))
with_two_heads = given(case=scenario_and_heads())
Case = tuple[Scenario, str, int, int]


# Laws.


@with_two_tokens
def test_a_token_moved_there_and_back_leaves_everything_as_it_was(case: Case) -> None:
    s, sequence, place, to = case
    there = with_token_moved(s, sequence, place, to)
    assert bare(with_token_moved(there, sequence, to, place)) == _with_both_segments(bare(s), there)


@with_two_tokens
def test_tokens_that_are_turned_round_are_those_that_go_to_the_front_one_by_one(case: Case) -> None:
    s, sequence, *_ = case
    one_by_one = s
    for place in range(count_of(s, sequence)):
        one_by_one = with_token_moved(one_by_one, sequence, place, 0)
    assert bare(with_tokens_backwards(s, sequence)) == bare(one_by_one)


def _with_both_segments(s: Scenario, there: Scenario) -> Scenario:
    """Write down the documents of both sequences, if one of them moves."""
    both = zip(s.mask.rules, there.mask.rules, strict=True)
    rules = [
        Rule(rule.name, {**rule.options, "query_segments": rule.options["segments"]})
        if "query_segments" in moved.options and not rule.options.get("query_segments")
        else rule
        for rule, moved in both
    ]
    return replace(s, mask=replace(s.mask, rules=tuple(rules)))


@with_two_tokens
def test_a_token_that_is_added_and_removed_leaves_everything_as_it_was(case: Case) -> None:
    s, sequence, place, _ = case
    more = with_token_added(s, sequence, place, "new")
    assert bare(with_token_removed(more, sequence, place)) == _with_both_segments(bare(s), more)


@with_two_columns
def test_a_column_moved_there_and_back_leaves_everything_as_it_was(case: Case) -> None:
    s, width, place, to = case
    there = with_column_moved(s, width, place, to)
    assert bare(with_column_moved(there, width, to, place)) == bare(s)


@with_two_columns
def test_a_column_that_is_added_and_removed_leaves_everything_as_it_was(case: Case) -> None:
    s, width, place, _ = case
    more = with_column_added(s, width, place)
    assert bare(with_column_removed(more, width, place)) == bare(s)


BY_PLACE = ("causal", "sliding_window", "prefix_lm", "global_local", "strided", "dilated")


@given(case=scenario_and_places(scenarios(), SEQUENCES, count_of))
def test_a_moved_token_takes_its_row_of_every_array_along(case: Case) -> None:
    """This leaves out rules and positions that ask where a token stands."""
    s, sequence, place, to = case
    rules = tuple(rule for rule in s.mask.rules if rule.name not in BY_PLACE)
    s = replace(s, mask=replace(s.mask, rules=rules), scores=ScoreOptions(), r_k=None, r_q=None)
    before, after = attend(s), attend(with_token_moved(s, sequence, place, to))
    queries, keys = np.arange(s.n_q), np.arange(s.n_k)
    if sequence == "tokens":
        queries = np.insert(np.delete(queries, place), to, place)
    if sequence == "context_tokens" or s.context is None:
        keys = np.insert(np.delete(keys, place), to, place)
    assert_close(after, after.q, before.q[queries])
    assert_close(after, after.k, before.k[keys])
    assert_close(after, after.weights, before.weights[:, queries][:, :, keys])
    assert_close(after, after.output, before.output[queries])
    assert (after.mask == before.mask[queries][:, keys]).all()


def assert_close(trace: Trace, one: Any, other: Any) -> None:
    assert largest_difference(one, other) <= 10 * TOLERANCE[trace.scenario.dtype.name]


@with_two_columns
def test_columns_that_move_or_come_change_no_number_of_the_layer(case: Case) -> None:
    s, width, place, to = case
    assume(s.scores.positions != "sinusoidal")  # which adds other waves to each column
    before = attend(s)
    for changed in (with_column_moved(s, width, place, to), with_column_added(s, width, place)):
        after = attend(changed)
        for step in ("q", "k", "v", "weights", "output"):
            assert_close(after, getattr(after, step), getattr(before, step))


@with_two_heads
def test_a_head_moved_there_and_back_leaves_everything_as_it_was(
    case: tuple[Scenario, int, int],
) -> None:
    s, head, to = case
    assert bare(with_head_moved(with_head_moved(s, head, to), to, head)) == bare(s)


@with_two_heads
def test_a_moved_head_keeps_its_weights_and_the_output_stays(
    case: tuple[Scenario, int, int],
) -> None:
    s, head, to = case
    assume(s.scores.positions != "alibi")  # which gives each place a slope
    before, after = attend(s), attend(with_head_moved(s, head, to))
    order = np.insert(np.delete(np.arange(s.n_heads), head), to, head)
    for step in ("weights", "head_outputs", "contributions"):
        assert_close(after, getattr(after, step), getattr(before, step)[order])
    assert_close(after, after.output, before.output)


@given(s=scenarios(), others=st.integers(0, 5))
def test_a_head_stays_among_those_that_share_its_keys_and_values(s: Scenario, others: int) -> None:
    group = s.n_heads // s.n_kv_heads
    assume(group > 1 and s.n_kv_heads > 1)
    beyond = (group + others) % s.n_heads
    assume(beyond >= group)
    with pytest.raises(ShapeError, match=f"Head 1 must stay among heads 1 to {group}, which"):
        with_head_moved(s, 0, beyond)


@given(s=scenarios())
def test_a_token_that_is_removed_leaves_the_others_as_they_were(s: Scenario) -> None:
    assume(s.n_q > 1)
    less = with_token_removed(s, "tokens", 0)
    np.testing.assert_array_equal(less.x, s.x[1:])
    assert less.tokens == s.tokens[1:]
    assert less.w_q is s.w_q
    assert less.b_o is s.b_o


# What goes along.


def test_a_row_of_x_a_label_and_the_drawn_masks_go_with_a_token() -> None:
    custom = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], np.bool_)
    additive = np.arange(9.0).reshape(3, 3)
    s = self_attention(3, 6, 2, tokens=("A", "B", "C"), mask=Mask((), custom, additive))
    moved = with_token_moved(s, "tokens", 0, 2)
    assert moved.tokens == ("B", "C", "A")
    np.testing.assert_array_equal(moved.x, s.x[[1, 2, 0]])
    assert moved.mask.custom is not None
    assert moved.mask.custom.astype(int).tolist() == [[1, 0, 1], [1, 1, 0], [0, 1, 1]]
    assert moved.mask.additive is not None
    assert moved.mask.additive.tolist() == [[4, 5, 3], [7, 8, 6], [1, 2, 0]]


def test_a_new_token_is_open_to_all_and_its_row_is_zero() -> None:
    hides = Mask((), np.zeros((2, 2), np.bool_), np.full((2, 2), -np.inf))
    s = with_token_added(self_attention(2, 6, 2, tokens=("A", "B"), mask=hides), "tokens", 1, "N")
    assert s.tokens == ("A", "N", "B")
    assert s.x[1].tolist() == [0] * 6
    assert s.mask.custom is not None
    assert s.mask.custom.astype(int).tolist() == [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
    assert s.mask.additive is not None
    inf = np.inf
    assert s.mask.additive.tolist() == [[-inf, 0, -inf], [0, 0, 0], [-inf, 0, -inf]]


@pytest.mark.parametrize(
    ("rule", "moved", "more", "less"),
    [
        (Rule("causal"), Rule("causal"), Rule("causal"), Rule("causal")),
        (
            Rule("padding", hidden=[0, 2]),
            Rule("padding", hidden=[2, 1]),
            Rule("padding", hidden=[0, 3]),
            Rule("padding", hidden=[1]),
        ),
        (
            Rule("global_local", global_tokens=[1], left=1),
            Rule("global_local", global_tokens=[0], left=1),
            Rule("global_local", global_tokens=[2], left=1),
            Rule("global_local", global_tokens=[0], left=1),
        ),
        (
            Rule("documents", segments=[1, 2, 3]),
            Rule("documents", segments=[2, 3, 1]),
            Rule("documents", segments=[1, 1, 2, 3]),
            Rule("documents", segments=[2, 3]),
        ),
        (
            Rule("documents", segments=[1, 2, 3], query_segments=[3, 2, 1]),
            Rule("documents", segments=[2, 3, 1], query_segments=[2, 1, 3]),
            Rule("documents", segments=[1, 1, 2, 3], query_segments=[3, 3, 2, 1]),
            Rule("documents", segments=[2, 3], query_segments=[2, 1]),
        ),
    ],
    ids=lambda rule: repr(rule.options),
)
def test_rules_follow_the_tokens_that_they_name(
    rule: Rule, moved: Rule, more: Rule, less: Rule
) -> None:
    s = self_attention(3, 6, 2, mask=Mask((rule,)))
    assert with_token_moved(s, "tokens", 0, 2).mask.rules == (moved,)
    assert with_token_added(s, "tokens", 1, "N").mask.rules == (more,)
    assert with_token_removed(s, "tokens", 0).mask.rules == (less,)


def test_of_two_sequences_only_the_one_that_is_moved_moves() -> None:
    s = self_attention(3, 6, 2, tokens=("A", "B", "C"))
    rules = (Rule("documents", segments=[1, 2, 3]), Rule("padding", hidden=[0]))
    cross = replace(with_context(s, ["D", "E", "F"]), mask=Mask(rules))
    assert cross.context is not None
    keys = with_token_moved(cross, "context_tokens", 0, 1)
    assert (keys.tokens, keys.context_tokens) == (("A", "B", "C"), ("E", "D", "F"))
    assert keys.x is cross.x
    np.testing.assert_array_equal(keys.keys_from, cross.context[[1, 0, 2]])
    documents = Rule("documents", segments=[2, 1, 3], query_segments=[1, 2, 3])
    assert keys.mask.rules == (documents, Rule("padding", hidden=[1]))
    queries = with_token_moved(cross, "tokens", 0, 1)
    assert (queries.tokens, queries.context_tokens) == (("B", "A", "C"), ("D", "E", "F"))
    documents = Rule("documents", segments=[1, 2, 3], query_segments=[2, 1, 3])
    assert queries.mask.rules == (documents, Rule("padding", hidden=[0]))


def test_a_column_takes_the_rows_of_the_projections_that_it_is_multiplied_by() -> None:
    s = scenario_of_distinct_sizes()
    of_x = with_column_moved(s, "d_model", 0, 10)
    np.testing.assert_array_equal(of_x.w_q, np.roll(s.w_q, -1, axis=0))
    assert of_x.w_k is s.w_k
    of_c = with_column_removed(s, "d_model_kv", 3)
    np.testing.assert_array_equal(of_c.w_k, np.delete(s.w_k, 3, axis=0))
    assert of_c.w_v is s.w_v
    of_values = with_column_removed(s, "d_model_v", 3)
    np.testing.assert_array_equal(of_values.w_v, np.delete(s.w_v, 3, axis=0))
    assert of_values.w_k is s.w_k
    assert (of_c.w_q is s.w_q, of_c.d_k, of_c.d_out) == (True, s.d_k, s.d_out)
    alone = with_column_added(self_attention(3, 6, 2), "d_model", 2)
    for name in ("w_q", "w_k", "w_v"):
        assert getattr(alone, name)[2].tolist() == [0] * 6
    assert alone.x[:, 2].tolist() == [0] * 3


def test_a_head_takes_its_blocks_along_and_that_it_is_off() -> None:
    s = self_attention(3, 6, 3, b_q=np.arange(6.0), b_k=np.arange(6.0), b_v=np.arange(6.0))
    moved = with_head_moved(replace(s, heads_off={0, 1}), 0, 2)
    lines = [2, 3, 4, 5, 0, 1]
    for name in ("w_q", "w_k", "w_v"):
        np.testing.assert_array_equal(getattr(moved, name), getattr(s, name)[:, lines])
    for name in ("b_q", "b_k", "b_v"):
        assert getattr(moved, name).tolist() == lines
    np.testing.assert_array_equal(moved.w_o, s.w_o[lines])
    assert moved.heads_off == {2, 0}
    assert moved.x is s.x
    assert with_head_moved(s, 1, 1) is s


def test_shared_keys_and_values_stay_where_a_head_moves_in_its_group() -> None:
    s = scenario_of_distinct_sizes(heads_off={2})
    moved = with_head_moved(s, 2, 3)
    blocks = [0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11]
    np.testing.assert_array_equal(moved.w_q, s.w_q[:, blocks])
    for name in ("w_k", "w_v", "b_k", "b_v", "b_o"):
        assert getattr(moved, name) is getattr(s, name)
    assert moved.heads_off == {3}


def test_what_heads_add_to_their_scores_goes_with_them_and_with_tokens() -> None:
    added = np.arange(24.0).reshape(2, 3, 4)
    s = with_context(self_attention(3, 4, 2), ["a", "b", "c", "d"])
    s = replace(s, b_s=added.reshape(6, 4))
    moved = with_head_moved(s, 0, 1)
    np.testing.assert_array_equal(attend(moved).bias, added[::-1])
    moved = with_token_moved(s, "context_tokens", 0, 3)
    np.testing.assert_array_equal(attend(moved).bias, added[:, :, [1, 2, 3, 0]])
    more = with_token_added(s, "tokens", 1, "new")
    np.testing.assert_array_equal(attend(more).bias[:, [0, 2, 3]], added)
    assert not attend(more).bias[:, 1].any()
    assert with_context(s, None).b_s is None


@pytest.mark.parametrize("norm", ["head", "all"])
@pytest.mark.parametrize("n_kv_heads", [2, 4])
def test_gains_go_with_their_heads(norm: str, n_kv_heads: int) -> None:
    s = self_attention(3, 8, 4, seed=5)
    s = with_heads(s, 4, n_kv_heads)
    of_queries, of_keys = (8, 2 * n_kv_heads) if norm == "all" else (2, 2)
    s = with_scores(
        s,
        qk_norm=norm,
        q_gain=tuple(1.0 + np.arange(of_queries)),
        k_gain=tuple(2.0 - np.arange(of_keys)),
    )
    moved = with_head_moved(s, 1, 0)
    expected = attend(s).raw_scores[[1, 0, 2, 3]]
    np.testing.assert_allclose(attend(moved).raw_scores, expected, atol=1e-12)


@pytest.mark.parametrize("n_kv_heads", [2, 4])
def test_gains_of_each_head_and_of_the_concatenation_go_with_it(n_kv_heads: int) -> None:
    s = with_heads(self_attention(3, 8, 4, seed=5), 4, n_kv_heads)
    of_queries, of_keys = 1.0 + np.arange(8), 2.0 - np.arange(2 * n_kv_heads)
    s = with_scores(
        s,
        **{"qk_norm": "head", "q_gain": tuple(of_queries), "k_shift": tuple(of_keys)},
        **{"v_norm": "rms", "v_gain": tuple(of_keys)},
        **{"concat_norm": "rms", "concat_gain": tuple(of_queries)},
    )
    moved = attend(with_head_moved(s, 1, 0))
    expected = attend(s).contributions[[1, 0, 2, 3]]
    np.testing.assert_allclose(moved.contributions, expected, atol=1e-12)


def test_alibi_gives_a_moved_head_the_slope_of_its_place() -> None:
    s = self_attention(3, 6, 2, scores=ScoreOptions(positions="alibi"))
    before, after = attend(s), attend(with_head_moved(s, 0, 1))
    np.testing.assert_array_equal(after.bias, before.bias)
    np.testing.assert_allclose(after.raw_scores, before.raw_scores[::-1], atol=1e-12)


# Recipes.


def by_recipe(recipe: str, width: int = 12) -> Scenario:
    words = ("SO", "SO", "GOOD")
    start = self_attention(3, width, 2, tokens=words, x=np.zeros((3, width)))
    return with_x(start, recipe, 5)


WITH_NEW = ("SO", "SO", "GOOD", "NEW")


@pytest.mark.parametrize("recipe", [name for name in INPUTS if name != "one_hot_position"])
def test_a_token_at_the_end_gets_the_row_of_the_recipe(recipe: str) -> None:
    width = max(12, natural_width(recipe, WITH_NEW) or 0)
    more = with_token_added(by_recipe(recipe, width), "tokens", 3, "NEW")
    assert more.tokens == WITH_NEW
    np.testing.assert_array_equal(more.x, make_x(recipe, WITH_NEW, width, 5))
    assert (more.origin.x, more.origin.x_seed) == (recipe, 5)


def test_a_new_word_in_the_middle_has_a_column_of_its_own_too() -> None:
    more = with_token_added(by_recipe("one_hot", 4), "tokens", 0, "NEW")
    assert more.x.tolist() == [[0, 0, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert more.origin.x == ""  # which would number the words anew


def test_a_recipe_that_moves_the_other_rows_or_has_no_room_gives_zeros() -> None:
    for start in (by_recipe("one_hot_position"), by_recipe("one_hot", 2)):
        more = with_token_added(start, "tokens", 3, "NEW")
        assert not more.x[3].any()
        assert more.origin.x == ""


@pytest.mark.parametrize(
    ("recipe", "stays"),
    [("word_vectors", True), ("zeros", True), ("random", False), ("sinusoids", False)],
)
def test_a_recipe_is_kept_if_it_makes_the_moved_rows(recipe: str, stays: bool) -> None:
    s = by_recipe(recipe)
    edited = s.x.copy()
    edited[0, 0] = 77
    moved = with_token_moved(with_matrix(s, "x", edited), "tokens", 0, 2)
    np.testing.assert_array_equal(moved.x, edited[[1, 2, 0]])
    assert moved.origin.x == (recipe if stays else "")


def test_weights_that_were_built_for_other_words_are_numbers_from_then_on() -> None:
    s = with_weights(by_recipe("one_hot_position"), "previous_token")
    fewer = with_token_removed(s, "tokens", 2)
    assert fewer.w_q is s.w_q
    assert fewer.origin.weights == ""
    kept = with_token_removed(with_weights(by_recipe("random"), "random"), "tokens", 2)
    assert kept.origin.weights == "random"


def test_columns_that_move_are_made_by_no_recipe() -> None:
    s = load_example("permutation")
    assert with_column_moved(s, "d_model", 2, 2) == s
    moved = with_column_moved(s, "d_model", 2, 3)
    assert (moved.origin.x, moved.origin.weights) == ("", "")


def test_heads_that_move_are_made_by_no_recipe() -> None:
    s = with_weights(by_recipe("random"), "random", 5)
    assert with_head_moved(s, 1, 1).origin.weights == "random"
    assert with_head_moved(s, 0, 1).origin == replace(s.origin, weights="")


# Refusals.


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda s: with_token_moved(s, "tokens", 0, 3), NumberError, "A token must name places"),
        (lambda s: with_token_removed(s, "tokens", -1), NumberError, "from 0 to 2, got -1"),
        (lambda s: with_token_added(s, "tokens", 4, "N"), NumberError, "from 0 to 3, got 4"),
        (lambda s: with_token_added(s, "tokens", 0, "N" * 201), MhaError, "at most 200"),
        (lambda s: with_column_moved(s, "d_model", 6, 0), NumberError, "A column must name"),
        (lambda s: with_head_moved(s, 0, 2), NumberError, "A head must name places from 0 to 1"),
        (lambda s: with_head_moved(s, -1, 0), NumberError, "got -1"),
        (lambda s: with_column_added(s, "d_k", 0), OptionError, "one of d_model, d_model_kv"),
        (lambda s: with_token_moved(s, "words", 0, 1), OptionError, "one of tokens"),
        (lambda s: with_token_moved(s, "context_tokens", 0, 1), OptionError, "C needs a second"),
        (lambda s: with_column_removed(s, "d_model_kv", 0), OptionError, "C needs a second"),
    ],
)
def test_what_cannot_be_is_refused(change: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        change(self_attention(3, 6, 2))


def test_the_only_token_and_the_only_column_stay() -> None:
    s = self_attention(1, 1, 1)
    with pytest.raises(ShapeError, match="A token must stay where it is the only one"):
        with_token_removed(s, "tokens", 0)
    with pytest.raises(ShapeError, match="A column must stay where it is the only one"):
        with_column_removed(s, "d_model", 0)
