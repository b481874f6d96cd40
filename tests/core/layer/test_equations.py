"""The equations below a picture: what is shown, and what is needed to read it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mha_core.layer.equations import equations
from mha_core.layer.trace import STEPS, Trace
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenarios, self_attention

PLAIN = self_attention(n=3, d_model=4, n_heads=2)
CAUSAL = replace(PLAIN, mask=Mask((Rule("causal"),)))
EVERYTHING = replace(
    CAUSAL,
    scores=ScoreOptions(positions="alibi", softcap=5.0, temperature=0.5),
    mask=replace(CAUSAL.mask, additive=np.ones((3, 3))),
)


def titles(s: Scenario, *shown: str) -> list[str]:
    return [equation.title for equation in equations(s, shown)]


@pytest.mark.parametrize(
    ("s", "shown", "said"),
    [
        (PLAIN, ["weights"], ["Scaled scores", "Weights"]),
        (PLAIN, ["raw_scores"], ["Raw scores"]),
        (PLAIN, ["masked_scores"], ["Scaled scores"]),
        (CAUSAL, ["scaled_scores"], ["Scaled scores"]),
        (CAUSAL, ["masked_scores"], ["Scaled scores", "Masked scores"]),
        (
            CAUSAL,
            ["row_sums", "weights"],
            ["Scaled scores", "Masked scores", "Row sums", "Weights"],
        ),
        (
            EVERYTHING,
            ["weights"],
            [
                *("Scaled scores", "Capped scores", "Additions"),
                *("Scores with additions", "Masked scores", "Scores / T", "Weights"),
            ],
        ),
        (PLAIN, ["q_rotated", "output"], ["Queries by head", "Output"]),
        (PLAIN, [], []),
    ],
)
def test_a_step_comes_with_those_that_its_formula_names(
    s: Scenario, shown: list[str], said: list[str]
) -> None:
    assert titles(s, *shown) == said


def test_the_division_by_the_temperature_is_said_where_weights_are_shown_and_nowhere_else() -> None:
    warm = replace(CAUSAL, scores=ScoreOptions(temperature=0.5))
    assert equations(warm, ["weights"])[-2:] == (
        ("Scores / T", "S_i' = S_i^M / 0.5"),
        ("Weights", r"A_i = \mathrm{softmax}(S_i')"),
    )
    assert titles(warm, "masked_scores") == ["Scaled scores", "Masked scores"]
    assert "Scores / T" not in titles(CAUSAL, "tempered_scores", "weights")


def test_a_sum_or_a_product_is_its_own_formula() -> None:
    (raw,) = equations(PLAIN, ["raw_scores"])
    assert raw.latex == r"Q_i K_{i}^\top"
    assert equations(PLAIN, ["concat"])[0].latex.startswith(r"\mathrm{concat} = ")


@given(scenarios())
def test_every_step_that_computes_something_is_said_once_in_order(s: Scenario) -> None:
    said = titles(s, *(step.name for step in STEPS))
    assert said == [step.title for step in STEPS if step.computed_by(s) is step]


@given(scenarios())
def test_a_step_that_computes_nothing_hands_on_the_array_of_the_one_that_does(s: Scenario) -> None:
    trace = Trace(s)
    for step in STEPS:
        source = step.computed_by(s)
        assert source.computed_by(s) is source
        if source is not step:
            assert getattr(trace, step.name) is getattr(trace, source.name)
