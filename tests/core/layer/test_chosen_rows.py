"""The output and chosen rows of the weights, without n x n for all heads."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.checks.errors import LimitError, MhaError, NumberError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.layer import attending, cache_blocks
from mha_core.layer.chosen_rows import Rows, attend_rows
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenario_of_distinct_sizes, scenarios, self_attention


def same_bits(actual: Any, expected: Any) -> bool:
    return actual.dtype == expected.dtype and actual.tobytes() == expected.tobytes()


def assert_same_as_the_full_path(found: Rows, scenario: Scenario) -> None:
    full = attend(scenario)
    assert same_bits(found.output, full.output)
    assert found.weights.shape == (scenario.n_heads, len(found.rows), scenario.n_k)
    assert same_bits(found.weights, full.weights[:, list(found.rows)])


@given(data=st.data(), scenario=scenarios(), block_bytes=st.integers(1, 2000))
def test_any_rows_of_any_layer_are_those_of_the_full_path_to_the_last_bit(
    data: st.DataObject, scenario: Scenario, block_bytes: int
) -> None:
    rows = data.draw(st.lists(st.integers(0, scenario.n_q - 1), max_size=7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_blocks, "BLOCK_BYTES", block_bytes)
        assert_same_as_the_full_path(attend_rows(scenario, rows), scenario)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_head_that_fills_several_blocks_is_the_full_path_to_the_last_bit(dtype: type) -> None:
    drawn = self_attention(1499, 6, 2, mask=Mask((Rule("causal"),)))
    scenario = replace(drawn, **{name: a.astype(dtype) for name, a in drawn.given().items()})
    one_head = 1499 * 1499 * np.dtype(dtype).itemsize
    assert one_head > 2 * cache_blocks.BLOCK_BYTES
    assert_same_as_the_full_path(attend_rows(scenario, [0, 731, 1498]), scenario)


def test_a_full_path_whose_scores_were_looked_at_gives_the_same_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache_blocks, "BLOCK_BYTES", 2 * 7 * 8)  # two rows of one head
    scenario = scenario_of_distinct_sizes()
    looked_at = attend(scenario)
    assert looked_at.raw_scores.shape == (6, 5, 7)
    found = attend_rows(scenario, range(5))
    assert same_bits(found.weights, looked_at.weights)
    assert same_bits(found.output, looked_at.output)


def test_two_tokens_by_hand() -> None:
    eye = np.eye(2)
    scenario = Scenario(x=eye, w_q=eye, w_k=eye, w_v=eye, w_o=eye, n_heads=2)
    found = attend_rows(scenario, rows=[1])
    assert found.rows == (1,)
    assert found.weights.round(8).tolist() == [[[0.5, 0.5]], [[0.26894142, 0.73105858]]]
    assert found.output.round(8).tolist() == [[0.73105858, 0.5], [0.5, 0.73105858]]


def test_rows_come_in_the_order_asked_for_and_as_often() -> None:
    scenario = scenario_of_distinct_sizes()
    found = attend_rows(scenario, [4, 0, 4])
    assert found.rows == (4, 0, 4)
    assert same_bits(found.weights, attend(scenario).weights[:, [4, 0, 4]])


@pytest.mark.parametrize("rows", [(1, 3), [1, 3], range(1, 4, 2), np.array([1, 3])])
def test_any_list_of_whole_numbers_chooses_rows(rows: Any) -> None:
    scenario = scenario_of_distinct_sizes()
    assert attend_rows(scenario, rows) == attend_rows(scenario, [1, 3])
    assert {type(row) for row in attend_rows(scenario, rows).rows} == {int}


def test_without_rows_there_is_the_output_alone() -> None:
    scenario = scenario_of_distinct_sizes()
    found = attend_rows(scenario)
    assert found.rows == ()
    assert found.weights.shape == (6, 0, 7)
    assert same_bits(found.output, attend(scenario).output)


def test_a_head_that_is_switched_off_keeps_its_weights_and_gives_nothing() -> None:
    scenario = scenario_of_distinct_sizes(heads_off={0, 1, 2, 3, 4, 5})
    found = attend_rows(scenario, [2])
    assert np.allclose(found.weights.sum(axis=-1), 1)
    assert found.output.tolist() == [scenario.given()["b_o"].tolist()] * 5


def test_what_attend_refuses_for_its_size_attend_rows_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scenario = scenario_of_distinct_sizes()
    expected = attend(scenario).output
    monkeypatch.setattr(attending, "LIMITS", replace(LIMITS, score_cells=6 * 5 * 7 - 1))
    with pytest.raises(LimitError, match="Use attend_rows"):
        attend(scenario)
    assert same_bits(attend_rows(scenario).output, expected)


def test_nothing_of_the_result_can_be_overwritten() -> None:
    found = attend_rows(scenario_of_distinct_sizes(), [0])
    for array in (found.weights, found.output):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    with pytest.raises(AttributeError):
        found.rows = ()  # type: ignore[misc] # this is what the test is about


def test_an_overflow_is_told_in_words_and_not_by_a_warning() -> None:
    eye = 1e90 * np.eye(2)
    scenario = Scenario(x=eye, w_q=eye, w_k=eye, w_v=eye, w_o=eye, n_heads=1)
    with pytest.raises(NumberError, match="The scores must stay within float64"):
        attend_rows(scenario, [0])


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([5], NumberError, "rows must name queries from 0 to 4, got 5. The first query is number"),
        ([0, -1], NumberError, "rows must name queries from 0 to 4, got -1."),
        ([True], NumberError, "got True"),
        ([1.0], NumberError, "got 1.0"),
        (["1"], NumberError, "got '1'"),
        (np.array([[0, 1]]), NumberError, r"got array\(\[0, 1\]\)"),
        (3, OptionError, r"rows must be a list of queries, got 3. Write \[0, 2\]."),
        ("03", OptionError, "got '03'"),
        (None, OptionError, "got None"),
        ({0, 2}, OptionError, r"got \{0, 2\}"),
    ],
)
def test_rows_that_are_none_are_refused(rows: Any, error: type[MhaError], message: str) -> None:
    with pytest.raises(error, match=message):
        attend_rows(scenario_of_distinct_sizes(), rows)


def test_more_rows_than_memory_should_hold_are_refused() -> None:
    x, w = np.ones((16_384, 1)), np.ones((1, 256))
    scenario = Scenario(x=x, w_q=w, w_k=w, w_v=w, w_o=w.T, n_heads=256)
    with pytest.raises(
        LimitError, match="chosen rows must be at most 134,217,728, got 138,412,032"
    ):
        attend_rows(scenario, [0] * 33)


# Memory. NumPy reports to tracemalloc all that it takes.

N, N_HEADS = 1009, 8
ONE_HEAD = N * N * 8


def peak(run: Callable[[], Any]) -> int:
    """The most bytes held at once beyond those held before."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


MASKED = Mask((Rule("causal"), Rule("padding", {"hidden": [1]})))
LAYERS = {
    "plain": {},
    "masked": {"mask": MASKED},
    "with distances": {"scores": ScoreOptions(positions="alibi")},
}


@pytest.mark.parametrize("layer", LAYERS)
def test_not_even_n_x_n_of_one_head_is_held(layer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_blocks, "BLOCK_BYTES", 128 * 1024)
    scenario = self_attention(N, 4 * N_HEADS, N_HEADS, **LAYERS[layer])
    assert peak(lambda: attend_rows(scenario, [0, 500])) < ONE_HEAD


def test_the_full_path_would_be_seen_to_hold_n_x_n_of_all_heads() -> None:
    scenario = self_attention(N, 4 * N_HEADS, N_HEADS)
    assert peak(lambda: attend(scenario).output) > N_HEADS * ONE_HEAD
