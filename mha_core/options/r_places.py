"""Where each position stands for the vectors of distances: on one axis or on several.

On several axes R_K and R_Q have rows for the distances on each: those of the first axis, below them
those of the next. A pair of tokens meets one row of each axis.
"""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Rows, Whole
from mha_core.options.option import Option, Options
from mha_core.options.rope_places import BY_COUNT, MOST, MOST_AXES, place_in_words

WholePlaces = tuple[tuple[int, ...], ...]


def axes_of_distances(scores: Options) -> int:
    """On how many axes distances are counted: on one, where positions are those of a text."""
    return 1 if scores.r_places is None else len(scores.r_places[0])


def _says(places: WholePlaces) -> str:
    says = say("Distances are between places: the first stands at {first}, the last at {last}.")
    return says.format(first=place_in_words(places[0]), last=place_in_words(places[-1]))


OPTION: Final = Option(
    name="r_places",
    order=112,
    sidebar_order=96,
    thing=say("The places of distances"),
    title=say("Places of distances"),
    kind=Rows(
        Whole(-int(MOST), int(MOST), say("Give one whole number for each axis, as in 0 0; 0 1.")),
        LIMITS.tokens,
        MOST_AXES,
        (BY_COUNT,),
    ),
    default=None,
    in_a_link="count, or the place of each position: _ between its axes",
    help=say(
        "Where each position stands, from position 0 on: a whole number, as in `0; 1; 2; 7`, or "
        "one for each axis, as in `0 0; 0 1; 1 0; 1 1`. `2 x 2` says the same, by rows and "
        "columns. R_K then has rows for the distances on the first axis, and below them those of "
        "the next: a query meets one of each. If this is empty, the places are 0, 1, 2 and so on."
    ),
    drawn=(None, ((0,), (2,), (-1,)), ((0, 0), (0, 1), (1, -1))),
    placeholder=say("0, 1, 2 and so on"),
    needs=("r_k", "r_q"),
    note=_says,
    effect=lambda scores, _: _says(scores.r_places),
)
