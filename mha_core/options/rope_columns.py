"""How many columns of a head turn: the others keep their numbers, as in GPT-NeoX and Phi."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Special, Whole
from mha_core.options.option import Option

OPTION: Final = Option(
    name="rope_columns",
    order=80,
    sidebar_order=80,
    thing=say("The number of columns that turn"),
    title=say("Columns that turn"),
    kind=Whole(
        2,
        LIMITS.width,
        say("Take an even number of columns, or None for all of them."),
        (Special(None, ("", "all"), in_link="all"),),
    ),
    default=None,
    in_a_link="all or an even number: so many columns of each head turn",
    help=say("The first so many columns of each head turn. The others keep their numbers."),
    drawn=(None, 2),
    placeholder=say("all"),
    applies=lambda scores: scores.positions == "rope",
    note=lambda count: say("The first {count} columns of each head turn.").format(count=count),
    effect=lambda scores, d_k: say(
        "Only the first {count} of {d_k} columns of each head turn."
    ).format(count=scores.rope_columns, d_k=d_k),
    mistake=say("All columns were turned."),
)
