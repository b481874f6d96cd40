"""What the norm of queries and keys adds to a mean square, so that nothing is divided by 0."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.norm_epsilon import epsilon
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_divided

OPTION: Final[Option] = epsilon(
    "qk_norm_eps",
    order=120,
    sidebar_order=120,
    thing=say("The epsilon of the norm"),
    title=say("Epsilon"),
    applies=is_divided,
    note=lambda eps: say("The norm adds {eps:g} to each mean square.").format(eps=eps),
    mistake=say("The norm took the usual epsilon."),
)
