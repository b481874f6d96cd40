"""The scenario: what follows from what is given, what is kept, and when two are the same."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.checks.errors import LimitError, NumberError, OptionError
from mha_core.checks.shapes import ComparedByValue
from mha_core.options.positions import POSITIONS
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import DISTINCT_SIZES, RARE, scenario_of_distinct_sizes, self_attention

EYE = np.eye(4)


def small(**changes: Any) -> Scenario:
    given = {"x": np.ones((3, 4)), "w_q": EYE, "w_k": EYE, "w_v": EYE, "w_o": EYE, "n_heads": 2}
    return Scenario(**{**given, **changes})


def test_one_line_from_plain_lists_to_a_trace() -> None:
    eye = [[1, 0], [0, 1]]
    trace = attend(Scenario(x=eye, w_q=eye, w_k=eye, w_v=eye, w_o=eye, n_heads=2))  # type: ignore[arg-type] # lists are taken too
    assert trace.output.round(8).tolist() == [[0.73105858, 0.5], [0.5, 0.73105858]]


# What follows from what.


def test_sizes_are_read_off_the_arrays() -> None:
    assert scenario_of_distinct_sizes().sizes == DISTINCT_SIZES


def test_sizes_may_be_said_where_they_agree() -> None:
    scenario = scenario_of_distinct_sizes(d_k=2, d_v=17)
    assert scenario.sizes == DISTINCT_SIZES


def test_as_many_key_heads_as_heads_unless_said_otherwise() -> None:
    assert small().n_kv_heads == 2
    one = small(n_kv_heads=1, w_k=EYE[:, :2], w_v=EYE[:, :2])
    assert one.sizes == small().sizes | {"n_kv_heads": 1}


def test_self_attention_takes_keys_and_values_from_x() -> None:
    scenario = small(tokens=["I", "LOVE", "PIZZA"])
    assert scenario.keys_from is scenario.x
    assert scenario.key_tokens == scenario.tokens == ("I", "LOVE", "PIZZA")


def test_cross_attention_takes_them_from_the_second_sequence() -> None:
    scenario = small(context=np.zeros((2, 4)), context_tokens=["ICH", "LIEBE"])
    assert scenario.keys_from is scenario.context
    assert scenario.key_tokens == ("ICH", "LIEBE")
    assert (scenario.n_q, scenario.n_k) == (3, 2)


def test_tokens_without_labels_are_numbered_from_one() -> None:
    scenario = small(context=np.zeros((2, 4)))
    assert scenario.tokens == ("t1", "t2", "t3")
    assert scenario.context_tokens == ("c1", "c2")
    assert small().context_tokens == ()


def test_given_lists_the_arrays_that_were_given() -> None:
    assert list(small().given()) == ["x", "w_q", "w_k", "w_v", "w_o"]
    assert list(scenario_of_distinct_sizes(**RARE).given()) == list(GIVEN)


def test_whole_numbers_of_numpy_become_plain_ones() -> None:
    scenario = small(n_heads=np.int64(2), d_k=np.int8(2), heads_off=np.array([1]).tolist())
    assert [type(size) for size in (scenario.n_heads, scenario.d_k)] == [int, int]
    off = small(heads_off=[np.int64(1), 1]).heads_off
    assert off == frozenset({1})
    assert [type(head) for head in off] == [int]


# What is kept.


def test_a_scenario_keeps_its_own_copies() -> None:
    x = np.ones((3, 4))
    scenario = small(x=x)
    x[:] = 7
    assert (scenario.x == 1).all()


@pytest.mark.parametrize("name", GIVEN)
def test_no_array_of_a_scenario_can_be_written_to(name: str) -> None:
    array = getattr(scenario_of_distinct_sizes(**RARE), name)
    with pytest.raises(ValueError, match="read-only"):
        array[(0,) * array.ndim] = 0


def test_no_field_of_a_scenario_can_be_set() -> None:
    with pytest.raises(FrozenInstanceError):
        small().n_heads = 4  # type: ignore[misc] # that is the point


def test_arrays_lie_in_rows_however_they_came() -> None:
    turned = np.arange(12.0).reshape(4, 3).T
    scenario = small(x=turned)
    assert scenario.x.flags.c_contiguous
    assert np.array_equal(scenario.x, turned)


def test_a_change_of_one_array_shares_the_others() -> None:
    scenario = small()
    changed = replace(scenario, x=np.zeros((3, 4)))
    assert changed.w_q is scenario.w_q
    assert changed.x is not scenario.x


def test_an_array_of_another_type_is_not_shared_but_converted() -> None:
    narrow = small(**{name: array.astype(np.float32) for name, array in small().given().items()})
    assert narrow.dtype == np.float32
    wide = replace(narrow, x=np.ones((3, 4)))
    assert {array.dtype.name for array in wide.given().values()} == {"float64"}


# When two are the same.


def test_scenarios_are_equal_when_every_number_is() -> None:
    assert small() == small()
    assert small() == small(x=np.ones((3, 4)).copy())
    assert scenario_of_distinct_sizes() == scenario_of_distinct_sizes()


@pytest.mark.parametrize(
    "changes",
    [
        {"x": np.zeros((3, 4))},
        {"x": np.ones((2, 4))},
        {"tokens": ("a", "b", "c")},
        {"n_heads": 4},
        {"b_q": np.zeros(4)},
        {"mask": Mask((Rule("causal"),))},
        {"scores": ScoreOptions(scale="none")},
        {"heads_off": {1}},
        {"origin": Origin(example="pizza")},
        {"context": np.ones((3, 4))},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_any_change_makes_another_scenario(changes: dict[str, Any]) -> None:
    assert small(**changes) != small()


def test_the_kind_of_number_is_part_of_a_scenario() -> None:
    narrow = small(**{name: array.astype(np.float32) for name, array in small().given().items()})
    assert narrow != small()


def test_a_scenario_is_not_equal_to_something_else_and_has_no_hash() -> None:
    assert small() != "a scenario"
    assert ComparedByValue.__eq__(small(), Mask()) is NotImplemented
    with pytest.raises(TypeError, match="unhashable"):
        hash(small())


# Score options.


@pytest.mark.parametrize(
    ("scale", "factor"),
    [("1/sqrt(d_k)", 0.25), ("none", 1.0), (3, 3.0), (-0.5, -0.5), (np.float32(0.5), 0.5)],
)
def test_the_scale_is_a_rule_or_a_number(scale: Any, factor: float) -> None:
    assert ScoreOptions(scale=scale).factor(16) == factor
    assert type(ScoreOptions(scale=scale).factor(16)) is float


@pytest.mark.parametrize("scale", [-1e100, 0, 1e100])
def test_scales_up_to_the_limit_are_taken(scale: float) -> None:
    assert ScoreOptions(scale=scale).factor(4) == scale


@pytest.mark.parametrize("softcap", [1e-30, 1e30])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_soft_caps_up_to_the_limit_are_taken_in_both_types(softcap: float, kind: type) -> None:
    arrays = {name: array.astype(kind) for name, array in self_attention(3, 4, 2).given().items()}
    trace = attend(Scenario(**arrays, n_heads=2, scores=ScoreOptions(softcap=softcap)))
    assert np.abs(trace.capped_scores).max() <= softcap * (1 + 1e-6)
    assert np.isfinite(trace.output).all()


@pytest.mark.parametrize("temperature", [0.001, 1, np.float32(0.5), 1000])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_temperatures_up_to_the_limits_are_taken_in_both_types(
    temperature: float, kind: type
) -> None:
    arrays = {name: array.astype(kind) for name, array in self_attention(3, 4, 2).given().items()}
    scores = ScoreOptions(temperature=temperature)
    trace = attend(Scenario(**arrays, n_heads=2, scores=scores))
    assert np.isfinite(trace.tempered_scores).all()
    assert np.isfinite(trace.output).all()


def test_the_largest_seed_is_taken() -> None:
    assert Origin(x_seed=2**32 - 1, weights_seed=0).x_seed == 4_294_967_295


def test_positions_are_explained() -> None:
    assert list(POSITIONS) == ["none", "sinusoidal", "rope", "alibi"]
    assert all(choice.meaning.endswith(".") for choice in POSITIONS.values())
    for positions in POSITIONS:
        assert ScoreOptions(positions=positions).positions == positions


@pytest.mark.parametrize("query_start", [0, 16_384])
def test_a_query_may_start_anywhere_up_to_the_limit(query_start: int) -> None:
    assert ScoreOptions(query_start=query_start).query_start == query_start


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, True, "7"])
def test_an_origin_holds_seeds_that_a_link_can_carry(seed: Any) -> None:
    with pytest.raises(NumberError, match="origin's x_seed must be a whole number from 0 to 42949"):
        Origin(x_seed=seed)


def test_an_origin_holds_names() -> None:
    with pytest.raises(OptionError, match="origin's weights must be text, got 3 of type int"):
        Origin(weights=3)  # type: ignore[arg-type]


def test_an_origin_holds_the_layer_of_a_model_and_a_text_of_some_length() -> None:
    with pytest.raises(LimitError, match="origin's model_text must be text of at most 4000"):
        Origin(model_text="a" * 4_001)
    with pytest.raises(LimitError, match="origin's model_text_of_decoder must be text of at most"):
        Origin(model_text_of_decoder="a" * 4_001)
    with pytest.raises(NumberError, match="origin's model_layer must be a whole number"):
        Origin(model_layer=-1)
