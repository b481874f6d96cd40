"""The position of the first query."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Special, Whole
from mha_core.options.option import Option

STARTS: Final = say("The first {first} is at position {start}.")
OPTION: Final = Option(
    name="query_start",
    order=40,
    sidebar_order=60,
    thing="query_start",
    title=say("First position"),
    kind=Whole(
        0,
        LIMITS.tokens,
        say("It is the position of the first query."),
        (Special(None, ("", "follow", "auto"), in_link="follow"),),
    ),
    default=None,
    in_a_link="follow or the position of the first query",
    help=say(
        "Empty, it is 0; or, if the second sequence is a decoder's cache that ends with X, the "
        "length of what is before X. Change it for a later part of a text."
    ),
    drawn=(None, *range(12)),
    label=say("Position of the first {first}"),
    placeholder="{s.query_start}",
    applies=lambda scores: scores.positions != "none" or bool(scores.growth),
    note=lambda start: STARTS.format(first="{first}", start=start),
    is_in_every_file=True,
)
