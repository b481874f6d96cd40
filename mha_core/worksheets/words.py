"""What a sheet says: its title, the instruction and the formula of each step, and its notes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from mha_core.language import say, say_number
from mha_core.layer.steps import latex_of_symbol
from mha_core.layer.trace import Trace
from mha_core.options.scale import BY_ROOT_D_K
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.scenario import Scenario
from mha_core.worksheets.exercise import Base, Exercise

PROJECTIONS: Final = {"q_heads": "w_q", "k_heads": "w_k", "v_heads": "w_v"}
WITH_BASE_2: Final = say("A fraction, as 2/3, or two decimals are both right.")
WITH_BASE_E: Final = say(
    "Round each weight to 2 decimals, and go on with the rounded weights. "
    "Weights count as right within 0.01, and what follows within 0.05: so "
    "a calculator does no harm."
)


def title_of(exercise: Exercise) -> str:
    """The title of a sheet.

    >>> title_of(Exercise())
    'Attention by hand: 3 tokens, 2 heads'
    """
    return say_number(
        "Attention by hand: {tokens} tokens, {count} head",
        "Attention by hand: {tokens} tokens, {count} heads",
        exercise.n_heads,
    ).format(tokens=exercise.n_tokens, count=exercise.n_heads)


def notes_of(exercise: Exercise) -> tuple[str, ...]:
    """What a person has to know before the first step."""
    last = f"t{exercise.n_tokens}"
    masks = {
        "none": say("There is no mask: each token sees all tokens."),
        "causal": say("The mask is causal: a token sees itself and the tokens before it."),
        "padding": say("The mask hides {token}, which only fills up: no token sees it.").format(
            token=last
        ),
    }
    base = (
        say("The softmax has base 2 here, not e: 2 to the power of each score.")
        if exercise.base == "2"
        else say("Use the table for eˢ.")
    )
    how = WITH_BASE_2 if exercise.base == "2" else WITH_BASE_E
    return (_of_scale(exercise), masks[exercise.mask], base, how)


def instruction_of(exercise: Exercise, step: str, points: int) -> str:
    """What to do in a step, and what each number is worth."""
    each = say_number("{count} point each.", "{count} points each.", points).format(count=points)
    return f"{_INSTRUCTIONS[step](exercise)} {each}"


def formula_of(exercise: Exercise, scenario: Scenario, step: str, head: int | None) -> str:
    r"""The equation of a matrix as LaTeX, with the number of its head.

    >>> from mha_core.worksheets.kind_numbers import kind_scenario
    >>> exercise = Exercise(base="2", mask="none")
    >>> print(formula_of(exercise, kind_scenario(exercise), "weights", 0))
    A_1 = 2^{S_1} / \sum_k 2^{S_1}
    """
    found = getattr(Trace, step)
    raw = Trace.raw_scores.formula(scenario)

    def symbol_of(name: str, latex: str) -> str:
        # Where scaling changes nothing, the sheet has no scaled scores.
        return raw if name == "scaled_scores" and exercise.factor == 1 else latex

    if step in PROJECTIONS:
        right = f"X {GIVEN[PROJECTIONS[step]].symbol[:-1]}{{{step[0].upper()},i}}"
    elif step == "scaled_scores" and exercise.scale == "1/2":
        right = f"{raw} / 2"
    elif step == "weights":
        right = found.formula(scenario, symbol_of, partial(_softmax, exercise.base))
    else:
        right = found.formula(scenario, symbol_of)
    equation = right if found.is_product else f"{latex_of_symbol(found.symbol)} = {right}"
    if head is None:
        return equation
    return re.sub(r"(?<=[_,{])i\b", str(head + 1), equation)


def _softmax(base: Base, _: Scenario, symbol: Callable[[str], str]) -> str:
    power = f"{base}^{{{symbol('masked_scores')}}}"
    return rf"{power} / \sum_k {power}"


def _of_scale(exercise: Exercise) -> str:
    """How the scores are scaled; if a layer would divide by another number, why not here.

    >>> _of_scale(Exercise())
    'The scores are halved, so that they stay whole. A layer divides them by √d_k = √2.'
    """
    root, whole = f"√d_k = √{exercise.d_k}", _WHOLE_ROOTS.get(exercise.d_k)
    divisor = f"{root} = {whole}" if whole else root
    if exercise.scale == BY_ROOT_D_K or (exercise.scale == "1/2" and whole == 2):
        return say("The scores are divided by {divisor}.").format(divisor=divisor)
    usual = say("A layer divides them by {divisor}.").format(divisor=divisor)
    if exercise.scale == "none":
        here = say("The scores are not scaled here.")
    elif whole:
        here = say("The scores are halved, so that there is something to divide.")
    else:
        here = say("The scores are halved, so that they stay whole.")
    return f"{here} {usual}"


def _weighed(exercise: Exercise) -> str:
    if exercise.base == "e":
        return say(
            "In each row, subtract the largest score, take powers from the table, "
            "divide by their sum."
        )
    return say("In each row, subtract the largest score, take powers, divide by their sum.")


_WHOLE_ROOTS: Final = {1: 1, 4: 2}  # of the widths that a head may have
_INSTRUCTIONS: Final[dict[str, Callable[[Exercise], str]]] = {
    **dict.fromkeys(
        PROJECTIONS, lambda _: say("Multiply X by the projection of the head: rows by columns.")
    ),
    "raw_scores": lambda _: say(
        "Multiply each query with each key: number by number, then add up."
    ),
    "scaled_scores": lambda _: say("Divide each score by 2."),  # 1/2 and 1/sqrt(4) are the same
    "masked_scores": lambda _: say("Write −∞ where the mask hides a key; copy the other scores."),
    "weights": _weighed,
    "head_outputs": lambda _: say("Multiply the weights by V of the head."),
    "concat": lambda _: say("Write the outputs of the heads side by side."),
    "output": lambda _: say("Multiply by W_O."),
}
