"""How many tokens go by until scores grow."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Whole
from mha_core.options.option import Option

MOST: Final = 10**8  # longer than any text

OPTION: Final = Option(
    name="growth_every",
    order=46,
    sidebar_order=64,
    used="seldom",
    thing=say("The tokens until scores grow"),
    title=say("Tokens until it grows"),
    kind=Whole(1, MOST, say("Llama 4 takes 8192.")),
    default=1,
    in_a_link="after so many tokens scores grow with the position: a whole number",
    help=say(
        "After so many tokens scores grow for the first time. Llama 4 takes 8192, so that short "
        "texts stay as they are; 1 shows it on a few words."
    ),
    drawn=(1, 2, 3),
    applies=lambda scores: bool(scores.growth),
    note=lambda every: say("Scores grow after {count} tokens.").format(count=every),
    mistake=say("Scores grew with each token."),
)
