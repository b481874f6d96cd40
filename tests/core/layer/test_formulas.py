"""A formula is true of its scenario: it names what is there, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core.layer.trace import STEPS, Trace
from mha_core.options.temperature import OF_BASE_2
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.norms import norm_of, norms_of
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenario_of_distinct_sizes, scenarios, self_attention

PLAIN = self_attention(n=3, d_model=4, n_heads=2)
BIAS = np.ones(4)


def formula(step: str, s: Scenario) -> str:
    made: str = getattr(Trace, step).formula(s)
    return made


def options(**changes: Any) -> Scenario:
    return replace(PLAIN, scores=ScoreOptions(**changes))


ROPE = options(positions="rope")
SINUSOIDS = options(positions="sinusoidal")
SECOND = replace(PLAIN, context=np.ones((5, 4)))
SECOND_WITH_SINUSOIDS = replace(SECOND, scores=ScoreOptions(positions="sinusoidal"))
ADDED = replace(PLAIN, mask=Mask(additive=np.full((3, 3), 0.5)))
HIDING = replace(PLAIN, mask=Mask(additive=np.triu(np.full((3, 3), -np.inf), 1)))
TEMPERED = ScoreOptions(temperature=0.5)
ALIBI = options(positions="alibi")
CAUSAL = replace(PLAIN, mask=Mask((Rule("causal"),)))
GROUPED = scenario_of_distinct_sizes()


@pytest.mark.parametrize(
    ("step", "scenario", "latex"),
    [
        ("x", PLAIN, "X"),
        ("x_positioned", PLAIN, "X"),
        ("x_positioned", SINUSOIDS, "X + P"),
        ("context", PLAIN, "X"),
        ("context", SECOND, "C"),
        ("context_positioned", PLAIN, "X"),
        ("context_positioned", SINUSOIDS, "X + P"),
        ("context_positioned", SECOND, "C"),
        ("context_positioned", SECOND_WITH_SINUSOIDS, "C + P_C"),
        ("q", PLAIN, "X W_Q"),
        ("q", SINUSOIDS, "(X + P) W_Q"),
        ("q", replace(PLAIN, b_q=BIAS), "X W_Q + b_Q"),
        ("k", PLAIN, "X W_K"),
        ("k", SECOND, "C W_K"),
        ("k", SECOND_WITH_SINUSOIDS, "(C + P_C) W_K"),
        ("k", replace(SECOND, b_k=BIAS), "C W_K + b_K"),
        ("v", PLAIN, "X W_V"),
        ("v", replace(SECOND, b_v=BIAS), "C W_V + b_V"),
        ("q_rotated", PLAIN, "Q_i"),
        ("q_rotated", ROPE, "R_p Q_i"),
        ("k_rotated", PLAIN, "K_i"),
        ("k_rotated", ROPE, "R_p K_i"),
        ("raw_scores", PLAIN, r"Q_i K_{i}^\top"),
        ("raw_scores", ROPE, r"Q_i' K_{i}'^\top"),
        ("raw_scores", GROUPED, r"Q_i K_{\lceil i / 2 \rceil}^\top"),
        ("scaled_scores", PLAIN, r"Q_i K_{i}^\top / \sqrt{d_k}"),
        ("scaled_scores", options(scale="none"), r"Q_i K_{i}^\top"),
        ("scaled_scores", options(scale=0.25), r"0.25 \cdot Q_i K_{i}^\top"),
        ("scaled_scores", options(scale=3), r"3 \cdot Q_i K_{i}^\top"),
        ("scaled_scores", options(scale=1e-7), r"1 \cdot 10^{-7} \cdot Q_i K_{i}^\top"),
        ("capped_scores", PLAIN, "S_i"),
        ("capped_scores", options(softcap=30.0), r"30 \cdot \tanh(S_i / 30)"),
        ("bias", PLAIN, "0"),
        ("bias", HIDING, "0"),
        ("bias", ALIBI, "-a_i |p_q - p_k|"),
        ("bias", ADDED, r"M_{\mathrm{add}}"),
        ("biased_scores", PLAIN, "S_i"),
        ("biased_scores", ALIBI, "S_i + B_i"),
        ("biased_scores", ADDED, "S_i + B_i"),
        ("biased_scores", options(softcap=2.0), r"\mathrm{cap}(S_i)"),
        ("masked_scores", PLAIN, "S_i"),
        ("masked_scores", ADDED, "S_i + B_i"),
        ("masked_scores", CAUSAL, r"S_i \text{ where } M, \text{ else } {-\infty}"),
        ("tempered_scores", PLAIN, "S_i"),
        ("tempered_scores", CAUSAL, "S_i^M"),
        ("tempered_scores", options(temperature=0.5), "S_i / 0.5"),
        ("tempered_scores", options(temperature=OF_BASE_2), r"S_i \ln 2"),
        ("tempered_scores", replace(CAUSAL, scores=TEMPERED), "S_i^M / 0.5"),
        ("tempered_scores", replace(ADDED, scores=TEMPERED), "(S_i + B_i) / 0.5"),
        ("tempered_scores", options(temperature=2, softcap=3.0), r"\mathrm{cap}(S_i) / 2"),
        ("row_max", PLAIN, r"\max_k (S_i)_{qk}"),
        ("row_max", CAUSAL, r"\max_k (S_i^M)_{qk}"),
        ("row_max", options(temperature=0.5), r"\max_k (S_i')_{qk}"),
        ("exponentials", options(temperature=0.5), "e^{S_i' - m_i}"),
        ("exponentials", ADDED, "e^{S_i + B_i - m_i}"),
        ("row_max", options(softmax="naive"), "0"),
        ("exponentials", options(softmax="naive"), "e^{S_i}"),
        ("exponentials", options(softmax="naive", temperature=0.5), "e^{S_i'}"),
        ("weights", options(softmax="naive"), r"\frac{e^{S_i}}{\sum_k e^{S_i}}"),
        ("weights", PLAIN, r"\mathrm{softmax}(S_i)"),
        ("weights", options(temperature=0.5), r"\mathrm{softmax}(S_i')"),
        ("weights", HIDING, r"\mathrm{softmax}(S_i^M)"),
        ("head_outputs", PLAIN, "A_i V_{i}"),
        ("head_outputs", replace(GROUPED, n_kv_heads=3), r"A_i V_{\lceil i / 2 \rceil}"),
        (
            "head_outputs",
            replace(PLAIN, heads_off=frozenset({1})),
            r"A_i V_{i}, \text{ but } 0 \text{ for } i \in \{2\}",
        ),
        ("output", PLAIN, r"\mathrm{concat} \, W_O"),
        ("output", replace(PLAIN, b_o=BIAS), r"\mathrm{concat} \, W_O + b_O"),
    ],
)
def test_a_formula_says_how_the_array_is_made_in_this_scenario(
    step: str, scenario: Scenario, latex: str
) -> None:
    assert formula(step, scenario) == latex


def test_one_key_value_head_serves_every_head() -> None:
    shared = replace(PLAIN, n_kv_heads=1, w_k=np.ones((4, 2)), w_v=np.ones((4, 2)))
    assert formula("raw_scores", shared) == r"Q_i K_{1}^\top"
    assert formula("head_outputs", shared) == "A_i V_{1}"


@given(scenarios())
def test_all_formulas_together_name_exactly_what_is_there(s: Scenario) -> None:
    written = " ; ".join(f" {step.formula(s)} " for step in STEPS)
    added = s.mask.added()
    adds = added is not None and bool(added.any())
    has_sinusoids = s.scores.positions == "sinusoidal"
    of_gate = "" if s.w_g is None else s.scores.gate_function
    parts = {
        "+ P": has_sinusoids,
        "R_p": s.scores.positions == "rope",
        "a_i": s.scores.positions == "alibi",
        r"\sqrt{d_k}": s.scores.scale == "1/sqrt(d_k)",
        r"\tanh": s.scores.softcap is not None or "tanh" in (of_gate, s.scores.concat_function),
        "+ B_i": s.scores.positions == "alibi" or adds or s.b_s is not None,
        "b_{S,i}": s.b_s is not None,
        r"\mathrm{sink}_i": s.sinks is not None,
        r"\sqrt{\mathrm{mean}": any(norm_of(s, of).is_divided for of in norms_of(s.scores)),
        "S_i^M": not s.mask.hides_nothing,
        "S_i'": s.scores.temperature != 1,
        "- m_i": s.scores.softmax == "stable",
        r"\mathrm{softmax}": s.scores.softmax == "stable",
        " C ": s.context is not None,
        "X W_K": s.context is None and not has_sinusoids,
    }
    parts |= {f"+ b_{name}": getattr(s, f"b_{name.lower()}") is not None for name in "QKVO"}
    assert {part: part in written for part in parts} == parts


@given(scenarios())
def test_a_step_whose_formula_is_that_of_the_step_before_hands_its_array_on(s: Scenario) -> None:
    trace = Trace(s)
    before = {
        "x_positioned": ("X", "x"),
        "q_rotated": ("Q_i", "q_heads"),
        "k_rotated": ("K_i", "k_heads"),
        "capped_scores": ("S_i", "scaled_scores"),
        "tempered_scores": ("S_i", "scaled_scores"),
    }
    for name, (symbol, source) in before.items():
        if formula(name, s) == symbol:
            assert np.array_equal(getattr(trace, name), getattr(trace, source))
