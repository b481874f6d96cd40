"""What makes a gate of its scores, where there is one: a sigmoid, or another function."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option

FUNCTIONS: Final = {
    "sigmoid": Choice(
        say("Sigmoid"), say("The sigmoid makes each number of the gate: from 0, shut, to 1, open.")
    ),
    "softplus": Choice(
        say("Softplus"),
        say(
            "Softplus, log(1 + exp(G)), makes each number of the gate: from 0 on, without a most, "
            "as in Laguna."
        ),
    ),
    "silu": Choice(
        say("SiLU"), say("SiLU, G times its sigmoid, makes each number of the gate: as in RetNet.")
    ),
    "tanh": Choice(say("Tanh"), say("tanh makes each number of the gate: from -1 to 1.")),
}

OPTION: Final = Option(
    name="gate_function",
    order=310,
    sidebar_order=172,
    used="seldom",
    thing=say("The function of the gate"),
    title=say("Function of the gate"),
    kind=Word(FUNCTIONS, say("Take 'sigmoid', 'softplus', 'silu' or 'tanh'.")),
    default="sigmoid",
    in_a_link="sigmoid, softplus, silu or tanh: what makes a gate of its scores",
    help=" ".join(meaning for _, meaning in FUNCTIONS.values()),
    drawn=tuple(FUNCTIONS),
    needs="w_g",
    note=lambda name: FUNCTIONS[name].meaning,
    effect=lambda scores, _: FUNCTIONS[scores.gate_function].meaning,
    mistake=say("The gate was a sigmoid."),
)
