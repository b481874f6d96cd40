"""Whether queries and keys are normed before RoPE turns them, or after it: as in HunYuan."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_normed

PLACES: Final = {
    "before": Choice(say("Before it"), say("Queries and keys are normed, then turned.")),
    "after": Choice(
        say("After it"), say("Queries and keys are turned first, then normed: as in HunYuan.")
    ),
}

OPTION: Final = Option(
    name="qk_norm_place",
    order=160,
    sidebar_order=114,
    thing=say("The place of the norm"),
    title=say("Norm and rotation"),
    kind=Word(PLACES, say("Take 'before' or 'after'.")),
    default="before",
    in_a_link="before or after: where the norm of queries and keys stands beside RoPE",
    help=" ".join(meaning for _, meaning in PLACES.values()),
    drawn=tuple(PLACES),
    applies=lambda scores: is_normed(scores) and scores.positions == "rope",
    note=lambda name: PLACES[name].meaning,
    effect=lambda scores, _: PLACES[scores.qk_norm_place].meaning,
    mistake=say("Queries and keys were normed before the rotation."),
)
