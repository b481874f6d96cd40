"""What is added to each column of the normed concatenation, after its gain."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.concat_norm import is_concat_normed
from mha_core.options.gains import shifts
from mha_core.options.option import Option

OPTION: Final[Option] = shifts(
    "concat_shift",
    order=250,
    sidebar_order=210,
    used="seldom",
    thing=say("The shifts of the concatenation"),
    title=say("Shifts of concat"),
    help=say(
        "After the gain, each column of the concatenation gets its number added. If this is "
        "empty, all are 0."
    ),
    says=say("The shifts of the concatenation are from {least:.3g} to {most:.3g}."),
    applies=is_concat_normed,
    mistake=say("The shifts of the concatenation were forgotten."),
)
