"""What each column of the normed keys is multiplied by."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.gains import gains
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_normed

OPTION: Final[Option] = gains(
    "k_gain",
    order=140,
    sidebar_order=140,
    thing=say("The gains of the keys"),
    title=say("Gains of keys"),
    help=say(
        "After the norm, each column of the keys is multiplied by its number. If this is empty, "
        "all are 1. Give as many as a head has columns, for all heads; or as many as all heads "
        "have."
    ),
    says=say("The gains of the keys are from {least:.3g} to {most:.3g}."),
    applies=is_normed,
    mistake=say("The gains of the keys were forgotten."),
)
