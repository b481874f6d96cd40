"""The steps of a picture as equations, to be read in the order in which they are computed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from mha_core.layer.steps import Formula, Mark, Step, latex_of_symbol
from mha_core.layer.trace import STEPS
from mha_core.layer.unchanged import without_distances, without_growth
from mha_core.scenario.scenario import Scenario

# To read the formula of one of these, a reader needs the formulas of those before it.
FROM_SCORES_TO_WEIGHTS: Final = (
    "scaled_scores",
    "capped_scores",
    "biased_scores",
    "masked_scores",
    "tempered_scores",
    "weights",
)


class Equation(NamedTuple):
    """One line of the lesson: the title of a step, and what it computes, as LaTeX."""

    title: str
    latex: str


def equations(s: Scenario, shown: Collection[str]) -> tuple[Equation, ...]:
    r"""How the steps that are shown are computed in this scenario, and what they are made of.

    A step that changes nothing has no equation. The step before it has the same array.

    >>> import numpy as np
    >>> I = np.eye(2)
    >>> plain = Scenario(x=I, w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1)
    >>> for equation in equations(plain, ["masked_scores", "weights"]):
    ...     print(*equation, sep=": ")
    Scaled scores: S_i = Q_i K_{i}^\top / \sqrt{d_k}
    Weights: A_i = \mathrm{softmax}(S_i)
    """
    place = {step.name: number for number, step in enumerate(STEPS)}
    last = max((place[name] for name in shown if name in FROM_SCORES_TO_WEIGHTS), default=-1)
    leading = [name for name in FROM_SCORES_TO_WEIGHTS if place[name] <= last]
    wanted = [STEPS[place[name]] for name in (*shown, *leading)]
    computing: set[str] = {step.computed_by(s).name for step in wanted}
    if "biased_scores" in computing:
        computing.add("bias")
    if "scaled_scores" in computing and not without_distances(s):
        computing |= {"relative_scores", "summed_scores"}
    if "scaled_scores" in computing and not without_growth(s):
        computing.add("grown_scores")
    return tuple(equation_of(step, s) for step in STEPS if step.name in computing)


def equation_of(
    step: Step[Any],
    s: Scenario,
    mark: Mark = lambda _, latex: latex,
    instead: Formula | None = None,
) -> Equation:
    """How one step is computed. `mark` and `instead` are those of `Step.formula`."""
    formula = step.formula(s, mark, instead)
    is_a_letter = " " not in step.symbol  # a sum or a product, as Q_i K_i^T, is its own formula
    letter = mark(step.name, latex_of_symbol(step.symbol_in(s)))
    return Equation(step.title, f"{letter} = {formula}" if is_a_letter else formula)
