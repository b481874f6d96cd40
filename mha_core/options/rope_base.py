"""The base of the rotary angles: the larger it is, the slower the last pairs of columns turn."""

from __future__ import annotations

from typing import Final

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, Options, Slider, Wavelengths
from mha_core.options.rope_series import in_series
from mha_core.options.written import as_written
from mha_core.terms.terms import Chosen, Term

USUAL: Final = 10_000.0  # in the paper


def wavelengths(share: FloatArray, base: float) -> FloatArray:
    """Of each pair, by 2c / d_k: base^(2c / d_k)."""
    return float(base) ** share


def _term(share: Term, base: float) -> Term:
    return Chosen("rope_base", as_written(base)) ** share


def _effect(scores: Options, d_k: int) -> str:
    base, columns = scores.rope_base, scores.rope_columns or d_k
    if columns == 2:
        return say("The only pair of columns turns by one radian a position, whatever the base.")
    last = max(each.share for each in in_series(scores, columns // 2))
    if last == 0:
        return say("Each pair of columns turns by one radian a position, whatever the base.")
    return say(
        "With the base {base:g}, the last pair of columns turns by one radian "
        "every {count:.3g} positions."
    ).format(base=base, count=float(base) ** last)


OPTION: Final = Option(
    name="rope_base",
    order=70,
    sidebar_order=70,
    thing=say("The base of the rotary angles"),
    title=say("Base of the angles"),
    kind=Real(
        1,
        1e12,
        say("Pair c of d_k columns turns by p / base^(2c/d_k); {base:g} is the usual base.").format(
            base=USUAL
        ),
        (Special(USUAL, ("",)),),
    ),
    default=USUAL,
    in_a_link="base of the rotary angles: a number",
    help=say(
        "The larger it is, the slower the last pairs of columns turn. Models for long texts use "
        "500000 or more."
    ),
    drawn=(USUAL, 2.0, 500.0, 1e6),
    placeholder=f"{USUAL:g}",
    slider=lambda _: Slider(2, 1e6, by_factors=True),
    applies=lambda scores: scores.positions == "rope" and scores.rope_frequencies is None,
    note=lambda base: say("The base of the angles is {base:g}.").format(base=base),
    effect=_effect,
    mistake=say("The usual base of the rotary angles was used."),
    wavelengths=Wavelengths(
        of=wavelengths, term=_term, numpy=lambda base: f"{float(base)!r} ** share"
    ),
)
