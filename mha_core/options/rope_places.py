"""Where each position stands: on one axis or on several, as the patches of an image do."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Real, Rows, Special
from mha_core.options.option import Option, Options

MOST_AXES: Final = 8
MOST: Final = 1e6
BY_COUNT: Final = Special(None, ("", "none", "count", "positions"), in_link="count")
Places = tuple[tuple[float, ...], ...]


def axis_count(scores: Options) -> int:
    """How many axes the places have: one, where they are those of a text."""
    return 1 if scores.rope_places is None else len(scores.rope_places[0])


def has_axes(scores: Options) -> bool:
    """Whether pairs of columns may follow different axes."""
    return bool(scores.positions == "rope") and axis_count(scores) > 1


def place_in_words(place: tuple[float, ...]) -> str:
    """The numbers of a place, as they are read out.

    >>> place_in_words((1.0, 2.5))
    '1, 2.5'
    """
    return ", ".join(f"{number:.4g}" for number in place)


def _says(places: Places) -> str:
    says = say("Positions have their own places: the first stands at {first}, the last at {last}.")
    return says.format(first=place_in_words(places[0]), last=place_in_words(places[-1]))


OPTION: Final = Option(
    name="rope_places",
    order=102,
    sidebar_order=92,
    thing=say("The places"),
    title=say("Places"),
    kind=Rows(
        Real(-MOST, MOST, say("Give one number for each axis, as in 0 0; 0 1; 1 0; 1 1.")),
        LIMITS.tokens,
        MOST_AXES,
        (BY_COUNT,),
    ),
    default=None,
    in_a_link="count, or the place of each position: _ between its axes",
    help=say(
        "Where each position stands, from position 0 on: a number, as in `0; 1; 2; 7`, or one for "
        "each axis, as in `0 0; 0 1; 1 0; 1 1`. `2 x 2` says the same, by rows and columns. A "
        "token at 0 on all axes does not turn. A query and a key at one position share its place: "
        "with a second sequence that ends with X, these are the places of its keys. If this is "
        "empty, the places are 0, 1, 2 and so on."
    ),
    drawn=(None, ((0.0,), (2.5,), (-1.0,)), ((0.0, 0.0), (0.0, 1.0), (1.0, -0.5))),
    placeholder=say("0, 1, 2 and so on"),
    applies=lambda scores: scores.positions == "rope",
    note=_says,
    effect=lambda scores, _: _says(scores.rope_places),
    mistake=say("The tokens were turned by their order, not by their places."),
)
