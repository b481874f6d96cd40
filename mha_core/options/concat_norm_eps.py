"""What the norm of the concatenation adds to a mean square, so that nothing is divided by 0."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.concat_norm import is_concat_normed
from mha_core.options.norm_epsilon import epsilon
from mha_core.options.option import Option

OPTION: Final[Option] = epsilon(
    "concat_norm_eps",
    order=230,
    sidebar_order=190,
    used="seldom",
    thing=say("The epsilon of the norm of the concatenation"),
    title=say("Epsilon of concat"),
    applies=is_concat_normed,
    note=lambda eps: say("The norm of the concatenation adds {eps:g} to each mean square.").format(
        eps=eps
    ),
    mistake=say("The norm of the concatenation took the usual epsilon."),
)
