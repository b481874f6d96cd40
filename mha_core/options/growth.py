"""Scores that grow with the position of the query: a temperature of its own for each row.

In a long text a query has many keys, and its weights get more even. Llama 4 multiplies the queries
of its layers without rotation by more, the later they stand, and so their scores.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.growth_kind import COUNTED
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, Options, Slider, as_float
from mha_core.options.written import as_written
from mha_core.terms.counts import Count
from mha_core.terms.terms import Chosen, Letter, Number, Term, applied, total

MOST: Final = 1000.0


def logarithms(scores: Options, places: Any) -> FloatArray:
    """What the growth is multiplied by, for queries at these positions: 0 at the beginning.

    >>> from mha_core.scenario.score_options import ScoreOptions
    >>> logarithms(ScoreOptions(growth=1.0, growth_every=4), np.arange(8)).round(4)
    array([0.    , 0.    , 0.    , 0.6931, 0.6931, 0.6931, 0.6931, 1.0986])
    """
    logs: FloatArray = np.log(COUNTED[scores.growth_kind].of(places, scores.growth_every))
    return logs


def factor_term(scores: Options, place: Count) -> Term:
    """The factor of a query at a position."""
    growth = Chosen("growth", "g", letters=(Letter("g", say("the growth")),))
    counted = COUNTED[scores.growth_kind].term(place, scores.growth_every)
    return total([Number(1), growth * applied("ln", counted)])


def factor_latex(scores: Options, place: str) -> str:
    r"""The same as a formula.

    >>> from mha_core.scenario.score_options import ScoreOptions
    >>> factor_latex(ScoreOptions(growth=-0.5), "p")
    '1 - 0.5 \\, \\ln(p + 2)'
    """
    sign = "-" if scores.growth < 0 else "+"
    counted = COUNTED[scores.growth_kind].latex(place, scores.growth_every)
    return rf"1 {sign} {as_written(abs(scores.growth))} \, \ln{counted}"


def factor_numpy(scores: Options, places: str) -> str:
    """The same as a line of Python for `np`."""
    counted = COUNTED[scores.growth_kind].numpy(places, scores.growth_every)
    return f"1 + {float(scores.growth)!r} * np.log({counted})"


OPTION: Final = Option(
    name="growth",
    order=44,
    sidebar_order=62,
    used="seldom",
    thing=say("The growth"),
    title=say("Growth with position"),
    kind=Real(
        -MOST,
        MOST,
        say("Scores are multiplied by 1 + growth · ln(…): 0 leaves them as they are."),
        (Special(0.0, ("", "none", "off")),),
    ),
    default=0.0,
    in_a_link="by how much scores grow with the position of the query: a number",
    help=say(
        "The scores of a query at position p are multiplied by 1 + growth · ln(1 + ⌊(p + 1) / n⌋). "
        "So late queries, which see many keys, keep sharp weights. Llama 4 takes 0.1."
    ),
    drawn=(0.0, 0.5, -0.25),
    placeholder="0",
    slider=lambda _: Slider(0, 2),
    number=as_float,
    note=lambda _: say("Scores grow with the position of the query."),
    mistake=say("The growth of scores with the position was forgotten."),
)
