"""What the factors on values and on the output have in common: a number that multiplies all."""

from __future__ import annotations

from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, Slider, as_float

KIND: Final = Real(
    -LIMITS.magnitude,
    LIMITS.magnitude,
    say("It multiplies every number; 1 leaves them as they are."),
    (Special(1.0, ("",)),),
)


def factor(name: str, **declared: Any) -> Option:
    """An option that says what all numbers of an array are multiplied by."""
    return Option(
        name=name,
        kind=KIND,
        default=1.0,
        drawn=(1.0, 0.5, -1.5, 0.0),
        placeholder="1",
        slider=lambda _: Slider(-1, 2),
        number=as_float,
        **declared,
    )
