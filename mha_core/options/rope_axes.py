"""Which axis of its place each pair of columns follows: half of a head the row, half the column."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Numbers, Special, Whole
from mha_core.options.option import Option, Options
from mha_core.options.rope_places import MOST_AXES, axis_count, has_axes


def axes_of(scores: Options, pairs: int) -> tuple[int, ...]:
    """The axis of each pair, counted from 0. Where nobody says it, equal runs of pairs have one.

    >>> from mha_core.scenario.score_options import ScoreOptions
    >>> axes_of(ScoreOptions(positions="rope", rope_places=((0.0, 0.0), (0.0, 1.0))), 4)
    (0, 0, 1, 1)
    """
    if not has_axes(scores):
        return (0,) * pairs
    chosen: tuple[int, ...] | None = scores.rope_axes
    return chosen or tuple(pair * axis_count(scores) // pairs for pair in range(pairs))


def _says(axes: tuple[int, ...]) -> str:
    says = say("The pairs of columns follow the axes {axes}.")
    return says.format(axes=" ".join(map(str, axes)))


OPTION: Final = Option(
    name="rope_axes",
    order=104,
    sidebar_order=94,
    thing=say("The axes of the pairs"),
    title=say("Axes of pairs"),
    kind=Numbers(
        Whole(0, MOST_AXES - 1, say("Give one axis for each pair, counted from 0.")),
        LIMITS.width // 2,
        (Special(None, ("", "none", "runs"), in_link="runs"),),
    ),
    default=None,
    in_a_link="runs, or the axis that each pair follows, counted from 0",
    help=say(
        "Which axis of its place each pair of columns turns by, counted from 0, as in `0 0 1 1`. "
        "If this is empty, the axes have equal runs of pairs."
    ),
    drawn=(None, (0, 1), (1, 0, 0)),
    placeholder=say("equal runs"),
    applies=has_axes,
    note=_says,
    effect=lambda scores, _: _says(scores.rope_axes),
    mistake=say("The pairs of columns followed the axes in equal runs."),
)
