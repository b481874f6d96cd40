"""What is added to each column of the normed queries, after its gain."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.gains import shifts
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_normed

OPTION: Final[Option] = shifts(
    "q_shift",
    order=170,
    sidebar_order=135,
    thing=say("The shifts of the queries"),
    title=say("Shifts of queries"),
    help=say(
        "After the gain, each column of the queries gets its number added. If this is empty, "
        "all are 0."
    ),
    says=say("The shifts of the queries are from {least:.3g} to {most:.3g}."),
    applies=is_normed,
    mistake=say("The shifts of the queries were forgotten."),
)
