"""Every field of the trace against our own nested loops, over sizes, options and masks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.layer import cache_blocks
from mha_core.layer.trace import STEPS
from mha_core.mask_rules.registry import MASKS
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.compare import TOLERANCE, fields_that_differ, largest_difference
from tests.core.oracle import forward
from tests.core.strategies import scenario_of_distinct_sizes, scenarios

# Each mask on 5 queries and 7 keys, with a blind query here and there.
RULES = [
    Rule("causal"),
    Rule("causal", {"align": "start"}),
    Rule("padding", {"hidden": [0, 5]}),
    Rule("sliding_window", {"left": 1, "right": 2}),
    Rule("sliding_window", {"left": 2, "align": "start"}),
    Rule("prefix_lm", {"prefix": 4}),
    Rule("prefix_lm", {"prefix": 1, "align": "start"}),
    Rule("documents", {"segments": [1, 1, 2, 2, 2, 3, 3], "query_segments": [1, 2, 2, 3, 4]}),
    Rule("global_local", {"global_tokens": [3, 6], "left": 1}),
    Rule("global_local", {"global_tokens": [0], "left": 0, "right": 1, "align": "start"}),
    Rule("strided", {"stride": 3}),
    Rule("strided", {"stride": 2, "align": "start"}),
    Rule("dilated", {"step": 2}),
    Rule("dilated", {"step": 3, "align": "start"}),
]
SCORES = [
    ScoreOptions(scale="none"),
    ScoreOptions(scale=-1.5),
    ScoreOptions(softcap=0.75),
    ScoreOptions(temperature=0.25),
    ScoreOptions(temperature=7),
    ScoreOptions(positions="sinusoidal", query_start=2),
    ScoreOptions(positions="rope", query_start=2),
    ScoreOptions(positions="alibi", query_start=2),
]


def as_text(value: object) -> str:
    return repr(value).removeprefix("Rule").removeprefix("ScoreOptions")


def test_the_oracle_knows_every_field_and_no_other() -> None:
    assert list(forward(scenario_of_distinct_sizes())) == [step.name for step in STEPS]


def test_every_mask_is_tried() -> None:
    assert {rule.name for rule in RULES} == set(MASKS)


@given(scenario=scenarios())
def test_every_field_is_what_the_nested_loops_say(scenario: Scenario) -> None:
    assert fields_that_differ(attend(scenario), forward(scenario)) == {}


@given(scenario=scenarios(), block_bytes=st.sampled_from([8, 100, cache_blocks.BLOCK_BYTES]))
def test_weights_and_output_asked_for_alone_are_what_the_nested_loops_say_however_cut(
    scenario: Scenario, block_bytes: int
) -> None:
    expected = forward(scenario)
    tolerance = TOLERANCE[scenario.dtype.name]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_blocks, "BLOCK_BYTES", block_bytes)
        trace = attend(scenario)
        assert largest_difference(trace.output, expected["output"]) <= tolerance
        assert largest_difference(trace.weights, expected["weights"]) <= tolerance


@pytest.mark.parametrize("rule", RULES, ids=as_text)
def test_each_mask_in_distinct_sizes(rule: Rule) -> None:
    scenario = scenario_of_distinct_sizes(mask=Mask((rule,)))
    assert fields_that_differ(attend(scenario), forward(scenario)) == {}


@pytest.mark.parametrize("scores", SCORES, ids=as_text)
def test_each_score_option_in_distinct_sizes(scores: ScoreOptions) -> None:
    scenario = scenario_of_distinct_sizes(scores=scores)
    assert fields_that_differ(attend(scenario), forward(scenario)) == {}
