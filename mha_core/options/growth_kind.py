"""What the growth of the scores counts: in steps, as Llama 4 and Ministral 3 have it, or smoothly.

Scores are multiplied by 1 + growth * ln(count). The count is 1 for a position at the beginning, and
where all positions from 0 on lie behind so many tokens once, it is 2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.kinds import Choice, Word
from mha_core.options.option import Option
from mha_core.terms.counts import Count
from mha_core.terms.terms import Letter, Number, Term, largest, total


@dataclass(frozen=True)
class Counted:
    """What is counted at a position: in NumPy, as a term, and as a formula in two languages.

    All get the position and how many tokens count as one.
    """

    of: Callable[[Any, int], FloatArray]
    term: Callable[[Count, int], Term]
    latex: Callable[[str, int], str]
    numpy: Callable[[str, int], str]


def _letters(place: Count, every: int) -> tuple[Letter, Letter]:
    return (
        Letter("p", say("the position of the query, counted from 0"), place),
        Letter("n", say("after so many tokens scores grow again"), every),
    )


def _in_steps(place: Count, every: int, first: int) -> Term:
    top, text = ("p + 1", "(p + 1)/n") if first else ("p", "p/n")
    whole = Number(
        (place + first) // every,
        rf"\lfloor \frac{{{top}}}{{n}} \rfloor",
        f"⌊{text}⌋",
        _letters(place, every),
    )
    return total([Number(1), whole])


def _smoothly(place: Count, every: int) -> Term:
    share = Number((place + 1) / every, r"\frac{p + 1}{n}", "(p + 1)/n", _letters(place, every))
    return largest([Number(1), share])


COUNTED: Final = {
    "steps": Counted(
        lambda places, every: 1 + (places + 1) // every,
        lambda place, every: _in_steps(place, every, 1),
        lambda place, every: (
            f"{place} + 2" if every == 1 else rf"1 + \lfloor ({place} + 1) / {every} \rfloor"
        ),
        lambda places, every: f"1 + ({places} + 1) // {every}",
    ),
    "steps_from_0": Counted(
        lambda places, every: 1 + places // every,
        lambda place, every: _in_steps(place, every, 0),
        lambda place, every: (
            f"{place} + 1" if every == 1 else rf"1 + \lfloor {place} / {every} \rfloor"
        ),
        lambda places, every: f"1 + {places} // {every}",
    ),
    "smooth": Counted(
        lambda places, every: np.maximum(1, (places + 1) / every),
        _smoothly,
        lambda place, every: (
            f"{place} + 1" if every == 1 else rf"\max(1, ({place} + 1) / {every})"
        ),
        lambda places, every: f"np.maximum(1, ({places} + 1) / {every})",
    ),
}
KINDS: Final = {
    "steps": Choice(say("In steps"), say("Tokens are counted from 1: as in Llama 4.")),
    "steps_from_0": Choice(
        say("In steps, from 0"), say("Tokens are counted from 0: as in Ministral 3.")
    ),
    "smooth": Choice(
        say("Smoothly"), say("Each further token counts: as the log n of the first Qwen.")
    ),
}


OPTION: Final = Option(
    name="growth_kind",
    order=48,
    sidebar_order=66,
    thing=say("The kind of growth"),
    title=say("Growth goes"),
    kind=Word(KINDS, say("Take 'steps', 'steps_from_0' or 'smooth'.")),
    default="steps",
    in_a_link="steps, steps_from_0 or smooth: how scores grow with the position",
    help=" ".join(meaning for _, meaning in KINDS.values()),
    drawn=tuple(KINDS),
    applies=lambda scores: bool(scores.growth),
    note=lambda name: KINDS[name].meaning,
    effect=lambda scores, _: KINDS[scores.growth_kind].meaning,
    mistake=say("Scores grew in steps, by tokens that count from 1."),
)
