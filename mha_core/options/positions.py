"""How the model knows where a token stands."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option

POSITIONS: Final = {
    "none": Choice(
        say("None"), say("No positions: only X itself or a mask can show where a token is.")
    ),
    "sinusoidal": Choice(say("Sinusoidal"), say("A wave for each position is added to X.")),
    "rope": Choice("RoPE", say("Q and K are turned by an angle that grows with the position.")),
    "alibi": Choice("ALiBi", say("Scores get smaller with the distance between query and key.")),
}

OPTION: Final = Option(
    name="positions",
    order=30,
    sidebar_order=30,
    thing="positions",
    title=say("Positions"),
    kind=Word(POSITIONS, say("Take 'none' for no positions.")),
    default="none",
    in_a_link="none, sinusoidal, rope or alibi",
    help=POSITIONS["none"].meaning,
    drawn=tuple(POSITIONS),
    used="often",
    note=lambda name: POSITIONS[name].meaning,
    is_in_every_file=True,
)
