"""What is added to each column of the normed keys, after its gain."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.gains import shifts
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_normed

OPTION: Final[Option] = shifts(
    "k_shift",
    order=180,
    sidebar_order=145,
    thing=say("The shifts of the keys"),
    title=say("Shifts of keys"),
    help=say(
        "After the gain, each column of the keys gets its number added. If this is empty, all "
        "are 0."
    ),
    says=say("The shifts of the keys are from {least:.3g} to {most:.3g}."),
    applies=is_normed,
    mistake=say("The shifts of the keys were forgotten."),
)
