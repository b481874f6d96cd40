"""What must hold of every forward pass, whatever the numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.changing.changes import with_dtype
from mha_core.layer import cache_blocks
from mha_core.layer.attention import (
    combine_heads,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.layer.chosen_rows import attend_rows
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.compare import TOLERANCE, largest_difference
from tests.core.strategies import (
    FLOATS,
    RARE,
    SEEDS,
    scenario_of_distinct_sizes,
    scenarios,
    self_attention,
    with_stable_softmax,
    without_distances,
    without_function_before_w_o,
    without_gate,
    without_growth,
    without_mask,
    without_norm_of_concat,
    without_sinks,
)

CAUSAL = Mask((Rule("causal"),))
STEP_NAMES = [step.name for step in STEPS]


def differ_by_rounding(actual: Any, expected: Any, dtype: Any = np.float64) -> bool:
    return largest_difference(actual, expected) <= TOLERANCE[np.dtype(dtype).name]


# Splitting and combining.


@given(
    batch=st.lists(st.integers(1, 3), max_size=2),
    sizes=st.tuples(*[st.integers(1, 7)] * 3),
    dtype=FLOATS,
)
def test_combine_undoes_split_and_split_undoes_combine(
    batch: list[int], sizes: tuple[int, int, int], dtype: Any
) -> None:
    n_heads, n, width = sizes
    x = np.arange(np.prod([*batch, n, n_heads * width]), dtype=dtype)
    x = x.reshape(*batch, n, n_heads * width)
    heads = split_heads(x, n_heads)
    assert heads.shape == (*batch, n_heads, n, width)
    assert np.array_equal(combine_heads(heads), x)
    assert np.array_equal(split_heads(combine_heads(heads), n_heads), heads)


@pytest.mark.parametrize("head", range(3))
def test_a_head_receives_its_own_columns(head: int) -> None:
    x = np.arange(35.0 * 3).reshape(7, 15)
    assert np.array_equal(split_heads(x, 3)[head], x[:, head * 5 : (head + 1) * 5])


# Weights.


@given(scenario=scenarios())
def test_a_row_of_weights_sums_to_one_with_its_sink_or_is_all_zero(scenario: Scenario) -> None:
    trace = attend(scenario)
    sums = trace.weights.sum(axis=-1) + trace.sink_weights[..., 0]
    has_none = trace.blind_queries & (scenario.sinks is None)
    assert differ_by_rounding(sums, np.where(has_none, 0.0, np.ones_like(sums)), scenario.dtype)
    assert not trace.weights[:, trace.blind_queries].any()


@given(scenario=scenarios())
def test_a_sink_is_a_key_of_its_score_whose_value_is_zero(scenario: Scenario) -> None:
    s = without_sinks(scenario)
    sinks = np.linspace(-2, 2, s.n_heads).astype(s.dtype)
    plain, trace = attend(s), attend(replace(s, sinks=sinks))
    scores = np.broadcast_to(sinks[:, None, None], (s.n_heads, s.n_q, 1))
    shares = softmax(np.concatenate([plain.tempered_scores, scores], axis=-1))
    assert differ_by_rounding(trace.weights, shares[..., :-1], s.dtype)
    assert differ_by_rounding(trace.sink_weights, shares[..., -1:], s.dtype)
    left = plain.head_outputs * (1 - trace.sink_weights)
    assert differ_by_rounding(trace.head_outputs, left, s.dtype)


@given(scenario=scenarios())
def test_without_sinks_no_weight_goes_to_one(scenario: Scenario) -> None:
    assert not attend(without_sinks(scenario)).sink_weights.any()


@given(scenario=scenarios())
def test_weights_are_never_negative_and_zero_where_masked(scenario: Scenario) -> None:
    trace = attend(scenario)
    assert (trace.weights >= 0).all()
    assert not trace.weights[:, ~trace.mask].any()


@given(scenario=scenarios())
def test_a_blind_query_gives_zeros_and_no_nan_anywhere(scenario: Scenario) -> None:
    nothing = np.ones((scenario.n_q, scenario.n_k), np.bool_)
    nothing[0] = False
    scores = replace(scenario.scores, concat_shift=None)  # it would be added to these zeros
    trace = attend(replace(scenario, mask=Mask(custom=nothing), scores=scores))
    assert trace.blind_queries.tolist() == [True] + [False] * (scenario.n_q - 1)
    for name in ("exponentials", "weights", "head_outputs"):
        assert not getattr(trace, name)[:, 0].any()
    if scenario.sinks is None:
        assert not trace.row_sums[:, 0].any()
        assert not trace.row_max[:, 0].any()
    else:  # all is left to the sink
        assert (trace.sink_weights[:, 0] == 1).all()
    assert not trace.contributions[:, 0].any()
    bias = 0 if scenario.b_o is None else scenario.b_o * scenario.scores.output_scale
    assert np.array_equal(trace.output[0], np.zeros(scenario.d_out) + bias)
    assert not any(np.isnan(getattr(trace, name)).any() for name in STEP_NAMES)


def test_zero_queries_attend_to_all_open_keys_alike() -> None:
    scenario = self_attention(5, 14, 2, mask=CAUSAL)
    trace = attend(replace(scenario, w_q=np.zeros((14, 14))))
    alike = np.tril(np.ones((5, 5))) / np.arange(1, 6)[:, None]
    assert np.array_equal(trace.weights, [alike, alike])


def test_a_large_scale_sends_all_weight_to_the_best_key() -> None:
    trace = attend(self_attention(5, 14, 2, scores=ScoreOptions(scale=1e6)))
    assert np.array_equal(trace.weights.argmax(-1), trace.raw_scores.argmax(-1))
    assert np.array_equal(trace.weights, trace.weights == 1.0)


@given(seed=SEEDS, shift=st.integers(-64, 64))
def test_softmax_does_not_see_what_is_added_to_a_whole_row(seed: int, shift: int) -> None:
    scenario = self_attention(5, 6, 2, seed=seed)
    added = np.full((5, 5), float(shift))
    added[3] = 0
    shifted = attend(replace(scenario, mask=Mask(additive=added)))
    assert differ_by_rounding(shifted.weights, attend(scenario).weights)
    assert differ_by_rounding(shifted.output, attend(scenario).output)


# One formula, told in several ways.


@given(
    scenario=scenarios(max_heads=1)
    .map(without_sinks)
    .map(without_distances)
    .map(without_norm_of_concat)
    .map(without_gate)
    .map(without_function_before_w_o)
    .map(without_growth)
    .map(lambda s: replace(s, heads_off=frozenset()))
)
def test_one_head_is_plain_attention(scenario: Scenario) -> None:
    trace = attend(scenario)
    blend = scaled_dot_product_attention(
        trace.q_rotated[0],
        trace.k_rotated[0],
        trace.v_normed[0],
        np.where(trace.mask, trace.bias[0], -np.inf),
        scale=scenario.scores.factor(scenario.d_k),
        softcap=scenario.scores.softcap,
        temperature=scenario.scores.temperature,
    )
    expected = blend @ scenario.w_o + (0 if scenario.b_o is None else scenario.b_o)
    expected = expected * scenario.scores.output_scale
    assert differ_by_rounding(trace.output, expected, scenario.dtype)


@given(scenario=scenarios())
def test_grouped_queries_are_full_heads_with_keys_and_values_repeated(scenario: Scenario) -> None:
    group = scenario.n_heads // scenario.n_kv_heads

    def repeated(array: Any, width: int) -> Any:
        """Each head's columns, once for every query head of its group."""
        if array is None:
            return None
        by_head = array.reshape(*array.shape[:-1], scenario.n_kv_heads, width)
        return np.repeat(by_head, group, axis=-2).reshape(*array.shape[:-1], -1)

    scores = scenario.scores
    for name, width in (
        ("k_gain", scenario.d_k),
        ("k_shift", scenario.d_k),
        ("v_gain", scenario.d_v),
    ):
        numbers = getattr(scores, name)
        is_over_all = name != "v_gain" and scores.qk_norm == "all"
        if numbers is not None and (is_over_all or len(numbers) > width):
            scores = replace(scores, **{name: tuple(repeated(np.array(numbers), width).tolist())})
    full = replace(
        scenario,
        n_kv_heads=scenario.n_heads,
        scores=scores,
        w_k=repeated(scenario.w_k, scenario.d_k),
        w_v=repeated(scenario.w_v, scenario.d_v),
        b_k=repeated(scenario.b_k, scenario.d_k),
        b_v=repeated(scenario.b_v, scenario.d_v),
    )
    for name in ("raw_scores", "weights", "head_outputs", "output"):
        grouped, separate = getattr(attend(scenario), name), getattr(attend(full), name)
        assert differ_by_rounding(grouped, separate, scenario.dtype), name


DOCUMENT_003 = np.array(
    [
        [0.2, 0.5, 0.1, 0.8],
        [0.3, 0.7, 0.4, 0.2],
        [0.6, 0.1, 0.9, 0.5],
        [0.4, 0.8, 0.3, 0.7],
        [0.7, 0.2, 0.6, 0.4],
        [0.5, 0.6, 0.2, 0.9],
        [0.8, 0.3, 0.5, 0.1],
        [0.1, 0.9, 0.7, 0.6],
    ]
)


@given(seed=SEEDS)
def test_projecting_slices_is_projecting_with_a_block_diagonal_matrix(seed: int) -> None:
    of_head_1, of_head_2 = np.random.default_rng(seed).standard_normal((2, 2, 2))
    w = np.block([[of_head_1, np.zeros((2, 2))], [np.zeros((2, 2)), of_head_2]])
    trace = attend(Scenario(x=DOCUMENT_003, w_q=w, w_k=w, w_v=w, w_o=np.eye(4), n_heads=2))
    slices = [DOCUMENT_003[:, :2] @ of_head_1, DOCUMENT_003[:, 2:] @ of_head_2]
    assert np.abs(trace.q_heads - slices).max() == 0


def test_minus_infinity_added_is_the_same_as_a_boolean_mask() -> None:
    open_keys = np.random.default_rng(5).random((5, 7)) < 0.6
    boolean = attend(scenario_of_distinct_sizes(mask=Mask(custom=open_keys)))
    additive = Mask(additive=np.where(open_keys, 0.0, -np.inf))
    added = attend(scenario_of_distinct_sizes(mask=additive))
    assert np.array_equal(added.mask, boolean.mask)
    assert np.array_equal(added.weights, boolean.weights)
    assert np.array_equal(added.output, boolean.output)


# Who depends on whom.


@given(seed=SEEDS, changed=st.integers(1, 6), positions=st.sampled_from(["none", "rope", "alibi"]))
def test_under_a_causal_mask_the_past_is_blind_to_the_future(
    seed: int, changed: int, positions: Any
) -> None:
    scores = ScoreOptions(positions=positions)
    scenario = self_attention(7, 12, 3, seed=seed, mask=CAUSAL, scores=scores)
    x = scenario.x.copy()
    x[changed:] = np.random.default_rng(seed).standard_normal((7 - changed, 12))
    before, after = attend(scenario), attend(replace(scenario, x=x))
    assert np.array_equal(after.output[:changed], before.output[:changed])
    assert not np.array_equal(after.output[changed:], before.output[changed:])


def test_a_causal_prefix_gives_the_outputs_of_the_whole() -> None:
    whole = self_attention(7, 12, 3, mask=CAUSAL)
    prefix = self_attention(7, 12, 3, mask=CAUSAL)
    prefix = replace(prefix, x=whole.x[:4], tokens=whole.tokens[:4])
    assert differ_by_rounding(attend(prefix).output, attend(whole).output[:4])


@pytest.mark.parametrize("start", [None, 5], ids=["not said", "said"])
@pytest.mark.parametrize("positions", ["sinusoidal", "rope", "alibi"])
def test_a_decoder_with_a_cache_gives_the_last_outputs_of_the_whole(
    positions: Any, start: int | None
) -> None:
    """The last 2 of 7 tokens as queries, all 7 as keys: queries start at position 5."""
    whole = self_attention(7, 12, 3, mask=CAUSAL, scores=ScoreOptions(positions=positions))
    step = replace(
        whole,
        x=whole.x[5:],
        tokens=(),
        context=whole.x,
        scores=ScoreOptions(positions=positions, query_start=start),
    )
    assert differ_by_rounding(attend(step).output, attend(whole).output[5:])


@pytest.mark.parametrize("positions", ["none", "rope", "alibi"])
@pytest.mark.parametrize("mask", [Mask(), CAUSAL], ids=["open", "causal"])
def test_self_attention_at_positions_3_to_11_is_that_at_0_to_8(positions: Any, mask: Mask) -> None:
    """Only distances count, and queries and keys are the same tokens: they move together."""
    at_0, at_3 = (
        self_attention(
            9, 12, 3, mask=mask, scores=ScoreOptions(positions=positions, query_start=start)
        )
        for start in (0, 3)
    )
    assert differ_by_rounding(attend(at_3).weights, attend(at_0).weights)
    assert differ_by_rounding(attend(at_3).output, attend(at_0).output)
    rows = attend_rows(at_3, rows=[2, 7])
    assert differ_by_rounding(rows.weights, attend(at_0).weights[:, [2, 7]])
    assert differ_by_rounding(rows.output, attend(at_0).output)


@pytest.mark.parametrize("positions", ["sinusoidal", "rope", "alibi"])
def test_self_attention_is_attention_to_a_second_sequence_at_the_same_positions(
    positions: Any,
) -> None:
    """Nine tokens from position 3 on are their own keys, or the last keys of a cache of twelve."""
    whole = self_attention(12, 12, 3, scores=ScoreOptions(positions=positions))
    last = replace(
        whole, x=whole.x[3:], tokens=(), scores=ScoreOptions(positions=positions, query_start=3)
    )
    hides_the_first_three = Mask(rules=(Rule("padding", {"hidden": [0, 1, 2]}),))
    cached = replace(last, context=whole.x, mask=hides_the_first_three)
    assert differ_by_rounding(attend(last).weights, attend(cached).weights[..., 3:])
    assert differ_by_rounding(attend(last).output, attend(cached).output)


@given(seed=SEEDS, order=st.permutations(range(5)))
def test_unmasked_self_attention_commutes_with_permuting_the_tokens(
    seed: int, order: Sequence[int]
) -> None:
    scenario = self_attention(5, 6, 2, seed=seed)
    shuffled = replace(scenario, x=scenario.x[order])
    assert differ_by_rounding(attend(shuffled).output, attend(scenario).output[order])


@given(order=st.permutations(range(7)))
def test_the_order_of_the_second_sequence_plays_no_part(order: Sequence[int]) -> None:
    scenario = scenario_of_distinct_sizes()
    rows = {"context": scenario.keys_from[order], "context_v": scenario.values_from[order]}
    shuffled = replace(scenario, **rows)
    assert differ_by_rounding(attend(shuffled).output, attend(scenario).output)
    assert differ_by_rounding(attend(shuffled).weights, attend(scenario).weights[..., order])


@pytest.mark.parametrize("positions", ["sinusoidal", "rope", "alibi"])
def test_with_positions_the_order_of_the_tokens_matters(positions: Any) -> None:
    order = [1, 2, 3, 4, 0]
    scenario = self_attention(5, 12, 3, scores=ScoreOptions(positions=positions))
    shuffled = replace(scenario, x=scenario.x[order])
    assert largest_difference(attend(shuffled).output, attend(scenario).output[order]) > 1e-3


def test_alibi_reads_the_same_backwards() -> None:
    scenario = self_attention(5, 12, 3, scores=ScoreOptions(positions="alibi"))
    backwards = replace(scenario, x=scenario.x[::-1])
    assert differ_by_rounding(attend(backwards).output, attend(scenario).output[::-1])


# From heads to the output.


@given(scenario=scenarios())
def test_contributions_and_the_bias_sum_to_the_output(scenario: Scenario) -> None:
    trace = attend(scenario)
    bias = 0 if scenario.b_o is None else scenario.b_o * scenario.scores.output_scale
    total = trace.contributions.sum(axis=0) + bias
    assert differ_by_rounding(total, trace.output, scenario.dtype)


@given(scenario=scenarios())
def test_the_concatenation_is_what_the_heads_give_side_by_side(scenario: Scenario) -> None:
    trace = attend(scenario)
    assert np.array_equal(trace.concat, np.hstack(list(trace.heads_bent)))


@pytest.mark.parametrize("head", range(6))
def test_switching_a_head_off_takes_away_its_contribution_and_nothing_else(head: int) -> None:
    on = attend(scenario_of_distinct_sizes())
    off = attend(scenario_of_distinct_sizes(heads_off={head}))
    others = [h for h in range(6) if h != head]
    assert differ_by_rounding(off.output, on.output - on.contributions[head])
    assert not off.head_outputs[head].any()
    assert not off.contributions[head].any()
    assert np.array_equal(off.head_outputs[others], on.head_outputs[others])
    assert np.array_equal(off.weights, on.weights)  # what it would look at stays in view


def test_with_every_head_off_the_output_is_its_bias() -> None:
    scenario = scenario_of_distinct_sizes(heads_off=range(6))
    assert np.array_equal(attend(scenario).output, np.broadcast_to(scenario.b_o, (5, 19)))


@given(scenario=scenarios())
def test_a_head_output_stays_between_the_smallest_and_the_largest_value(scenario: Scenario) -> None:
    trace = attend(replace(without_mask(scenario), heads_off=()))
    values = np.repeat(trace.v_normed, scenario.n_heads // scenario.n_kv_heads, axis=0)
    if scenario.sinks is not None:  # each is a blend with zeros
        values = np.pad(values, [(0, 0), (0, 1), (0, 0)])
    slack = 1e-6 * np.abs(values).max()
    assert (trace.head_outputs <= values.max(axis=1, keepdims=True) + slack).all()
    assert (trace.head_outputs >= values.min(axis=1, keepdims=True) - slack).all()


# Scores.


def test_a_scale_of_the_scores_is_a_scale_of_the_queries() -> None:
    scenario = self_attention(5, 14, 2)
    by_scale = attend(replace(scenario, scores=ScoreOptions(scale=0.25)))
    by_queries = replace(scenario, w_q=scenario.w_q / 4, scores=ScoreOptions(scale="none"))
    assert np.array_equal(by_scale.weights, attend(by_queries).weights)


def test_the_usual_scale_is_one_over_the_root_of_the_width_of_a_key() -> None:
    trace = attend(self_attention(5, 18, 2))
    assert np.array_equal(trace.scaled_scores, trace.raw_scores * (1 / 3))


@given(scenario=scenarios(), cap=st.sampled_from([0.125, 1.0, 5.0]))
def test_capped_scores_stay_within_the_cap_and_keep_their_order(
    scenario: Scenario, cap: float
) -> None:
    trace = attend(replace(scenario, scores=replace(scenario.scores, softcap=cap)))
    assert (np.abs(trace.capped_scores) <= cap).all()
    in_order = np.argsort(trace.scaled_scores, axis=-1)
    assert (np.diff(np.take_along_axis(trace.capped_scores, in_order, -1)) >= 0).all()


def test_a_large_cap_changes_next_to_nothing() -> None:
    trace = attend(scenario_of_distinct_sizes(scores=ScoreOptions(softcap=1e6)))
    assert largest_difference(trace.capped_scores, trace.scaled_scores) < 1e-9


# Temperature.


def at(temperature: float, scenario: Scenario) -> Scenario:
    return replace(scenario, scores=replace(scenario.scores, temperature=temperature))


def test_a_temperature_divides_the_scores_and_what_is_added_to_them() -> None:
    added = np.linspace(-1, 1, 25).reshape(5, 5)
    scenario = self_attention(5, 14, 2, mask=Mask(additive=added), scores=ScoreOptions(scale=0.5))
    halved = replace(scenario, mask=Mask(additive=added / 4), scores=ScoreOptions(scale=0.125))
    assert np.array_equal(attend(at(4, scenario)).weights, attend(halved).weights)


@given(
    scenario=scenarios().map(with_stable_softmax).map(without_sinks),
    temperatures=st.tuples(*[st.floats(0.001, 1000)] * 2),
)
def test_a_lower_temperature_gives_the_best_key_no_less_weight(
    scenario: Scenario, temperatures: tuple[float, float]
) -> None:
    cold, warm = (attend(at(temperature, scenario)) for temperature in sorted(temperatures))
    slack = 1e-5
    assert (cold.weights.max(axis=-1) >= warm.weights.max(axis=-1) - slack).all()


@given(scenario=scenarios().map(with_stable_softmax), temperature=st.sampled_from([0.001, 1000]))
def test_at_any_temperature_hidden_keys_stay_hidden_and_blind_queries_blind(
    scenario: Scenario, temperature: float
) -> None:
    trace = attend(at(temperature, scenario))
    assert np.array_equal(np.isneginf(trace.tempered_scores), np.isneginf(trace.masked_scores))
    assert not trace.weights[:, ~trace.mask].any()
    shares = trace.weights.sum(axis=-1) + trace.sink_weights[..., 0]
    has_some = ~trace.blind_queries | (scenario.sinks is not None)
    assert np.allclose(shares, np.broadcast_to(has_some, shares.shape), atol=1e-5)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_a_low_temperature_picks_the_best_key_and_a_high_one_evens_out(kind: type) -> None:
    scenario = with_dtype(self_attention(5, 14, 2), np.dtype(kind).name)
    cold, hot = attend(at(0.001, scenario)), attend(at(1000, scenario))
    best = cold.masked_scores == cold.masked_scores.max(axis=-1, keepdims=True)
    assert largest_difference(cold.weights, best.astype(kind)) < 1e-9
    assert largest_difference(hot.weights, np.full((2, 5, 5), 0.2)) < 0.01


def test_equal_scores_share_their_weight_at_every_temperature() -> None:
    scenario = replace(self_attention(5, 14, 2), w_q=np.zeros((14, 14)))
    for temperature in (0.001, 0.3, 1000):
        assert np.array_equal(attend(at(temperature, scenario)).weights, np.full((2, 5, 5), 0.2))


# The kind of number, and the order in which steps are asked for.


@given(scenario=scenarios())
def test_every_field_keeps_the_kind_of_the_numbers_given(scenario: Scenario) -> None:
    trace = attend(scenario)
    kinds = {step.name: getattr(trace, step.name).dtype for step in STEPS}
    assert kinds.pop("mask") == kinds.pop("blind_queries") == np.bool_
    assert set(kinds.values()) == {scenario.dtype}


def asked_in_order(names: Sequence[str], scenario: Scenario) -> Trace:
    trace = attend(scenario)
    for name in names:
        getattr(trace, name)
    return trace


def bits(trace: Trace) -> dict[str, bytes]:
    return {name: getattr(trace, name).tobytes() for name in STEP_NAMES}


@given(scenario=scenarios(), order=st.permutations(STEP_NAMES))
def test_asking_for_the_steps_in_any_order_changes_no_bit(
    scenario: Scenario, order: Sequence[str]
) -> None:
    assert bits(asked_in_order(order, scenario)) == bits(asked_in_order(STEP_NAMES, scenario))


LastFirst: list[Callable[[Trace], Any]] = [
    lambda trace: trace.output,
    lambda trace: trace.weights,
    lambda trace: trace.contributions,
]


@pytest.mark.parametrize("block_bytes", [8, 40, 64, 3 * 64, 7 * 64, 1000, 4096])  # the last: whole
def test_the_cut_into_blocks_moves_no_number_by_more_than_rounding(
    block_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Among all that may be done to scores on their way to weights."""
    on_axes = tuple((n // 4, n // 2 % 2, n % 2) for n in range(7))
    growth = ScoreOptions(growth=0.5, growth_every=2, r_places=on_axes)
    scores = replace(growth, softcap=2.0, positions="alibi", temperature=0.5)
    mask = Mask((Rule("causal"),), additive=np.linspace(-1, 1, 35).reshape(5, 7))
    scenario = scenario_of_distinct_sizes(scores=scores, mask=mask, **RARE)
    whole = asked_in_order(STEP_NAMES, scenario)
    monkeypatch.setattr(cache_blocks, "BLOCK_BYTES", block_bytes)
    for ask_first in LastFirst:
        in_blocks = attend(scenario)
        ask_first(in_blocks)
        for name in STEP_NAMES:
            difference = largest_difference(getattr(in_blocks, name), getattr(whole, name))
            assert difference <= 1e-15, name


@given(sizes=st.tuples(*[st.integers(1, 7)] * 3), block_bytes=st.integers(1, 2000))
def test_blocks_cover_every_row_of_every_head_once(
    sizes: tuple[int, int, int], block_bytes: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_blocks, "BLOCK_BYTES", block_bytes)
        covered = np.zeros(sizes, int)
        for heads, rows in cache_blocks.cache_blocks(*sizes, itemsize=8):
            covered[heads, rows] += 1
            one_row = sizes[2] * 8
            assert covered[heads, rows].nbytes <= max(block_bytes, one_row)
    assert (covered == 1).all()


def test_a_second_sequence_that_is_the_first_is_self_attention() -> None:
    itself = self_attention(5, 14, 2)
    assert differ_by_rounding(
        attend(replace(itself, context=itself.x)).output, attend(itself).output
    )


def test_float32_and_float64_together_are_float64() -> None:
    scenario = self_attention(5, 14, 2)
    mixed = replace(scenario, x=scenario.x.astype(np.float32))
    assert {array.dtype.name for array in mixed.given().values()} == {"float64"}
    assert attend(mixed).output.dtype == np.float64
