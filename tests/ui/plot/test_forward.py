"""The forward pass in JavaScript beside the core's: the same arrays, step by step.

Takes long: layers are drawn by chance, and all their arrays go to Node and come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mha_core import Scenario, attend
from mha_core.changing import changes
from mha_core.changing.rules import with_rules
from mha_core.checks.errors import OptionError
from mha_core.examples import EXAMPLES, load_example
from mha_core.layer.trace import STEPS, Trace
from mha_core.options.kinds import Real
from mha_core.options.registry import OPTIONS
from tests.core.strategies import scenario_of_distinct_sizes, scenarios
from tests.draws import draws
from tests.ui.plot.node import answering
from ui.edits.forward_inputs import are_too_many, forward_inputs

RUNNER = Path(__file__).parent / "forward_runner.mjs"
SCRIPT = Path(__file__).parents[3] / "ui" / "plot" / "js" / "numbers" / "forward.js"
# It depends only on the mask, which no dragged number changes.
STEPS_THERE = [step.name for step in STEPS if step.name != "blind_queries"]
SLIDERS = sorted(name for name, option in OPTIONS.items() if option.slider)
CLOSE = 1e-12

Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Ask the JavaScript for its steps: ask(scenario), or ask(scenario, change=[...])."""
    with answering(RUNNER) as node:

        def asked(scenario: Scenario, change: list[Any] | None = None) -> dict[str, Any]:
            question = {"inputs": forward_inputs(scenario), "steps": STEPS_THERE, "change": change}
            answer: dict[str, Any] = node(question)
            return answer

        yield asked


def array_of(made: dict[str, Any]) -> Any:
    """An array that JavaScript made. A text is Infinity, -Infinity or NaN."""
    return np.array(made["data"], np.float64).reshape(made["shape"])


def assert_as_in(trace: Trace, made: dict[str, Any]) -> None:
    for name in STEPS_THERE:
        expected = np.asarray(getattr(trace, name), np.float64)
        actual = array_of(made[name]).reshape(expected.shape)
        seen = np.isfinite(expected)
        assert np.array_equal(actual[~seen], expected[~seen], equal_nan=True), name
        largest = np.abs(expected[seen]).max(initial=1)
        assert np.abs(actual[seen] - expected[seen]).max(initial=0) <= CLOSE * largest, name


@draws(300)
@given(scenario=scenarios(), data=st.data())
def test_every_step_is_the_cores_before_and_after_a_change(
    ask: Ask, scenario: Scenario, data: st.DataObject
) -> None:
    scenario = changes.with_dtype(scenario, "float64")
    name = data.draw(st.sampled_from(sorted(scenario.given())))
    array = getattr(scenario, name).copy()
    place = data.draw(st.integers(0, array.size - 1))
    array.flat[place] = number = data.draw(st.floats(-9, 9))
    row, column = divmod(place, array.shape[-1])
    made = ask(scenario, [name, row, column, number])
    assert_as_in(attend(scenario), made["before"])
    assert_as_in(attend(replace(scenario, **{name: array})), made["after"])
    for step in set(STEPS_THERE) - set(made["moved"]):
        assert made["before"][step] == made["after"][step]


@draws(150)
@given(scenario=scenarios(), data=st.data())
def test_after_another_additive_mask_too(ask: Ask, scenario: Scenario, data: st.DataObject) -> None:
    """Also where there was none."""
    scenario = changes.with_dtype(scenario, "float64")
    added = np.zeros((scenario.n_q, scenario.n_k))
    if scenario.mask.additive is not None:
        added = scenario.mask.additive.copy()
    finite = np.argwhere(np.isfinite(added)).tolist()
    assume(finite)
    row, column = data.draw(st.sampled_from(finite))
    added[row, column] = number = data.draw(st.floats(-9, 9))
    made = ask(scenario, ["mask.additive", row, column, number])
    changed = changes.with_mask(scenario, replace(scenario.mask, additive=added))
    assert_as_in(attend(changed), made["after"])


@draws(150)
@given(scenario=scenarios(), data=st.data())
def test_after_a_stroke_of_the_mask_pen_too(
    ask: Ask, scenario: Scenario, data: st.DataObject
) -> None:
    """Also where it is refused: then nothing changes."""
    scenario = changes.with_dtype(scenario, "float64")
    cell = st.tuples(st.integers(0, scenario.n_q - 1), st.integers(0, scenario.n_k - 1))
    cells = data.draw(st.lists(cell, min_size=1, max_size=6))
    made = ask(scenario, ["stroke", cells])
    try:
        drawn = changes.with_mask_cells_toggled(scenario, cells)
    except OptionError:
        drawn = scenario
    assert_as_in(attend(drawn), made["after"])
    for step in set(STEPS_THERE) - set(made["moved"]):
        assert made["before"][step] == made["after"][step]


@draws(150)
@given(scenario=scenarios(), name=st.sampled_from(SLIDERS), number=st.floats(0.01, 9))
def test_after_another_option_too(ask: Ask, scenario: Scenario, name: str, number: float) -> None:
    scenario, kind = changes.with_dtype(scenario, "float64"), OPTIONS[name].kind
    assert isinstance(kind, Real)
    number = min(max(number, kind.least), kind.most)
    made = ask(scenario, [name, 0, 0, number])
    scores = replace(scenario.scores, **{name: number})
    assert_as_in(attend(replace(scenario, scores=scores)), made["after"])


@pytest.mark.parametrize("example", sorted(EXAMPLES))
def test_the_examples_are_the_cores(ask: Ask, example: str) -> None:
    scenario = load_example(example)
    if not are_too_many(scenario):
        assert_as_in(attend(scenario), ask(scenario)["before"])


@pytest.mark.parametrize("temperature", [0.001, 0.3, 1000])
def test_temperatures_are_the_cores_up_to_the_limits(ask: Ask, temperature: float) -> None:
    # Its scores are sums of whole numbers, so that a low temperature enlarges no rounding.
    warm = changes.with_scores(load_example("two-tokens"), temperature=temperature)
    warm = with_rules(warm, ["causal"])
    assert_as_in(attend(warm), ask(warm)["before"])


LOUD = {
    "saturated": {},
    "pizza": {"scale": 4000.0},
    "causal": {"temperature": 0.001, "scale": 40.0},
    "grouped-query": {"scale": -4000.0},
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("example", LOUD)
def test_it_overflows_where_the_core_does(ask: Ask, example: str, dtype: str) -> None:
    naive = changes.with_scores(load_example(example), softmax="naive", **LOUD[example])
    scenario = changes.with_dtype(naive, dtype)
    trace, made = attend(scenario), ask(scenario)["before"]
    for name in ("exponentials", "row_sums", "weights", "output"):
        expected = getattr(trace, name)
        actual = array_of(made[name]).reshape(expected.shape)
        assert not np.isfinite(expected).all(), name
        np.testing.assert_allclose(actual, expected, rtol=1e-9 if dtype == "float64" else 1e-2)


def test_a_dragged_number_heals_what_had_overflowed(ask: Ask) -> None:
    scenario = changes.with_scores(load_example("saturated"), softmax="naive")
    made = ask(scenario, ["temperature", 0, 0, 5.0])
    assert np.isnan(array_of(made["before"]["weights"])).any()
    assert_as_in(attend(changes.with_scores(scenario, temperature=5.0)), made["after"])


def test_only_what_follows_from_a_change_is_made_anew(ask: Ask) -> None:
    scenario = scenario_of_distinct_sizes()
    moved = {name: ask(scenario, [name, 0, 0, 3.0])["moved"] for name in ("w_o", "b_v", "w_q")}
    assert moved["w_o"] == ["contributions", "output"]
    assert moved["b_v"][:4] == ["v", "v_heads", "v_normed", "head_outputs"]
    assert moved["b_v"][-3:] == ["concat", "contributions", "output"]
    gated = scenario_of_distinct_sizes(w_g=np.ones((11, 6)))
    after = ["gates", "gated_outputs", "heads_centered", "heads_normed", "heads_bent"]
    after += ["concat", "contributions", "output"]
    assert ask(gated, ["w_g", 0, 0, 3.0])["moved"] == ["g", *after]
    assert "k" not in moved["w_q"]
    assert "weights" in moved["w_q"]


def test_it_has_every_step_of_the_core_in_its_order() -> None:
    text = SCRIPT.read_text("utf-8")
    places = [text.index(f"  get {name}() ") for name in STEPS_THERE]
    assert places == sorted(places)


def test_the_precision_of_the_server_is_known() -> None:
    scenario = scenario_of_distinct_sizes()
    assert forward_inputs(scenario)["is_single"] is False
    assert forward_inputs(changes.with_dtype(scenario, "float32"))["is_single"] is True


def test_what_is_too_large_to_be_sent_is_known() -> None:
    assert not are_too_many(load_example("eight-tokens-512"))  # 1 million numbers
    assert are_too_many(load_example("pizza-1024"))  # 4 million
