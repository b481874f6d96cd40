"""A function of each number between the heads and W_O: as in LeViT."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option

# Of all of them, 0 is 0: a head that is off gives nothing.
FUNCTIONS: Final = {
    "none": Choice(say("None"), say("W_O gets what heads, gate and norm give.")),
    "hardswish": Choice(
        say("Hardswish"),
        say(
            "Before W_O, each number x becomes hardswish(x): 0 below -3, x above 3, and "
            "x (x + 3) / 6 between, as in LeViT."
        ),
    ),
    "relu": Choice(
        say("ReLU"), say("Before W_O, each number x becomes relu(x): 0 where it is below 0.")
    ),
    "silu": Choice(
        say("SiLU"), say("Before W_O, each number x becomes silu(x): x times its sigmoid.")
    ),
    "tanh": Choice(say("Tanh"), say("Before W_O, each number x becomes tanh(x).")),
}

OPTION: Final = Option(
    name="concat_function",
    order=320,
    sidebar_order=215,
    used="seldom",
    thing=say("The function before W_O"),
    title=say("Function before W_O"),
    kind=Word(FUNCTIONS, say("Take 'none', 'hardswish', 'relu', 'silu' or 'tanh'.")),
    default="none",
    in_a_link="none, hardswish, relu, silu or tanh: what each number passes before W_O",
    help=" ".join(meaning for _, meaning in FUNCTIONS.values()),
    drawn=tuple(FUNCTIONS),
    note=lambda name: FUNCTIONS[name].meaning,
    effect=lambda scores, _: FUNCTIONS[scores.concat_function].meaning,
    mistake=say("The function before W_O was forgotten."),
)
