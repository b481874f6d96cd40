"""Weight presets: their claims, on many sizes and inputs; what each builds; what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.errors import (
    HeadsError,
    LimitError,
    MhaError,
    NumberError,
    OptionError,
    ShapeError,
)
from mha_core.checks.limits import LIMITS
from mha_core.layer.trace import Trace
from mha_core.making.hand_built import HAND_BUILT, IN_TURN, expected_weights
from mha_core.making.inputs import INPUTS, make_x, natural_width
from mha_core.making.presets import PRESETS, LayerSizes, Projections, make_projections
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.disturb import disturbed
from tests.draws import draws

SOME_TEXT = ("THE", "CAT", "AND", "THE", "DOG")
BY_HAND = [*HAND_BUILT, "all_patterns"]
SEVERAL_KINDS = ("average_before", "neighbours", "global_token")  # a key belongs to several kinds
ANY_SIZES = ["random", "random_orthogonal", "zeros"]


def square(d_model: int, n_heads: int) -> LayerSizes:
    """The usual layer: heads of width d_model / n_heads, as many for keys as for queries."""
    d_head = d_model // n_heads
    return LayerSizes(d_model, d_model, n_heads, n_heads, d_head, d_head, d_model)


def trace_of(
    name: str, sizes: LayerSizes, tokens=SOME_TEXT, *, seed=3, x="", context=(), **options
) -> Trace:
    x = x or PRESETS[name].needs_input or "word_vectors"
    return attend(
        Scenario(
            x=make_x(x, tokens, sizes.d_model, seed),
            context=make_x(x, context, sizes.d_model_kv, seed) if context else None,
            **vars(make_projections(name, sizes, tokens, seed)),
            n_heads=sizes.n_heads,
            n_kv_heads=sizes.n_kv_heads,
            tokens=tokens,
            **options,
        )
    )


def broken_claims(name: str, trace: Trace) -> list[str]:
    return [claim.sentence for claim in PRESETS[name].claims if claim.holds(trace) is not True]


tokens_drawn = st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=7).map(tuple)


@st.composite
def layers(draw, least_d_k=1, least_d_model=1) -> LayerSizes:
    n_kv_heads, group = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    d_k, d_v = draw(st.integers(least_d_k, least_d_k + 4)), draw(st.integers(1, 5))
    d_model = draw(st.integers(least_d_model, least_d_model + 6))
    d_out = draw(st.integers(1, 11))
    return LayerSizes(d_model, d_model, n_kv_heads * group, n_kv_heads, d_k, d_v, d_out)


# The claims hold.


def test_the_presets_are_those_that_the_page_offers():
    names = [
        "split_only",
        "split_then_project",
        *ANY_SIZES[:2],
        "shared_qk",
        "zeros",
        "sentence_heads",
    ]
    assert list(PRESETS) == [*names, *BY_HAND]
    assert [preset.name for preset in PRESETS.values()] == list(PRESETS)
    assert all(preset.claims and preset.sentence.endswith(".") for preset in PRESETS.values())


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("n_heads", [1, 2, 5])
def test_every_claim_of_every_preset_holds_for_any_number_of_heads(name, n_heads):
    assert broken_claims(name, trace_of(name, square(30, n_heads))) == []


@pytest.mark.parametrize("name", [*ANY_SIZES, "shared_qk"])
@given(sizes=layers(), tokens=tokens_drawn, seed=st.integers(0, 9))
def test_presets_for_any_sizes_keep_their_claims(name, sizes, tokens, seed):
    assert broken_claims(name, trace_of(name, sizes, tokens, seed=seed)) == []


@given(sizes=layers(), part=st.integers(1, 3), tokens=tokens_drawn)
def test_split_then_project_takes_any_width_that_the_heads_divide(sizes, part, tokens):
    sizes = replace(sizes, d_model=sizes.n_heads * part, d_model_kv=sizes.n_heads * part)
    assert broken_claims("split_then_project", trace_of("split_then_project", sizes, tokens)) == []


@pytest.mark.parametrize("name", BY_HAND)
@draws(25)
@given(data=st.data(), tokens=tokens_drawn)
def test_heads_built_by_hand_keep_their_claims_on_any_text_and_grouping(name, data, tokens):
    width = natural_width("one_hot_position", tokens)
    sizes = data.draw(layers(least_d_k=len(tokens), least_d_model=width))
    assert broken_claims(name, trace_of(name, sizes, tokens)) == []


@pytest.mark.parametrize("name", [name for name in HAND_BUILT if name not in SEVERAL_KINDS])
@pytest.mark.parametrize("n", [1, 3, 4, 5, 7, 127])
def test_two_columns_a_head_are_enough_for_a_text_of_any_length(name, n):
    tokens = tuple(f"word {i % 89}" for i in range(n))
    width = natural_width("one_hot_position", tokens)
    assert (
        broken_claims(name, trace_of(name, LayerSizes(width, width, 3, 3, 2, 2, width), tokens))
        == []
    )


@pytest.mark.parametrize("name", ["split_then_project", *ANY_SIZES])
def test_presets_work_across_two_sequences_of_two_widths(name):
    sizes = LayerSizes(d_model=8, d_model_kv=6, n_heads=4, n_kv_heads=2, d_k=3, d_v=5, d_out=7)
    trace = trace_of(name, sizes, context=("LE", "CHAT"))
    assert trace.weights.shape == (4, 5, 2)
    assert broken_claims(name, trace) == []


def test_shared_qk_across_two_sequences_still_projects_both_alike():
    trace = trace_of("shared_qk", square(6, 2), context=("LE", "CHAT"))
    assert broken_claims("shared_qk", trace) == []


def test_zeros_spread_evenly_over_what_the_mask_leaves_and_nothing_over_nothing():
    mask = Mask((Rule("causal"), Rule("padding", {"hidden": [0]})))
    trace = trace_of("zeros", square(6, 2), mask=mask)
    assert trace.blind_queries.tolist() == [True, False, False, False, False]
    assert nearly_equal(trace.weights[1, 2], [0, 1 / 2, 1 / 2, 0, 0])
    assert broken_claims("zeros", trace) == []


def test_claims_hold_in_float32_to_its_own_precision():
    for name in PRESETS:
        s = trace_of(name, square(30, 2)).scenario
        half = {key: array.astype(np.float32) for key, array in s.given().items()}
        assert broken_claims(name, attend(replace(s, **half))) == [], name


# And they can fail.


@pytest.mark.parametrize("name", PRESETS)
def test_no_claim_of_a_preset_is_true_whatever_happens(name):
    scenario = trace_of(name, square(30, 2)).scenario
    for claim in PRESETS[name].claims:
        verdicts = {what: claim.holds(attend(other)) for what, other in disturbed(scenario)}
        assert set(map(type, verdicts.values())) == {bool}
        assert not all(verdicts.values()), claim.sentence


@pytest.mark.parametrize("name", BY_HAND)
def test_heads_built_by_hand_read_places_and_fail_on_an_input_without_them(name):
    assert broken_claims(name, trace_of(name, square(30, 2), x="random")) != []


def test_a_pattern_that_the_mask_forbids_is_seen_to_fail():
    trace = trace_of("next_token", square(30, 2), mask=Mask((Rule("causal"),)))
    assert "Every token looks at the one after it" in broken_claims("next_token", trace)[0]


def test_the_patterns_of_one_sequence_do_not_hold_between_two():
    s = trace_of("itself", square(30, 2)).scenario
    trace = attend(replace(s, context=s.x[:3]))
    assert len(broken_claims("itself", trace)) == 1


def test_rope_leaves_shared_qk_its_symmetry_and_a_query_bias_takes_it():
    rope = trace_of("shared_qk", square(6, 3), scores=ScoreOptions(positions="rope"))
    assert broken_claims("shared_qk", rope) == []
    biased = trace_of("shared_qk", square(6, 3), b_q=np.arange(6.0))
    assert "raw scores are symmetric" in broken_claims("shared_qk", biased)[0]


# What the patterns look at, by hand.


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("previous_token", [[1, 0, 0], [1, 0, 0], [0, 1, 0]]),
        ("next_token", [[0, 1, 0], [0, 0, 1], [0, 0, 1]]),
        ("first_token", [[1, 0, 0], [1, 0, 0], [1, 0, 0]]),
        ("itself", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("same_word", [[1 / 2, 0, 1 / 2], [0, 1, 0], [1 / 2, 0, 1 / 2]]),
        ("average_before", [[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]),
        ("own_block", [[1 / 3, 1 / 3, 1 / 3]] * 3),
        ("neighbours", [[1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3], [0, 1 / 2, 1 / 2]]),
        ("global_token", [[1 / 3, 1 / 3, 1 / 3], [1 / 2, 1 / 2, 0], [1 / 2, 0, 1 / 2]]),
    ],
)
def test_each_pattern_on_three_tokens(name, weights):
    tokens = ("SO", "GOOD", "SO")
    assert nearly_equal(expected_weights(HAND_BUILT[name], tokens), weights)
    trace = trace_of(name, LayerSizes(5, 5, 2, 1, 3, 5, 5), tokens)
    assert nearly_equal(trace.weights, [weights, weights], within=1e-9)
    assert nearly_equal(trace.output, np.array(weights) @ trace.x, within=1e-9)


def test_all_patterns_come_in_turn_and_begin_again():
    sizes = LayerSizes(9, 9, 7, 7, 5, 1, 9)
    weights = trace_of("all_patterns", sizes, SOME_TEXT).weights
    for head, pattern in enumerate([*IN_TURN, HAND_BUILT["previous_token"]]):
        assert nearly_equal(weights[head], expected_weights(pattern, SOME_TEXT), within=1e-9)


def test_heads_of_a_group_do_the_same_pattern():
    weights = trace_of("all_patterns", LayerSizes(9, 9, 4, 2, 5, 1, 9), SOME_TEXT).weights
    assert np.array_equal(weights[0], weights[1])
    assert np.array_equal(weights[2], weights[3])
    assert not nearly_equal(weights[1], weights[2], within=0.1)


def test_a_head_by_hand_gives_full_weight_to_what_it_looks_at():
    weights = trace_of("previous_token", square(30, 2)).weights
    assert (1 - weights[:, 1:, :-1].diagonal(axis1=1, axis2=2) < 1e-9).all()


# What else is built.


def test_split_only_is_four_identities():
    for w in vars(make_projections("split_only", square(6, 2))).values():
        assert np.array_equal(w, np.eye(6))


def test_split_then_project_has_one_block_a_head():
    w_q = make_projections("split_then_project", square(4, 2)).w_q
    assert np.array_equal(w_q != 0, [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]])


def test_random_fills_the_range_of_glorot_evenly():
    limit = np.sqrt(6 / (101 + 2 * 103))
    w_q = make_projections("random", LayerSizes(101, 101, 2, 2, 103, 5, 7)).w_q
    assert 0.99 * limit < np.abs(w_q).max() <= limit
    assert w_q.std() == pytest.approx(limit / np.sqrt(3), rel=0.05)


@pytest.mark.parametrize(("rows", "columns"), [(7, 7), (7, 4), (4, 7), (1, 1), (1, 3)])
def test_random_orthogonal_keeps_lengths_in_every_shape(rows, columns):
    w = make_projections("random_orthogonal", LayerSizes(rows, 5, 1, 1, columns, 3, 2)).w_q
    gram = w.T @ w if rows > columns else w @ w.T
    assert w.shape == (rows, columns)
    assert nearly_equal(gram, np.eye(min(rows, columns)))


def test_random_orthogonal_is_neither_the_identity_nor_sparse():
    w = make_projections("random_orthogonal", square(64, 1)).w_q
    assert np.count_nonzero(w) == w.size
    assert np.abs(w).max() < 0.9


def test_zeros_hand_on_the_mean_of_each_column():
    trace = trace_of("zeros", square(6, 2))
    assert nearly_equal(trace.output, np.tile(trace.x.mean(axis=0), (5, 1)))


@pytest.mark.parametrize("name", PRESETS)
def test_the_seed_plays_a_part_just_where_the_preset_says_so(name):
    one, two = (make_projections(name, square(30, 2), SOME_TEXT, seed) for seed in (1, 2))
    assert np.array_equal(one.w_q, two.w_q) != PRESETS[name].seeded
    again = make_projections(name, square(30, 2), SOME_TEXT, 1)
    assert all(np.array_equal(getattr(one, w), getattr(again, w)) for w in vars(one))


@pytest.mark.parametrize(
    ("name", "w_q", "w_o"),
    [
        ("split_then_project", [0.3064200623168074, 0.972971131166894, 0, 0], -0.5984909635940099),
        (
            "random",
            [0.21667170395581903, 0.6879944847468564, 0.47750162242437066, -0.47595510849091643],
            -0.6048528934121542,
        ),
    ],
)
def test_chance_is_the_same_on_every_machine_so_that_links_keep_their_meaning(name, w_q, w_o):
    made = make_projections(name, square(4, 2), seed=7)
    assert made.w_q[0].tolist() == w_q
    assert made.w_o[-1, -1] == w_o


@given(layers())
def test_projections_have_the_shapes_of_the_layer(sizes):
    made = make_projections("random", sizes)
    x = np.ones((2, sizes.d_model))
    s = Scenario(x=x, **vars(made), n_heads=sizes.n_heads, n_kv_heads=sizes.n_kv_heads)
    assert LayerSizes.of(s) == sizes
    assert isinstance(made, Projections)


def test_inputs_that_presets_need_exist():
    assert {preset.needs_input for preset in PRESETS.values()} <= {"", *INPUTS}


# What is refused.


def test_an_unknown_preset_is_answered_with_the_known_ones():
    with pytest.raises(OptionError, match=r"The preset must be one of split_only, .*got 'xavier'"):
        make_projections("xavier", square(4, 2))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (LayerSizes(6, 6, 2, 2, 2, 3, 6), r"W_Q must be square .*, got 6 x 4\. Make n_heads\*d_k"),
        (LayerSizes(6, 6, 2, 1, 3, 3, 6), "W_K must be square .*, got 6 x 3"),
        (LayerSizes(6, 6, 2, 2, 3, 2, 4), "W_V must be square .*, got 6 x 4"),
        (LayerSizes(6, 6, 2, 2, 3, 3, 5), "W_O must be square .*, got 6 x 5"),
    ],
)
def test_split_only_refuses_sizes_for_which_there_is_no_identity(sizes, message):
    with pytest.raises(ShapeError, match=message):
        make_projections("split_only", sizes)


def test_split_only_takes_grouped_queries_where_the_second_sequence_is_narrower():
    made = make_projections("split_only", LayerSizes(6, 3, 2, 1, 3, 3, 6))
    assert made.w_k.shape == (3, 3)


def test_split_then_project_refuses_heads_that_do_not_divide_the_width():
    message = r"d_model must be cut into 4 equal slices.*got 6\. Take one of 1, 2, 3, 6 heads"
    with pytest.raises(HeadsError, match=message):
        make_projections("split_then_project", LayerSizes(6, 6, 4, 4, 2, 2, 6))
    with pytest.raises(HeadsError, match=r"d_model_kv must be cut into 2 equal slices.*got 5"):
        make_projections("split_then_project", LayerSizes(6, 5, 2, 2, 2, 2, 6))


def test_shared_qk_refuses_two_widths():
    with pytest.raises(ShapeError, match=r"d_model_kv must be d_model = 6 .*, got 5\. Give both"):
        make_projections("shared_qk", LayerSizes(6, 5, 2, 2, 3, 3, 6))


@pytest.mark.parametrize("name", BY_HAND)
def test_heads_by_hand_refuse_a_second_sequence_of_another_width(name):
    with pytest.raises(ShapeError, match=r"d_model_kv must be d_model = 9: .* got 7\. Remove the"):
        make_projections(name, replace(square(9, 1), d_model_kv=7), SOME_TEXT)


def test_heads_by_hand_refuse_a_width_without_room_for_words_and_places():
    with pytest.raises(ShapeError, match=r"d_model must be at least 9: .* got 8\. Set d"):
        make_projections("itself", square(8, 1), SOME_TEXT)


def test_heads_by_hand_refuse_to_guess_the_tokens():
    with pytest.raises(ShapeError, match="must hold at least one word"):
        make_projections("itself", square(9, 1))


@pytest.mark.parametrize(
    ("name", "d_k", "least"),
    [("average_before", 4, 5), ("itself", 1, 2), ("same_word", 1, 2), ("all_patterns", 4, 5)],
)
def test_heads_by_hand_refuse_a_d_k_too_narrow_and_name_one_that_will_do(name, d_k, least):
    sizes = LayerSizes(9, 9, 6, 6, d_k, 2, 9)
    with pytest.raises(ShapeError, match=rf"d_k must be at least {least} .*got {d_k}\. Set d_k"):
        make_projections(name, sizes, SOME_TEXT)
    assert make_projections(name, replace(sizes, d_k=least), SOME_TEXT).w_q.shape == (9, 6 * least)


@pytest.mark.parametrize("name", PRESETS)
@draws(25)
@given(sizes=layers(), tokens=tokens_drawn, d_model_kv=st.integers(1, 7), cross=st.booleans())
def test_whatever_the_sizes_a_preset_keeps_its_claims_or_refuses_in_words(
    name, sizes, tokens, d_model_kv, cross
):
    if cross:
        sizes = replace(sizes, d_model_kv=d_model_kv)
    refusal, broken = "", []
    context = ("LE", "CHAT") if sizes.d_model != sizes.d_model_kv else ()
    try:
        broken = broken_claims(name, trace_of(name, sizes, tokens, context=context))
    except MhaError as error:
        refusal = error.way_out
    # Heads for a sentence take two sequences, of which they promise nothing.
    assert broken == [] or (context and name == "sentence_heads")
    assert not refusal or (name not in ANY_SIZES and refusal.endswith("."))


@pytest.mark.parametrize("field", ["d_model", "n_heads", "d_k", "d_out"])
@pytest.mark.parametrize("size", [0, -3, 2.5])
def test_layer_sizes_are_whole_numbers_from_1(field, size):
    with pytest.raises(NumberError, match=f"{field} must be a whole number from 1 to"):
        replace(square(4, 2), **{field: size})


def test_layer_sizes_refuse_key_heads_that_do_not_divide():
    with pytest.raises(
        HeadsError, match=r"must divide n_heads = 6, got 4\. Take one of 1, 2, 3, 6"
    ):
        LayerSizes(12, 12, 6, 4, 2, 2, 12)


@pytest.mark.parametrize("field", ["d_k", "d_v"])
def test_layer_sizes_stay_within_the_limits(field):
    with pytest.raises(LimitError, match=rf"n_heads\*{field} must be at most {LIMITS.width:,}"):
        replace(square(4, 2), **{field: LIMITS.width // 2 + 1})
    with pytest.raises(NumberError, match="n_heads must be a whole number from 1 to 256, got 257"):
        LayerSizes(4, 4, 257, 257, 1, 1, 4)
