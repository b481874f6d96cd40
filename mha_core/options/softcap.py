"""The soft cap: large scores are bent, so that none leaves it."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, ScoreStep, Slider
from mha_core.options.written import as_written
from mha_core.terms.terms import Chosen, Letter, Term, applied


def bend(scores: FloatArray, cap: float) -> None:
    """Bend scores smoothly so that none leaves (-cap, cap): c * tanh(s / c)."""
    scores /= cap
    np.tanh(scores, out=scores)
    scores *= cap


def _term(score: Term, _: float) -> Term:
    cap = Chosen("softcap", "c", letters=(Letter("c", say("the soft cap")),))
    return applied("tanh", score / cap) * cap


def _latex(score: str, cap: float) -> str:
    return rf"{as_written(cap)} \cdot \tanh({score} / {as_written(cap)})"


OPTION: Final = Option(
    name="softcap",
    order=20,
    sidebar_order=50,
    thing=say("The soft cap"),
    title=say("Soft cap"),
    kind=Real(
        1e-30,  # the range leaves room for a cap and its inverse in float32 too
        1e30,
        say("Scores then stay between -cap and cap; write None for no cap."),
        (Special(None, ("", "none", "off"), in_link="none"),),
    ),
    default=None,
    in_a_link="none or a number",
    help=say("A cap of 30 bends large scores, so that all stay between -30 and 30."),
    drawn=(None, 0.5, 3.0),
    placeholder=say("none"),
    slider=lambda _: Slider(0.1, 100, by_factors=True, may_be_none=True),
    note=lambda cap: say("Soft cap {cap:.4g}.").format(cap=cap),
    mistake=say("The soft cap was forgotten."),
    is_in_every_file=True,
    step=ScoreStep(
        idle=None,
        change=bend,
        slope=lambda bent, cap: 1 - (bent / cap) ** 2,
        term=_term,
        latex=_latex,
        numpy=lambda scores, cap: f"{cap!r} * np.tanh({scores} / {cap!r})  # the soft cap",
        happens=lambda _, cap: say("bent to ±{cap:g}").format(cap=cap),
    ),
)
