"""The walkthrough: one operation of the forward pass a screen, in the order of the computation.

A screen says what goes in, what comes out and why. If it has nothing to do in a scenario, it is
left out, and the page says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from mha_core.language import say
from mha_core.layer import formulas
from mha_core.layer.equations import Equation, equation_of
from mha_core.layer.steps import Formula, Mark, Step
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import (
    gates_are_shares,
    without,
    without_additions,
    without_centering,
    without_centering_of_concat,
    without_concat_function,
    without_distances,
    without_division,
    without_gains_alone,
    without_gate,
    without_gate_of_additions,
    without_growth,
    without_mask,
    without_norm_of,
    without_norm_of_concat,
    without_norm_of_values,
    without_own_values,
    without_rotation_first,
    without_rotation_last,
    without_row_max,
    without_second_sequence,
    without_sinks,
    without_sinusoids,
)
from mha_core.scenario.scenario import Scenario


@dataclass(frozen=True)
class Screen:
    """One operation: what goes in, what comes out, and why, in one sentence.

    `takes` and `gives` name steps and given arrays. If `is_idle` is true of a scenario, the screen
    is left out there. `idle` says why, unless another screen's word says it already or few layers
    have it. What `only_with` names goes in only where the given array beside it is there.
    """

    name: str
    title: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    why: str
    is_idle: Callable[[Scenario], bool] = lambda _: False
    idle: str = ""
    formula: Formula | None = None  # where the operation is a part of what its step computes
    only_with: tuple[tuple[str, str], ...] = ()

    def taken(self, s: Scenario) -> list[str]:
        """What goes in. A step that changes nothing is replaced by the step that it hands on."""
        absent = {name for name, given in self.only_with if getattr(s, given) is None}
        names = (_computing(name, s) for name in self.takes if name not in absent)
        return [name for name in dict.fromkeys(names) if _is_there(name, s)]

    def equations(self, s: Scenario, mark: Mark) -> tuple[Equation, ...]:
        """How the result is computed; nothing, if it was given. `mark` is told of symbols."""
        steps: list[Step[Any]] = [getattr(Trace, name) for name in self.gives if self.takes]
        return tuple(equation_of(step, s, mark, self.formula) for step in steps)

    @property
    def result(self) -> str:
        """The array that comes out last."""
        return self.gives[-1]


def _computing(name: str, s: Scenario) -> str:
    step = getattr(Trace, name, None)
    return step.computed_by(s).name if isinstance(step, Step) else name


def _is_there(name: str, s: Scenario) -> bool:
    if name == "row_max":
        return not without_row_max(s)
    return isinstance(getattr(Trace, name, None), Step) or getattr(s, name) is not None


def _without_gains_alone(s: Scenario, of: str) -> bool:
    """Whether queries (q) or keys (k) have none."""
    return without_gains_alone(s) or without_norm_of(of)(s)


GAINS_SAY: Final = say("A column counts in each score as much as its gain says.")
_ALL: Final = (
    Screen(
        "input",
        say("The input: one row for each token"),
        (),
        ("x",),
        say("Each token is a row of numbers. All that follows is made of these rows."),
    ),
    Screen(
        "context",
        say("The second sequence"),
        (),
        ("context",),
        say("Keys and values are made of these rows, queries of those of X."),
        without_second_sequence,
        say("no second sequence: keys and values are made of X too"),
    ),
    Screen(
        "positions",
        say("Positions are added to X"),
        ("x", "positions"),
        ("x_positioned",),
        say("Without them, equal words would be equal rows, wherever they stand."),
        without_sinusoids,
        say("no positions are added to X"),
    ),
    Screen(
        "context-positions",
        say("Positions are added to the second sequence"),
        ("context", "context_positions"),
        ("context_positioned",),
        say("Its positions count from 0, wherever those of X begin."),
        lambda s: without_second_sequence(s) or without_sinusoids(s),
    ),
    Screen(
        "own-values",
        say("Values have rows of their own"),
        (),
        ("context_v",),
        say("Values are made of these rows: no positions are added to what tokens hand on."),
        without_own_values,
    ),
    Screen(
        "queries",
        say("W_Q makes a query of each row"),
        ("x_positioned", "w_q", "b_q"),
        ("q",),
        say("A query is what a token asks for."),
    ),
    Screen(
        "keys",
        say("W_K makes a key of each row"),
        ("context_positioned", "w_k", "b_k"),
        ("k",),
        say("A key is what a token answers to."),
    ),
    Screen(
        "values",
        say("W_V makes a value of each row"),
        ("context_v", "w_v", "b_v"),
        ("v",),
        say("A value is what a token hands on to those that look at it."),
    ),
    Screen(
        "split",
        say("The columns are cut into heads"),
        ("q", "k", "v"),
        ("q_heads", "k_heads", "v_heads"),
        say("Each head gets columns of its own, so it can look for something of its own."),
        lambda s: s.n_heads == 1,
        say("one head has all columns"),
    ),
    Screen(
        "rotation-first",
        say("Queries and keys are turned before they are normed"),
        ("q_heads", "k_heads"),
        ("q_rotated_first", "k_rotated_first"),
        say("After that, a score depends on how far apart two tokens are."),
        without_rotation_first,
    ),
    Screen(
        "center",
        say("Queries and keys lose their mean"),
        ("q_rotated_first", "k_rotated_first"),
        ("q_centered", "k_centered"),
        say("A LayerNorm begins so: what all columns of a row have in common is taken away."),
        without_centering,
    ),
    Screen(
        "gains-of-queries",
        say("Columns of queries get gains"),
        ("q_centered",),
        ("q_normed",),
        GAINS_SAY,
        partial(_without_gains_alone, of="q"),
    ),
    Screen(
        "norm",
        say("Queries and keys are normed"),
        ("q_centered", "k_centered"),
        ("q_normed", "k_normed"),
        say("After that, none gets more attention only because its numbers are large."),
        without_division,
        say("no norm of queries and keys"),
    ),
    Screen(
        "gains-of-keys",
        say("Columns of keys get gains"),
        ("k_centered",),
        ("k_normed",),
        GAINS_SAY,
        partial(_without_gains_alone, of="k"),
    ),
    Screen(
        "norm-of-values",
        say("Values are normed"),
        ("v_heads",),
        ("v_normed",),
        say("After that, none counts more only because its numbers are large."),
        without_norm_of_values,
    ),
    Screen(
        "rotation",
        say("Queries and keys are turned by their positions"),
        ("q_normed", "k_normed"),
        ("q_rotated", "k_rotated"),
        say("After that, a score depends on how far apart two tokens are."),
        without_rotation_last,
        say("no rotation by RoPE"),
    ),
    Screen(
        "scores",
        say("Each query meets each key"),
        ("q_rotated", "k_rotated"),
        ("raw_scores",),
        say("A row times a column: the more the two agree, the higher the score."),
    ),
    Screen(
        "distances",
        say("Each query meets each distance"),
        ("q_rotated", "r_k", "k_rotated", "r_q"),
        ("relative_scores",),
        say("A distance has a vector, as a key has: so a query can look for what is near."),
        without_distances,
        only_with=(("q_rotated", "r_k"), ("k_rotated", "r_q")),
    ),
    Screen(
        "both",
        say("Both scores are added"),
        ("raw_scores", "relative_scores"),
        ("summed_scores",),
        say("A query asks for a word and for a place at once."),
        without_distances,
    ),
    Screen(
        "growth",
        say("Scores grow with the position"),
        ("summed_scores",),
        ("grown_scores",),
        say("A late query sees many keys: larger scores keep its weights sharp."),
        without_growth,
    ),
    Screen(
        "scale",
        say("Scores are scaled"),
        ("grown_scores",),
        ("scaled_scores",),
        say("Long vectors give large scores, and large scores make softmax pick a single key."),
        lambda s: s.scores.factor(s.d_k) == 1,
        say("the scale is 1"),
    ),
    Screen(
        "cap",
        say("Scores are capped"),
        ("scaled_scores",),
        ("capped_scores",),
        say("No score may get beyond the cap, in either direction."),
        without("softcap"),
        say("no soft cap"),
    ),
    Screen(
        "factor-scores",
        say("W_F asks each row how much an addition counts"),
        ("x_positioned", "w_f", "b_f"),
        ("f",),
        say("Each token makes two numbers for each head: what is added may depend on the word."),
        without_gate_of_additions,
    ),
    Screen(
        "shares",
        say("Both numbers become shares"),
        ("f",),
        ("f_gates",),
        say("The sigmoid makes each of them a number from 0 to 1."),
        without_gate_of_additions,
    ),
    Screen(
        "factors",
        say("Two shares make a factor"),
        ("f_gates", "c_f"),
        ("factors",),
        say("The first says how much the second counts: where it is 0, the factor is 2."),
        without_gate_of_additions,
    ),
    Screen(
        "gated-additions",
        say("Each query multiplies what its head adds"),
        ("factors", "b_s"),
        ("bias",),
        say("So one head may add much for one word, and little for the next."),
        without_gate_of_additions,
    ),
    Screen(
        "additions",
        say("Something is added to the scores"),
        ("capped_scores", "bias"),
        ("biased_scores",),
        say("It favours some pairs of tokens over others, whatever the words are."),
        without_additions,
        say("nothing is added to the scores"),
    ),
    Screen(
        "mask",
        say("Apply the mask"),
        ("biased_scores", "mask"),
        ("masked_scores",),
        say("A hidden score becomes minus infinity, so its weight will be 0."),
        without_mask,
        say("no mask hides anything"),
    ),
    Screen(
        "temperature",
        say("Scores are divided by the temperature"),
        ("masked_scores",),
        ("tempered_scores",),
        say("A high temperature makes weights even, a low one makes them sharp."),
        without("temperature"),
        say("the temperature is 1"),
    ),
    Screen(
        "maximum",
        say("The largest score of each row"),
        ("tempered_scores", "sinks"),
        ("row_max",),
        say("It is subtracted from its row, so that no exponential gets too large."),
        without_row_max,
        say("nothing is subtracted: the softmax is naive"),
    ),
    Screen(
        "exponentials",
        say("Exponentials"),
        ("tempered_scores", "row_max"),
        ("exponentials",),
        say(
            "They are never negative, and they grow fast: a small lead in the scores "
            "becomes a large one."
        ),
    ),
    Screen(
        "sums",
        say("The sum of each row"),
        ("exponentials", "sinks"),
        ("row_sums",),
        say("Each row is divided by it next, so that its numbers become shares of 1."),
    ),
    Screen(
        "weights",
        say("Each row is divided by its sum"),
        ("exponentials", "row_sums"),
        ("weights",),
        say("Each number becomes a share of its row. These shares are the weights of attention."),
        formula=formulas.shares,
    ),
    Screen(
        "sink",
        say("The share of the sink"),
        ("sinks", "row_max", "row_sums"),
        ("sink_weights",),
        say("It has no value to give: what it takes, no token gets."),
        without_sinks,
        say("no head has a sink"),
    ),
    Screen(
        "blend",
        say("Weights times values"),
        ("weights", "v_normed"),
        ("head_outputs",),
        say("Each token gets a blend of the values that it looks at."),
    ),
    Screen(
        "gate-scores",
        say("W_G asks each row how far to open"),
        ("x_positioned", "w_g", "b_g"),
        ("g",),
        say("What a token is decides how much of what its heads found goes on."),
        without_gate,
        say("no gate before W_O"),
    ),
    Screen(
        "gate",
        say("The gate opens"),
        ("g",),
        ("gates",),
        say("The sigmoid makes each number a share: 0 is shut, 1 is open."),
        lambda s: without_gate(s) or not gates_are_shares(s),
    ),
    Screen(
        "gate-of-another-kind",
        say("A function makes the gate"),
        ("g",),
        ("gates",),
        say("Its numbers are no shares: 0 is shut, and 1 changes nothing."),
        gates_are_shares,
    ),
    Screen(
        "gated",
        say("The gate lets a part through"),
        ("head_outputs", "gates"),
        ("gated_outputs",),
        say("Each number that a head found is multiplied by that of its gate."),
        without_gate,
    ),
    Screen(
        "center-of-heads",
        say("What the heads found loses its mean"),
        ("gated_outputs",),
        ("heads_centered",),
        say("A LayerNorm begins so: what all columns of a row have in common is taken away."),
        without_centering_of_concat,
    ),
    Screen(
        "norm-of-heads",
        say("What the heads found is normed"),
        ("heads_centered",),
        ("heads_normed",),
        say("After that, W_O gets rows of one size, whatever was looked at."),
        without_norm_of_concat,
    ),
    Screen(
        "function-of-heads",
        say("Each number passes a function"),
        ("heads_normed",),
        ("heads_bent",),
        say("So the output is no longer a blend of the values, multiplied by W_O."),
        without_concat_function,
    ),
    Screen(
        "join",
        say("The heads are joined"),
        ("heads_bent",),
        ("concat",),
        say("What the heads have found stands side by side, in one row for each token."),
        lambda s: s.n_heads == 1,
        say("one head needs no joining"),
    ),
    Screen(
        "output",
        say("W_O mixes the heads"),
        ("concat", "w_o", "b_o"),
        ("output",),
        say("Each number of the output may draw on all heads. All these steps are one layer."),
    ),
)
_ALL_WITH_OWN_VALUES: Final = tuple(
    replace(
        screen,
        why=say("Keys are made of these rows, queries of those of X."),
        idle=say("no second sequence: keys are made of X too"),
    )
    if screen.name == "context"
    else screen
    for screen in _ALL
)
SCREENS: Final[Mapping[str, Screen]] = {screen.name: screen for screen in _ALL}


def screens_of(s: Scenario) -> list[Screen]:
    """The screens that have something to do in a scenario.

    >>> from mha_core.examples import load_example
    >>> [screen.name for screen in screens_of(load_example("two-tokens"))][:6]
    ['input', 'queries', 'keys', 'values', 'split', 'scores']
    """
    return [screen for screen in _told(s) if not screen.is_idle(s)]


def passed_over(s: Scenario) -> list[str]:
    """Why screens have nothing to do, in words.

    >>> from mha_core.examples import load_example
    >>> passed_over(load_example("pizza"))[-1]
    'no gate before W_O'
    """
    return [screen.idle for screen in _told(s) if screen.idle and screen.is_idle(s)]


def _told(s: Scenario) -> tuple[Screen, ...]:
    """All screens, as they are told where values may have rows of their own."""
    return _ALL if without_own_values(s) else _ALL_WITH_OWN_VALUES


def nearest_screen(name: str, s: Scenario) -> Screen:
    """The screen with this name, or the one before it where that has nothing to do."""
    there = screens_of(s)
    names = list(SCREENS)
    before = [screen for screen in there if names.index(screen.name) <= names.index(name)]
    return before[-1]
