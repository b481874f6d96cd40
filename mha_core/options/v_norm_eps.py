"""What the norm of values adds to a mean square, so that nothing is divided by 0."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.norm_epsilon import epsilon
from mha_core.options.option import Option
from mha_core.options.v_norm import are_values_normed

OPTION: Final[Option] = epsilon(
    "v_norm_eps",
    order=200,
    sidebar_order=160,
    used="seldom",
    thing=say("The epsilon of the norm of values"),
    title=say("Epsilon of V"),
    applies=are_values_normed,
    note=lambda eps: say("The norm of values adds {eps:g} to each mean square.").format(eps=eps),
    mistake=say("The norm of values took the usual epsilon."),
)
