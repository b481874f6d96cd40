"""What the growth of the scores counts: in steps, as Llama 4 and Ministral 3 have it, or smoothly.

Scores are multiplied by 1 + growth * ln(count). The count is 1 at the beginning of a text.
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

    All get the position and how many tokens count as one. A formula has brackets, for a logarithm.
    """

    of: Callable[[Any, int], FloatArray]
    term: Callable[[Count, int], Term]
    latex: Callable[[str, int], str]
    numpy: Callable[[str, int], str]


def _in_steps(first: int) -> Counted:
    """Positions that count from `first`."""
    more = f" + {first}" if first else ""

    def term(place: Count, every: int) -> Term:
        whole = Number(
            (place + first) // every,
            rf"\lfloor \frac{{p{more}}}{{n}} \rfloor",
            f"⌊(p{more})/n⌋" if first else "⌊p/n⌋",
            _letters(place, every),
        )
        return total([Number(1), whole])

    def latex(place: str, every: int) -> str:
        if every == 1:
            return f"({place} + {first + 1})"
        counted = f"({place}{more})" if first else place
        return rf"(1 + \lfloor {counted} / {every} \rfloor)"

    return Counted(
        lambda places, every: 1 + (places + first) // every,
        term,
        latex,
        lambda places, every: f"1 + ({places}{more}) // {every}",
    )


def _smoothly() -> Counted:
    def term(place: Count, every: int) -> Term:
        letters = _letters(place, every)
        share = Number((place + 1) / every, r"\frac{p + 1}{n}", "(p + 1)/n", letters)
        return largest([Number(1), share])

    return Counted(
        lambda places, every: np.maximum(1, (places + 1) / every),
        term,
        lambda place, every: (
            f"({place} + 1)" if every == 1 else rf" \max(1, ({place} + 1) / {every})"
        ),
        lambda places, every: f"np.maximum(1, ({places} + 1) / {every})",
    )


def _letters(place: Count, every: int) -> tuple[Letter, Letter]:
    return (
        Letter("p", say("the position of the query, counted from 0"), place),
        Letter("n", say("after so many tokens scores grow again"), every),
    )


COUNTED: Final = {"steps": _in_steps(1), "steps_from_0": _in_steps(0), "smooth": _smoothly()}
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
    used="seldom",
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
