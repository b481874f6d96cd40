"""The position of the first query."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Whole
from mha_core.options.option import Option

STARTS: Final = say("The first {first} is at position {start}.")
OPTION: Final = Option(
    name="query_start",
    order=40,
    sidebar_order=60,
    thing="query_start",
    title=say("First position"),
    kind=Whole(0, LIMITS.tokens, say("It is the position of the first query.")),
    default=0,
    in_a_link="position of the first query",
    help=say("Change it for a later part of a text, which does not begin at position 0."),
    drawn=tuple(range(12)),
    label=say("Position of the first {first}"),
    applies=lambda scores: scores.positions != "none",
    note=lambda start: STARTS.format(first="{first}", start=start),
    is_in_every_file=True,
)
