"""The naive softmax: what it shares with the stable one, and what becomes of its overflow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import STEPS, Mask, Trace, attend, attend_rows
from mha_core.changing.changes import with_dtype, with_scores
from mha_core.checks.errors import NumberError
from mha_core.examples import EXAMPLES, load_example
from mha_core.layer import cache_blocks
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive, feeds
from mha_core.layer.influence import influence
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.layer.test_derivation import any_index
from tests.core.strategies import scenarios, with_stable_softmax
from tests.draws import draws

NUMBERS = st.integers(0, 2**31)
INF = float("inf")
NAIVE = ScoreOptions(scale="none", softmax="naive")


def with_naive_softmax(s: Scenario) -> Scenario:
    return with_scores(s, softmax="naive")


def of_scores(rows: list[list[float]], kind: str = "float64", **changes: Any) -> Scenario:
    """A head whose scores are these, and whose values are 1, 2, 3."""
    scores = np.array(rows, kind)
    n_q, n_k = scores.shape
    given: dict[str, Any] = {
        "x": np.eye(n_q, dtype=kind),
        "context": np.eye(n_k, dtype=kind),
        "w_q": scores,
        "w_k": np.eye(n_k, dtype=kind),
        "w_v": np.arange(1, n_k + 1, dtype=kind)[:, None],
        "w_o": np.ones((1, 1), kind),
        "n_heads": 1,
        "scores": NAIVE,
    }
    return Scenario(**{**given, **changes})


@given(scenarios().map(with_naive_softmax))
def test_what_is_finite_is_what_the_stable_one_gives(scenario: Scenario) -> None:
    naive, stable = attend(scenario), attend(with_stable_softmax(scenario))
    within = 1e-9 if scenario.dtype == np.float64 else 1e-4
    assert np.isfinite(naive.weights).all()
    for name in ("weights", "head_outputs", "output"):
        np.testing.assert_allclose(getattr(naive, name), getattr(stable, name), atol=within)
    assert not naive.row_max.any()
    assert not naive.weights[:, naive.blind_queries].any()


@pytest.mark.parametrize(("kind", "edge"), [("float32", 89.0), ("float64", 710.0)])
def test_exp_overflows_from_where_the_type_ends(kind: str, edge: float) -> None:
    scenario = of_scores([[edge, 0], [edge - 1, 0], [0, 1]], kind)
    trace = attend(scenario)
    assert trace.exponentials[0, 0].tolist() == [INF, 1]
    assert trace.row_sums[0, 0, 0] == INF
    np.testing.assert_array_equal(trace.weights[0, 0], [np.nan, 0])
    assert trace.weights[0, 1].tolist() == pytest.approx([1, 0])
    assert np.isnan(trace.output[0]).all()
    assert np.isfinite(trace.output[1:]).all()
    assert np.isfinite(attend(with_stable_softmax(scenario)).weights).all()


def test_a_sum_may_overflow_where_no_exponential_does() -> None:
    trace = attend(of_scores([[709.7, 709.7, 0]]))
    assert np.isfinite(trace.exponentials).all()
    assert trace.row_sums.item() == INF
    assert trace.weights[0, 0].tolist() == [0, 0, 0]


def test_exponentials_may_vanish_so_that_0_is_divided_by_0() -> None:
    trace = attend(of_scores([[-800, -900], [-1, -2]]))
    assert trace.row_sums[0, 0, 0] == 0
    assert np.isnan(trace.weights[0, 0]).all()
    assert 0 < trace.row_sums[0, 1, 0] < 1
    assert trace.weights[0, 1].sum() == pytest.approx(1)


def test_a_query_that_may_attend_to_nothing_has_zeros_as_ever() -> None:
    mask = Mask(custom=np.array([[False, False], [True, False], [True, True]]))
    trace = attend(of_scores([[800, 0], [1, 800], [800, 0]], mask=mask))
    assert trace.weights[0, 0].tolist() == [0, 0]
    assert trace.weights[0, 1].tolist() == [1, 0]
    assert np.isnan(trace.weights[0, 2, 0])


def same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f"))


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", ["saturated", "causal", "grouped-query"])
@pytest.mark.parametrize("block", [None, 64])
def test_all_ways_give_the_same_numbers(
    name: str, kind: str, block: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if block:
        monkeypatch.setattr(cache_blocks, "BLOCK_BYTES", block)
    loud = with_scores(load_example(name), scale=400.0, softmax="naive")
    scenario = with_dtype(loud, kind)
    fast, by_steps = attend(scenario), attend(scenario)
    assert by_steps.exponentials is not None
    assert np.isnan(fast.weights).any()
    rows = attend_rows(scenario, range(scenario.n_q))
    close = partial(np.testing.assert_allclose, rtol=1e-4, equal_nan=True)
    for each in (fast.weights, rows.weights):
        close(each, by_steps.weights)
    close(fast.output, by_steps.output)
    close(rows.output, by_steps.output)


BEYOND: dict[str, Callable[[], Any]] = {
    "scores": lambda: attend(of_scores([[1e30, 0]], "float32", w_k=1e30 * np.eye(2, dtype="f4"))),
    "values": lambda: attend(
        of_scores(
            [[1, 0]],
            "float32",
            context=1e30 * np.eye(2, dtype="f4"),
            w_k=np.zeros((2, 2), "f4"),
            w_v=np.full((2, 1), 1e30, "f4"),
        )
    ),
    "the output of a row that is not lost": lambda: attend(
        of_scores(
            [[1, 0], [1000, 0]],
            "float32",
            w_v=np.full((2, 1), 1e30, "f4"),
            w_o=np.full((1, 1), 1e30, "f4"),
        )
    ),
}


@pytest.mark.parametrize("what", BEYOND)
def test_products_beyond_the_type_are_refused_as_ever(what: str) -> None:
    with pytest.raises(NumberError, match="must stay within float32"):
        assert BEYOND[what]().output is None


LOST = {
    name: attend(with_scores(load_example(name), scale=1000.0, softmax="naive"))
    for name in EXAMPLES
    if load_example(name).d_model <= 16
}


def nearly(one: Any, other: Any) -> bool:
    return bool(np.isclose(float(one), float(other), rtol=1e-5, atol=1e-5, equal_nan=True))


@pytest.mark.parametrize("name", LOST)
@draws(5)
@given(number=NUMBERS)
def test_every_number_is_told_without_a_warning(name: str, number: int) -> None:
    trace = LOST[name]
    for step in STEPS:
        if step.computed_by(trace.scenario) is not step:
            continue  # its numbers are told as those of the step whose array it hands on
        index = any_index(getattr(trace, step.name), number)
        found = derive(trace, step.name, index)
        is_finite = all(np.isfinite(float(each.value)) for each in found.operands)
        assert not is_finite or nearly(found.replayed, found.value)
        for notation in ("text", "latex", "python"):
            assert "nan" not in found.write(notation).replace("equal_nan=True", "")
        if np.isnan(float(found.value)) and found.expression.parts:
            assert "not a number" in found.what_happened()
        for fed in feeds(trace, step.name, index):
            assert isinstance(fed.slope, float)


def told(trace: Trace, step: str, *index: int) -> str:
    return derive(trace, step, index).what_happened(0)


def test_what_happened_is_said_in_words() -> None:
    trace = attend(of_scores([[800, 0, -800], [-800, -800, -900], [709.7, 709.7, 0], [1, 2, 3]]))
    ends = "beyond float64, which ends at 1.8e+308: ∞"
    assert told(trace, "exponentials", 0, 0, 0) == f"exp(800) is {ends}"
    assert told(trace, "exponentials", 0, 0, 1) == ""
    assert told(trace, "exponentials", 0, 0, 2) == "exp(−800) is too small for float64: 0"
    assert told(trace, "row_sums", 0, 0, 0) == "One of the numbers that it is made of is ∞"
    assert told(trace, "row_sums", 0, 2, 0) == f"The result is {ends}"
    assert told(trace, "weights", 0, 0, 0) == "∞ ÷ ∞ is not a number"
    assert told(trace, "weights", 0, 0, 1) == "A number ÷ ∞ is 0"
    assert told(trace, "weights", 0, 1, 0) == "0 ÷ 0 is not a number"
    assert told(trace, "weights", 0, 3, 0) == told(trace, "raw_scores", 0, 0, 1) == ""
    lost = "One of the numbers that it is made of is not a number"
    assert told(trace, "head_outputs", 0, 0, 0) == told(trace, "output", 0, 0) == lost
    assert told(trace, "row_max", 0, 0, 0) == told(trace, "mask", 0, 0) == ""
    assert derive(trace, "row_max", (0, 0, 0)).because == (
        "the softmax is naive: nothing is subtracted"
    )
    assert derive(trace, "weights", (0, 0, 0)).write("text", decimals=0) == (
        "A_1[t1, c1] = E_1[t1, c1] / Z_1[t1] = ∞ / ∞ = NaN"
    )


def test_nothing_reads_the_maximum_that_is_not_subtracted() -> None:
    trace = attend(with_naive_softmax(load_example("pizza")))
    assert list(feeds(trace, "row_max", (0, 0, 0))) == []
    assert "row_max" not in [
        each.cell.step for each in derive(trace, "exponentials", (0, 0, 0)).operands
    ]


def test_the_rest_of_a_long_sum_may_be_infinite() -> None:
    trace = attend(of_scores([[709.0] * 15]))
    found = derive(trace, "row_sums", (0, 0, 0))
    assert found.write("text", decimals=0).endswith("+ ∞ (3 more) = ∞")


@pytest.mark.parametrize(
    "cell",
    [
        Cell("exponentials", 0, 0, 0),
        Cell("row_sums", 0, 0, 0),
        Cell("weights", 0, 0, 0),
        Cell("weights", 0, 0, 1),  # a 0 that was divided by infinity
        Cell("output", None, 0, 0),
    ],
)
def test_what_a_lost_number_moves_with_is_refused(cell: Cell) -> None:
    trace = attend(of_scores([[800, 0], [1, 0]]))
    with pytest.raises(NumberError, match="Take the stable softmax"):
        influence(trace, cell)
    assert influence(trace, replace_row(cell, 1))
    assert influence(trace, Cell("raw_scores", 0, 0, 0))
    stable = attend(with_stable_softmax(trace.scenario))
    assert influence(stable, cell)


def replace_row(cell: Cell, row: int) -> Cell:
    return replace(cell, row=row)
