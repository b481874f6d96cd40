"""LaTeX as MathML."""

from __future__ import annotations

import pytest
from hypothesis import given
from latex2mathml.converter import convert

from mha_core import STEPS, Scenario, attend
from mha_core.examples import load_example
from mha_core.layer.derivation import derive
from mha_core.layer.equations import equations
from tests.core.strategies import scenarios
from ui import mathml as module
from ui.mathml import mathml

ALL = [step.name for step in STEPS]


def check_formulas_of(scenario: Scenario) -> None:
    """With numbers in, they are what the converter makes of them as a whole."""
    for equation in equations(scenario, ALL):
        assert mathml(equation.latex) == convert(equation.latex)
    derived = derive(attend(scenario), "output", (0, 0))
    for side in derived.sides("latex", decimals=3):
        assert mathml(side, "block") == convert(side, display="block")


@given(scenarios())
def test_formulas_of_any_scenario(scenario: Scenario) -> None:
    check_formulas_of(scenario)


def test_formulas_of_a_large_layer() -> None:
    check_formulas_of(load_example("long"))


@pytest.mark.parametrize(
    "latex",
    ["0.000000000001 + 1.5", r"\text{v1.5} = -0.25", "1,234.5", r"2.5^{-0.5}", "1.5e-05", "3 + 4"],
)
def test_any_numbers_come_back_as_they_were(latex: str) -> None:
    assert mathml(latex) == convert(latex)


def test_a_formula_with_another_number_is_not_converted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mathml(r"Q_i K_i^\top \cdot 0.125")

    def refuse(latex: str, display: str) -> str:
        raise AssertionError(latex)

    monkeypatch.setattr(module, "convert", refuse)
    assert "<mn>0.0625</mn>" in mathml(r"Q_i K_i^\top \cdot 0.0625")
