"""What the epsilons of norms have in common."""

from __future__ import annotations

from typing import Any, Final

from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, Slider

USUAL: Final = 1e-6  # in the files of Qwen3, Gemma 3 and OLMo 2


def epsilon(name: str, **declared: Any) -> Option:
    """An option that says how much is added to the mean square of a row."""
    return Option(
        name=name,
        kind=Real(
            1e-12,
            1,
            say("It is added to each mean square; {usual:g} is the usual one.").format(usual=USUAL),
            (Special(USUAL, ("",)),),
        ),
        default=USUAL,
        in_a_link="what is added to a mean square of the norm: a number",
        help=say("It is added to each mean square, so that a row of zeros is not divided by 0."),
        drawn=(USUAL, 0.01, 0.25),
        placeholder=f"{USUAL:g}",
        slider=lambda _: Slider(1e-6, 1, by_factors=True),
        **declared,
    )
