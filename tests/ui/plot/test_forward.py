"""The forward pass in JavaScript beside the core's: the same arrays, step by step.

Takes long: layers are drawn by chance, and all their arrays go to Node and come back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, attend
from mha_core.changing import changes
from mha_core.changing.rules import with_rules
from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from mha_core.layer.trace import STEPS, Trace
from mha_core.options.kinds import Real
from mha_core.options.registry import OPTIONS
from tests.core.strategies import SEEDS, scenario_of_distinct_sizes, scenarios
from tests.draws import draws
from tests.ui.plot.node import answering
from ui.edits.forward_inputs import are_too_many, forward_inputs

RUNNER = Path(__file__).parent / "forward_runner.mjs"
SCRIPT = Path(__file__).parents[3] / "ui" / "plot" / "js" / "numbers" / "forward.js"
# It depends only on the mask, which no dragged number changes.
STEPS_THERE = [step.name for step in STEPS if step.name != "blind_queries"]
SLIDERS = sorted(name for name, option in OPTIONS.items() if option.slider)
CLOSE = 1e-12

Arrays = dict[str, Any]


class Made(NamedTuple):
    """What JavaScript makes of a layer, and after each change: its arrays, and which have moved."""

    before: Arrays
    changed: list[tuple[Arrays, list[str]]]


Ask = Callable[..., Made]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """Ask the JavaScript for its steps: ask(scenario), or ask(scenario, change, another)."""
    with answering(RUNNER) as node:

        def asked(scenario: Scenario, *changes: list[Any]) -> Made:
            told = {"inputs": forward_inputs(scenario), "steps": STEPS_THERE, "changes": changes}
            return Made(**node(told))

        yield asked


def array_of(made: dict[str, Any]) -> Any:
    """An array that JavaScript made. A text is Infinity, -Infinity or NaN."""
    return np.array(made["data"], np.float64).reshape(made["shape"])


def assert_as_in(trace: Trace, made: Arrays) -> None:
    for name in STEPS_THERE:
        expected = np.asarray(getattr(trace, name), np.float64)
        actual = array_of(made[name]).reshape(expected.shape)
        seen = np.isfinite(expected)
        assert np.array_equal(actual[~seen], expected[~seen], equal_nan=True), name
        largest = np.abs(expected[seen]).max(initial=1)
        assert np.abs(actual[seen] - expected[seen]).max(initial=0) <= CLOSE * largest, name


Change = tuple[list[Any], Scenario]  # as JavaScript is told, and what becomes of the layer


def another_number(scenario: Scenario, rng: np.random.Generator) -> Change:
    name = rng.choice(sorted(scenario.given()))
    array = getattr(scenario, name).copy()
    place = rng.integers(array.size)
    array.flat[place] = number = any_number(rng)
    row, column = divmod(int(place), array.shape[-1])
    return [name, row, column, number], replace(scenario, **{name: array})


def another_additive_mask(scenario: Scenario, rng: np.random.Generator) -> Change:
    """Also where there was none. What is minus infinity stays."""
    given = scenario.mask.additive
    added = np.zeros((scenario.n_q, scenario.n_k)) if given is None else given.copy()
    if not (finite := np.argwhere(np.isfinite(added)).tolist()):
        return another_number(scenario, rng)
    row, column = rng.choice(finite).tolist()
    added[row, column] = number = any_number(rng)
    drawn = changes.with_mask(scenario, replace(scenario.mask, additive=added))
    return ["mask.additive", row, column, number], drawn


def a_stroke_of_the_mask_pen(scenario: Scenario, rng: np.random.Generator) -> Change:
    """Also where it is refused: then nothing changes."""
    count, sizes = rng.integers(1, 12), (scenario.n_q, scenario.n_k)
    cells = [(int(row), int(column)) for row, column in rng.integers(sizes, size=(count, 2))]
    try:
        return ["stroke", cells], changes.with_mask_cells_toggled(scenario, cells)
    except OptionError:
        return ["stroke", cells], scenario


def another_option(scenario: Scenario, rng: np.random.Generator) -> Change:
    name = rng.choice(SLIDERS)
    kind = OPTIONS[name].kind
    assert isinstance(kind, Real)
    drawn = rng.choice([0.01, rng.uniform(0.01, 9), 9])
    number = float(min(max(drawn, kind.least), kind.most))
    scores = replace(scenario.scores, **{name: number})
    return [name, 0, 0, number], replace(scenario, scores=scores)


def any_number(rng: np.random.Generator) -> float:
    return float(rng.choice([0, rng.integers(-9, 10), rng.uniform(-9, 9)]))


CHANGES = (another_number, another_additive_mask, a_stroke_of_the_mask_pen, another_option)


@draws(200)
@given(scenario=scenarios(), seed=SEEDS)
def test_every_step_is_the_cores_before_and_after_each_kind_of_change(
    ask: Ask, scenario: Scenario, seed: int
) -> None:
    scenario = changes.with_dtype(scenario, "float64")
    rng = np.random.default_rng(seed)
    made = [change(scenario, rng) for change in CHANGES]
    before, changed = ask(scenario, *(told for told, _ in made))
    assert_as_in(attend(scenario), before)
    for (_, then), (after, moved) in zip(made, changed, strict=True):
        assert_as_in(attend(then), after)
        assert all(before[step] == after[step] for step in set(STEPS_THERE) - set(moved))


@pytest.mark.parametrize("example", ["long", "trained", "grouped-query", "translation"])
def test_larger_layers_are_the_cores(ask: Ask, example: str) -> None:
    scenario = load_example(example)
    assert_as_in(attend(scenario), ask(scenario).before)


@pytest.mark.parametrize("temperature", [0.001, 0.3, 1000])
def test_temperatures_are_the_cores_up_to_the_limits(ask: Ask, temperature: float) -> None:
    # Its scores are sums of whole numbers, so that a low temperature enlarges no rounding.
    warm = changes.with_scores(load_example("two-tokens"), temperature=temperature)
    warm = with_rules(warm, ["causal"])
    assert_as_in(attend(warm), ask(warm).before)


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
    trace, made = attend(scenario), ask(scenario).before
    for name in ("exponentials", "row_sums", "weights", "output"):
        expected = getattr(trace, name)
        actual = array_of(made[name]).reshape(expected.shape)
        assert not np.isfinite(expected).all(), name
        np.testing.assert_allclose(actual, expected, rtol=1e-9 if dtype == "float64" else 1e-2)


def test_a_dragged_number_heals_what_had_overflowed(ask: Ask) -> None:
    scenario = changes.with_scores(load_example("saturated"), softmax="naive")
    before, ((after, _),) = ask(scenario, ["temperature", 0, 0, 5.0])
    assert np.isnan(array_of(before["weights"])).any()
    assert_as_in(attend(changes.with_scores(scenario, temperature=5.0)), after)


def test_only_what_follows_from_a_change_is_made_anew(ask: Ask) -> None:
    dragged = ("w_o", "b_v", "w_q")
    _, changed = ask(scenario_of_distinct_sizes(), *([name, 0, 0, 3.0] for name in dragged))
    of_w_o, of_b_v, of_w_q = (moved for _, moved in changed)
    assert of_w_o == ["contributions", "output"]
    assert of_b_v[:4] == ["v", "v_heads", "v_normed", "head_outputs"]
    assert of_b_v[-3:] == ["concat", "contributions", "output"]
    assert "k" not in of_w_q
    assert "weights" in of_w_q
    gated = scenario_of_distinct_sizes(w_g=np.ones((11, 6)))
    _, ((_, of_w_g),) = ask(gated, ["w_g", 0, 0, 3.0])
    after = ["gates", "gated_outputs", "heads_centered", "heads_normed", "heads_bent"]
    assert of_w_g == ["g", *after, "concat", "contributions", "output"]


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
