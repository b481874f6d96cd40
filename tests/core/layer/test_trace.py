"""The trace as an object: its registry, its shapes, its print, and that nobody can change it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

import mha_core
from mha_core import attend
from mha_core.checks.errors import LimitError
from mha_core.checks.shapes import Dims, FloatArray
from mha_core.layer.in_notebook import as_text
from mha_core.layer.made_of import Input
from mha_core.layer.steps import Step
from mha_core.layer.steps import step as as_step
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.given_arrays import SIZES
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import DISTINCT_SIZES, scenario_of_distinct_sizes, self_attention

IN_THE_ORDER_OF_THE_LESSON = [
    *("x", "context", "positions", "x_positioned", "context_positions", "context_positioned"),
    *("context_v", "q", "k", "v"),
    *("q_heads", "k_heads", "v_heads"),
    *("q_rotated_first", "k_rotated_first", "q_centered", "k_centered"),
    *("q_normed", "k_normed", "v_normed", "q_rotated", "k_rotated"),
    *("raw_scores", "relative_scores", "summed_scores", "grown_scores"),
    *("scaled_scores", "capped_scores", "f", "f_gates", "factors", "bias", "biased_scores"),
    *("mask", "blind_queries", "masked_scores", "tempered_scores"),
    *("row_max", "exponentials", "row_sums"),
    *("weights", "sink_weights", "head_outputs", "g", "gates", "gated_outputs"),
    *("heads_centered", "heads_normed", "heads_bent"),
    *("concat", "contributions", "output"),
]

STEP_IDS = [step.name for step in STEPS]


def test_the_steps_stand_in_the_order_of_the_lesson() -> None:
    assert STEP_IDS == IN_THE_ORDER_OF_THE_LESSON


def test_the_package_offers_the_way_in_by_name() -> None:
    assert mha_core.attend is attend
    assert mha_core.STEPS is STEPS
    assert mha_core.Scenario is Scenario
    assert mha_core.Trace is Trace


@pytest.mark.parametrize("step", STEPS, ids=STEP_IDS)
def test_every_step_says_what_it_is(step: Step) -> None:  # type: ignore[type-arg] # of any array
    assert step.name.isidentifier()
    assert step.symbol
    assert step.formula(scenario_of_distinct_sizes())
    assert step.title
    assert step.title[0].isupper()
    assert step.meaning.endswith(".")
    assert "\n" not in step.title + step.meaning
    assert getattr(Trace, step.name) is step


def test_a_step_takes_title_and_meaning_from_the_words_of_its_equation() -> None:
    def twice(trace: Trace) -> FloatArray:
        """Twice X: every number of it: doubled,
        and nothing else.
        """
        doubled: FloatArray = 2 * trace.x
        return doubled

    made = as_step("2 X", "n_q d_model", "2 X^1", Input())(twice)
    assert (made.name, made.symbol, made.dims) == ("twice", "2 X", Dims("n_q d_model"))
    assert (made.formula(scenario_of_distinct_sizes()), made.title) == ("2 X^1", "Twice X")
    assert made.meaning == "every number of it: doubled, and nothing else."
    assert repr(made) == "twice                2 X          (n_q, d_model)"
    trace = attend(scenario_of_distinct_sizes())
    assert np.array_equal(made.__get__(trace, Trace), 2 * trace.x)
    assert made.__get__(None, Trace) is made


def test_a_step_without_words_has_no_title() -> None:
    made = as_step("X", "n_q d_model", "X", Input())(lambda trace: trace.x)
    assert (made.title, made.meaning) == ("", "")


@pytest.mark.parametrize("what", ["symbol", "name", "title"])
def test_no_two_steps_look_the_same(what: str) -> None:
    assert len({getattr(step, what) for step in STEPS}) == len(STEPS)


@pytest.mark.parametrize("step", STEPS, ids=STEP_IDS)
def test_every_shape_is_the_one_its_names_say(step: Step) -> None:  # type: ignore[type-arg]
    scenario = scenario_of_distinct_sizes(w_g=np.ones((11, 6)))  # one number for all of a head
    assert len(set(scenario.sizes.values())) == len(SIZES)
    assert getattr(attend(scenario), step.name).shape == step.dims.shape(scenario.sizes)


def test_every_field_prints_with_its_name_symbol_and_shape() -> None:
    lines = repr(attend(scenario_of_distinct_sizes())).splitlines()
    assert [line.split()[0] for line in lines] == STEP_IDS
    for line, step in zip(lines, STEPS, strict=True):
        shape = step.dims.shape(DISTINCT_SIZES)
        assert line.endswith(f"{step.symbol:<12} {step.dims} = {shape}")
    assert lines[7] == "q                    Q            (n_q, n_heads*d_k) = (5, 12)"
    assert lines[22] == "raw_scores           Q_i K_i^T    (n_heads, n_q, n_k) = (6, 5, 7)"


def test_printing_a_trace_computes_nothing() -> None:
    trace = attend(scenario_of_distinct_sizes())
    repr(trace)
    assert set(vars(trace)) == {"scenario"}


def test_a_field_is_computed_once_and_then_kept() -> None:
    trace = attend(scenario_of_distinct_sizes())
    for step in STEPS:
        assert getattr(trace, step.name) is getattr(trace, step.name)


def test_weights_and_output_hold_no_other_array_of_that_size() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert trace.output.shape == (5, 19)
    square = {name for name, array in vars(trace).items() if np.shape(array) == (6, 5, 7)}
    assert square == {"weights"}


@pytest.mark.parametrize("name", STEP_IDS)
def test_no_array_of_a_trace_can_be_written_to(name: str) -> None:
    field = getattr(attend(scenario_of_distinct_sizes()), name)
    with pytest.raises(ValueError, match="read-only"):
        field[(0,) * field.ndim] = 0


@pytest.mark.parametrize("name", ["weights", "scenario", "anything"])
def test_no_field_of_a_trace_can_be_set_or_deleted(name: str) -> None:
    trace = attend(scenario_of_distinct_sizes())
    before = trace.weights
    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(trace, name, np.zeros(2))
    with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
        delattr(trace, name)
    assert trace.weights is before


def test_the_scenario_stays_reachable() -> None:
    scenario = scenario_of_distinct_sizes()
    assert attend(scenario).scenario is scenario


# What fields hold if a choice leaves them out.


def test_without_a_second_sequence_keys_come_from_x_and_are_placed_as_x() -> None:
    scores = ScoreOptions(positions="sinusoidal", query_start=3)
    trace = attend(self_attention(5, 14, 2, scores=scores))
    assert np.array_equal(trace.context, trace.x)
    assert np.array_equal(trace.context_positioned, trace.x_positioned)
    assert not np.array_equal(trace.x_positioned, trace.x)


def test_with_nothing_to_add_the_bias_is_zero_and_costs_one_number() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert not trace.bias.any()
    assert trace.bias.strides == (0, 0, 0)
    assert trace.biased_scores is trace.capped_scores


def test_an_additive_mask_is_added_alike_to_every_head() -> None:
    additive = np.arange(35.0).reshape(5, 7)
    additive[0, 0] = -np.inf
    trace = attend(scenario_of_distinct_sizes(mask=Mask(additive=additive)))
    added = np.where(np.isneginf(additive), 0, additive)
    assert np.array_equal(trace.bias, [added] * 6)
    assert not trace.mask[0, 0]


def test_each_head_may_add_numbers_of_its_own() -> None:
    added = np.arange(6 * 5 * 7.0).reshape(30, 7)
    alibi = ScoreOptions(positions="alibi")
    masked = Mask(additive=np.full((5, 7), 0.5))
    plain = attend(scenario_of_distinct_sizes(scores=alibi, mask=masked))
    trace = attend(scenario_of_distinct_sizes(scores=alibi, mask=masked, b_s=added))
    np.testing.assert_allclose(trace.bias - plain.bias, added.reshape(6, 5, 7), atol=1e-12)


def test_without_a_cap_scores_are_left_as_they_are() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert trace.capped_scores is trace.scaled_scores


def test_capping_leaves_the_scaled_scores_as_they_were() -> None:
    scores = ScoreOptions(softcap=0.5)
    capped = attend(scenario_of_distinct_sizes(scores=scores))
    plain = attend(scenario_of_distinct_sizes())
    assert capped.capped_scores.max() <= 0.5
    assert np.array_equal(capped.scaled_scores, plain.scaled_scores)


def test_at_temperature_1_the_softmax_gets_the_masked_scores() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert trace.tempered_scores is trace.masked_scores


def test_a_temperature_of_numpys_leaves_the_kind_of_number_as_it_is() -> None:
    scores = ScoreOptions(temperature=np.float64(0.5))
    given = {name: x.astype("f4") for name, x in scenario_of_distinct_sizes().given().items()}
    trace = attend(Scenario(**given, n_heads=6, n_kv_heads=3, scores=scores))
    assert trace.tempered_scores.dtype == trace.weights.dtype == np.float32


def test_without_a_mask_every_key_is_open_and_no_query_is_blind() -> None:
    trace = attend(scenario_of_distinct_sizes())
    assert trace.mask.all()
    assert not trace.blind_queries.any()
    assert np.array_equal(trace.masked_scores, trace.biased_scores)


def test_switching_a_head_off_does_not_write_into_the_values() -> None:
    one_key = replace(self_attention(1, 14, 2), heads_off={0})
    trace = attend(one_key)
    assert not trace.head_outputs[0].any()
    assert trace.v_heads[0].any()


# The limit.


def test_a_trace_too_large_to_hold_is_refused_with_a_way_out() -> None:
    tokens = np.zeros((4097, 1))
    eye = np.ones((1, 8))
    scenario = Scenario(x=tokens, w_q=eye, w_k=eye, w_v=eye, w_o=eye.T, n_heads=8)
    with pytest.raises(LimitError) as caught:
        attend(scenario)
    assert str(caught.value) == (
        "X must have at most 4,096 rows with 8 heads, got 4,097. "
        "Use attend_rows for the output and chosen rows of the weights."
    )


def test_the_largest_trace_is_taken() -> None:
    tokens = np.zeros((4096, 1))
    eye = np.ones((1, 8))
    scenario = Scenario(x=tokens, w_q=eye, w_k=eye, w_v=eye, w_o=eye.T, n_heads=8)
    assert attend(scenario).q.shape == (4096, 8)


def test_a_notebook_shows_a_trace_as_text_until_a_painter_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trace = attend(scenario_of_distinct_sizes())
    monkeypatch.setattr(Trace, "painter", staticmethod(as_text))
    assert trace._repr_html_() == f"<pre>{trace!r}</pre>"
    monkeypatch.setattr(Trace, "painter", staticmethod(lambda of: f"{len(of.weights)} heads"))
    assert trace._repr_html_() == f"{trace.scenario.n_heads} heads"
