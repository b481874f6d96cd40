"""The scale: raw scores are multiplied by it."""

from __future__ import annotations

import math
from typing import Any, Final

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, ScoreStep, Slider
from mha_core.options.written import as_written
from mha_core.terms.letters import D_K
from mha_core.terms.terms import Chosen, Term

BY_ROOT_D_K: Final = "1/sqrt(d_k)"
NONE: Final = "none"


def factor(scale: float | str, d_k: int) -> float:
    """The number that raw scores are multiplied by."""
    if scale == BY_ROOT_D_K:
        return 1 / math.sqrt(d_k)
    return 1.0 if scale == NONE else float(scale)


def multiply(scores: FloatArray, by: float) -> None:
    scores *= by


def _term(score: Term, scale: float | str) -> Term:
    if scale == BY_ROOT_D_K:
        return score * Chosen("scale", r"\frac{1}{\sqrt{d_k}}", "1/√d_k", letters=(D_K,))
    return score * Chosen("scale")


def _latex(raw: str, scale: Any) -> str:
    if scale == NONE:
        return raw
    if scale == BY_ROOT_D_K:
        return rf"{raw} / \sqrt{{d_k}}"
    return rf"{as_written(float(scale))} \cdot {raw}"


def in_python(scale: float | str) -> str:
    """As Python reads it. (A number of NumPy would turn float32 into float64.)"""
    return "d_k**-0.5" if scale == BY_ROOT_D_K else repr(factor(scale, 1))


def happens(scale: float | str, by: float) -> str:
    """What happens to the scores, in a few letters.

    >>> happens(BY_ROOT_D_K, 0.5), happens(-2.0, -2.0)
    ('÷ √d_k', '× −2')
    """
    return "÷ √d_k" if scale == BY_ROOT_D_K else f"× {by:.4g}".replace("-", "\N{MINUS SIGN}")


OPTION: Final = Option(
    name="scale",
    order=10,
    sidebar_order=10,
    thing=say("The scale"),
    title=say("Scale"),
    kind=Real(
        -LIMITS.magnitude,
        LIMITS.magnitude,
        say("It multiplies the scores; 1 leaves them as they are."),
        (
            Special(BY_ROOT_D_K, ("", BY_ROOT_D_K, "1/√d_k", "1/√(d_k)"), in_link="root_d_k"),
            Special(NONE, (NONE, "off"), in_link=NONE),
        ),
    ),
    default=BY_ROOT_D_K,
    in_a_link="root_d_k, none, a number, or an expression such as 1/8",
    help=say("Scores are multiplied by it: by a number, `1/sqrt(d_k)`, or `none`."),
    in_its_field=say("An expression such as `1/8` or `sqrt(2)/2` is a number too."),
    drawn=(BY_ROOT_D_K, NONE, 0.5, -1.0, 0.0),
    used="often",
    slider=lambda d_k: Slider(0, max(1.0, 2 / math.sqrt(d_k))),  # the same while it moves
    number=factor,
    is_in_every_file=True,
    step=ScoreStep(
        idle=1.0,
        change=multiply,
        slope=lambda _, by: by,
        term=_term,
        latex=_latex,
        numpy=lambda scores, scale: f"{scores} * {in_python(scale)}",
        happens=happens,
    ),
)
