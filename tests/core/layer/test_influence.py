"""How much one number moves with each number that was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import STEPS, Trace, attend
from mha_core.checks.errors import MhaError, ShapeError
from mha_core.checks.shapes import FloatArray
from mha_core.examples import load_example
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import cell_at, derive
from mha_core.layer.influence import INPUTS, influence, strongest
from mha_core.layer.naming import dims_of, index_of
from mha_core.layer.where import ADDITIVE, array_of
from mha_core.scenario.scenario import Scenario
from tests.core.layer.test_derivation import any_index, traced
from tests.core.strategies import scenarios
from tests.draws import draws

NUMBERS = st.integers(0, 2**31)
STEP_OF_DIFFERENCE = 1e-6
WITH_KINKS = ("row_max", "exponentials", "row_sums")  # where two scores are the largest
NOT_SMOOTH = (*WITH_KINKS, "mask", "blind_queries", "bias")


def cell_of(trace: Trace, name: str, number: int) -> Cell:
    cell = cell_at(trace, name, any_index(np.asarray(array_of(trace, name)), number))
    return derive(trace, name, index_of(cell, dims_of(trace, name))).cell


def given_arrays(trace: Trace) -> list[str]:
    s = trace.scenario
    sources = {"context": s.context, "context_v": s.context_v}  # else keys come from X, values too
    names = [name for name in INPUTS if sources.get(name, s.x) is not None]
    return [name for name in names if array_of(trace, name) is not None]


def by(found: Mapping[str, FloatArray], trace: Trace, name: str) -> FloatArray:
    """The derivatives by one given array; zeros where the cell does not depend on it."""
    return np.asarray(found.get(name, np.zeros(np.shape(array_of(trace, name)))))


@given(scenario=scenarios(), number=NUMBERS)
def test_it_is_that_of_the_operands_each_times_its_slope(scenario: Scenario, number: int) -> None:
    """The chain rule. Other tests compare the slopes with finite differences."""
    trace = traced(scenario)
    rounding = 1e-9 if scenario.dtype == np.float64 else 1e-3
    influence_of = cache(partial(influence, trace))  # many steps read the same cells
    # Steps that change nothing have the cell of another.
    for cell in dict.fromkeys(cell_of(trace, step.name, number) for step in STEPS):
        found = derive(trace, cell.step, index_of(cell, dims_of(trace, cell.step)))
        operands = [each.cell for each in found.operands if each.cell.step != "mask"]
        if not operands or cell.step == "mask":
            continue
        its = influence_of(cell)
        parts = [(float(found.expression.slope(e)), influence_of(e)) for e in operands]
        for name in given_arrays(trace):
            chained = sum(slope * by(part, trace, name) for slope, part in parts)
            own = by(its, trace, name)
            size = max(1.0, float(np.abs(chained).max()), float(np.abs(own).max()))
            np.testing.assert_allclose(own, chained, atol=rounding * size, rtol=0)


@given(scenario=scenarios(), number=NUMBERS, choice=NUMBERS)
def test_it_is_that_of_finite_differences(scenario: Scenario, number: int, choice: int) -> None:
    assume(scenario.dtype == np.float64)
    trace = traced(scenario)
    names = [name for name in given_arrays(trace) if name != ADDITIVE]
    name = names[choice % len(names)]
    array = array_of(trace, name)
    index = any_index(array, choice)
    further, back = (
        again(scenario, name, index, way) for way in (STEP_OF_DIFFERENCE, -STEP_OF_DIFFERENCE)
    )
    for cell in dict.fromkeys(cell_of(trace, step.name, number) for step in STEPS):
        if cell.step in (*NOT_SMOOTH, *INPUTS):
            continue
        place = index_of(cell, dims_of(trace, cell.step))
        ends = [float(getattr(each, cell.step)[place]) for each in (further, back)]
        if not np.isfinite(ends).all():
            continue
        slope = float(by(influence(trace, cell), trace, name)[index])
        expected = (ends[0] - ends[1]) / (2 * STEP_OF_DIFFERENCE)
        size = max(1.0, abs(slope), abs(ends[0]))
        assert abs(slope - expected) <= 1e-3 * size


def again(scenario: Scenario, name: str, index: tuple[int, ...], way: float) -> Trace:
    """The forward pass with one number moved, step by step."""
    moved = array_of(attend(scenario), name).copy()
    moved[index] += way
    try:
        trace = attend(replace(scenario, **{name: moved}))
        assert trace.raw_scores is not None
        assert trace.output is not None
    except MhaError:
        assume(False)
    return trace


def test_an_output_moves_most_with_the_tokens_it_looks_at() -> None:
    trace = attend(load_example("pizza"))
    slopes = influence(trace, Cell("output", None, 0, 0))["x"]
    assert np.abs(slopes[0]).max() > 0
    assert not slopes[1:].any()  # under the causal mask the first token sees itself alone


@draws(5)
@given(st.sampled_from(["mask", "blind_queries", "positions"]))
def test_what_depends_on_no_given_number_moves_with_none(name: str) -> None:
    trace = attend(load_example("pizza"))
    assert influence(trace, cell_at(trace, name, (0,) * getattr(trace, name).ndim)) == {}


@pytest.mark.parametrize(
    "cell", [Cell("output", None, 9, 0), Cell("weights", 5, 0, 0), Cell("nothing", None, 0, 0)]
)
def test_a_cell_that_is_not_there_is_refused(cell: Cell) -> None:
    with pytest.raises(ShapeError):
        influence(attend(load_example("pizza")), cell)


def test_the_strongest_is_the_largest_of_x_and_of_the_second_sequence() -> None:
    slopes = {
        "x": np.array([[0.5, -2.0]]),
        "context": np.array([[0.0, 1.0], [3.0, 0.0]]),
        "w_q": np.array([[9.0]]),
    }
    assert strongest(slopes) == (Cell("context", None, 1, 0), 3.0)
    assert strongest({"x": slopes["x"]}) == (Cell("x", None, 0, 1), -2.0)
    assert strongest({"x": np.zeros((2, 2)), "w_q": slopes["w_q"]}) is None
    assert strongest({}) is None


def test_only_those_that_are_asked_for_are_given() -> None:
    trace = attend(load_example("pizza"))
    for cell in (Cell("output", None, 3, 2), Cell("contributions", 1, 3, 2)):
        every = influence(trace, cell)
        assert set(every) == {"x", "w_q", "w_k", "w_v", "w_o"}
        for name, slopes in every.items():
            (only,) = influence(trace, cell, of=(name,)).items()
            assert only[0] == name
            np.testing.assert_array_equal(only[1], slopes)


def test_distances_of_alibi_are_no_given_numbers() -> None:
    pizza = load_example("pizza")
    trace = attend(replace(pizza, scores=replace(pizza.scores, positions="alibi")))
    assert set(influence(trace, Cell("weights", 0, 3, 1))) == {"x", "w_q", "w_k"}
