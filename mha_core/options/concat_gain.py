"""What each column of the normed concatenation is multiplied by."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.concat_norm import is_concat_normed
from mha_core.options.gains import gains
from mha_core.options.option import Option

OPTION: Final[Option] = gains(
    "concat_gain",
    order=240,
    sidebar_order=200,
    used="seldom",
    thing=say("The gains of the concatenation"),
    title=say("Gains of concat"),
    help=say(
        "After the norm, each column of the concatenation is multiplied by its number. If this "
        "is empty, all are 1."
    ),
    says=say("The gains of the concatenation are from {least:.3g} to {most:.3g}."),
    applies=is_concat_normed,
    mistake=say("The gains of the concatenation were forgotten."),
)
