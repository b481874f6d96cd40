"""How fast each pair of columns turns, where no base says it: as in Llama 3.1, and with YaRN."""

from __future__ import annotations

from typing import Final

from mha_core.checks.limits import LIMITS
from mha_core.language import say
from mha_core.options.kinds import Numbers, Real, Special
from mha_core.options.option import Option

FROM_BASE: Final = Special(None, ("", "none", "base"), in_link="base")

OPTION: Final = Option(
    name="rope_frequencies",
    order=100,
    sidebar_order=100,
    thing=say("The frequencies of the pairs"),
    title=say("Frequencies"),
    kind=Numbers(
        Real(
            -1e6,
            1e6,
            say("Give one number for each pair: its angle from one position to the next."),
        ),
        LIMITS.width // 2,
        (FROM_BASE,),
    ),
    default=None,
    in_a_link="base, or the angle of each pair from one position to the next",
    help=say(
        "How far each pair of columns turns from one position to the next, in radians. Below 0, it "
        "turns the other way. If this is empty, the base says it."
    ),
    drawn=(None, (0.75,), (2.0, -0.5), (1.5, 0.0, -0.25)),
    placeholder=say("from the base"),
    applies=lambda scores: scores.positions == "rope",
    note=lambda each: say("The {count} pairs have their own frequencies.").format(count=len(each)),
    effect=lambda scores, _: say(
        "The slowest pair of columns turns by {angle:.3g} radians from one position to the next."
    ).format(angle=min(map(abs, scores.rope_frequencies))),
    mistake=say("The frequencies were made from the base."),
)
