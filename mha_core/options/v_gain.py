"""What each column of the normed values is multiplied by."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.gains import gains
from mha_core.options.option import Option
from mha_core.options.v_norm import are_values_normed

OPTION: Final[Option] = gains(
    "v_gain",
    order=210,
    sidebar_order=170,
    used="seldom",
    thing=say("The gains of the values"),
    title=say("Gains of values"),
    help=say(
        "After the norm, each column of the values is multiplied by its number. If this is "
        "empty, all are 1. Give as many as a head has columns, for all heads; or as many as all "
        "heads have."
    ),
    says=say("The gains of the values are from {least:.3g} to {most:.3g}."),
    applies=are_values_normed,
    mistake=say("The gains of the values were forgotten."),
)
