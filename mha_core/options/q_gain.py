"""What each column of the normed queries is multiplied by."""

from __future__ import annotations

from typing import Final

from mha_core.language import say
from mha_core.options.gains import ALL_ONES, GAIN, MOST_GAINS
from mha_core.options.kinds import Numbers
from mha_core.options.option import Option
from mha_core.options.qk_norm import is_normed


def _says(gains: tuple[float, ...]) -> str:
    says = say("The gains of the queries are from {least:.3g} to {most:.3g}.")
    return says.format(least=min(gains), most=max(gains))


OPTION: Final = Option(
    name="q_gain",
    order=130,
    sidebar_order=130,
    thing=say("The gains of the queries"),
    title=say("Gains of queries"),
    kind=Numbers(GAIN, MOST_GAINS, (ALL_ONES,)),
    default=None,
    in_a_link="ones, or a number for each column that is normed",
    help=say(
        "After the norm, each column of the queries is multiplied by its number. If this is empty, "
        "all are 1."
    ),
    drawn=(None, (0.5, -1.5), (0.0, 2.0, 1.0)),
    placeholder=say("ones"),
    applies=is_normed,
    note=_says,
    effect=lambda scores, _: _says(scores.q_gain),
    mistake=say("The gains of the queries were forgotten."),
)
