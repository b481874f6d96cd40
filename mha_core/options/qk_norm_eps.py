"""What the norm of queries and keys adds to a mean square, so that nothing is divided by 0."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, Slider
from mha_core.options.qk_norm import is_normed

USUAL: Final = 1e-6  # in the files of Qwen3, Gemma 3 and OLMo 2

OPTION: Final = Option(
    name="qk_norm_eps",
    order=120,
    sidebar_order=120,
    thing=say("The epsilon of the norm"),
    title=say("Epsilon"),
    kind=Real(
        1e-12,
        1,
        say("It is added to each mean square; {usual:g} is the usual one.").format(usual=USUAL),
        (Special(USUAL, ("",)),),
    ),
    default=USUAL,
    in_a_link="what is added to a mean square of the norm: a number",
    help=say("It is added to each mean square, so that a row of zeros is not divided by 0."),
    drawn=(USUAL, 1e-12, 0.25),
    placeholder=f"{USUAL:g}",
    slider=lambda _: Slider(1e-6, 1, by_factors=True),
    applies=is_normed,
    note=lambda eps: say("The norm adds {eps:g} to each mean square.").format(eps=eps),
    mistake=say("The norm took the usual epsilon."),
)
