"""What each column of the normed queries is multiplied by."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.gains import gains
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_normed

OPTION: Final[Option] = gains(
    "q_gain",
    order=130,
    sidebar_order=130,
    thing=say("The gains of the queries"),
    title=say("Gains of queries"),
    help=say(
        "After the norm, each column of the queries is multiplied by its number. If this is "
        "empty, all are 1. Give as many as a head has columns, for all heads; or as many as all "
        "heads have."
    ),
    says=say("The gains of the queries are from {least:.3g} to {most:.3g}."),
    applies=is_normed,
    mistake=say("The gains of the queries were forgotten."),
)
