"""What the waves of positions are added to: as in the first Transformer, or as in DETR.

Where values get none, positions only help to find a token: what it hands on does not tell them.
"""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option, Options

EVERYTHING: Final = "everything"
QUERIES_AND_KEYS: Final = "queries_and_keys"
MADE_WITH: Final = {
    EVERYTHING: Choice(
        say("Everything"), say("Queries, keys and values are all made of rows with positions.")
    ),
    QUERIES_AND_KEYS: Choice(
        say("Queries and keys"), say("Values are made of rows without positions: as in DETR.")
    ),
}


def is_sinusoidal(scores: Options) -> bool:
    return bool(scores.positions == "sinusoidal")


OPTION: Final = Option(
    name="sinusoids_for",
    order=145,
    sidebar_order=35,
    thing=say("What sinusoids are for"),
    title=say("Positions for"),
    kind=Word(MADE_WITH, say("Take 'everything' or 'queries_and_keys'.")),
    default=EVERYTHING,
    in_a_link="everything or queries_and_keys: what is made of rows with sinusoids",
    help=" ".join(meaning for _, meaning in MADE_WITH.values()),
    drawn=tuple(MADE_WITH),
    applies=is_sinusoidal,
    note=lambda name: MADE_WITH[name].meaning,
    effect=lambda scores, _: MADE_WITH[scores.sinusoids_for].meaning,
)
