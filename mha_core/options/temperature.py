"""The temperature: masked scores are divided by it, just before the softmax."""

from __future__ import annotations

from math import log
from typing import Final

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.options.kinds import Real, Special
from mha_core.options.option import Option, ScoreStep, Slider, as_float
from mha_core.options.written import as_factor, as_written
from mha_core.terms.terms import Chosen, Letter

OF_BASE_2: Final = 1 / log(2)  # 2^s = e^(s ln 2)
TEMPERATURE: Final = Chosen("temperature", "T", letters=(Letter("T", say("the temperature")),))


def divide(scores: FloatArray, temperature: float) -> None:
    scores /= temperature


def _quotient(score: str, temperature: float) -> str:
    if temperature == OF_BASE_2:
        return rf"{as_factor(score)} \ln 2"
    return f"{as_factor(score)} / {as_written(temperature)}"


OPTION: Final = Option(
    name="temperature",
    order=50,
    sidebar_order=20,
    thing=say("The temperature"),
    title=say("Temperature"),
    kind=Real(
        0.001,  # below, the rounding of float32 scores would be a visible share of the weights
        1000,
        say("It divides the scores: 1 leaves them as they are, and 0.001 picks the best key."),
        (Special(1.0, ("",)),),
    ),
    default=1.0,
    in_a_link="what the masked scores are divided by: a number",
    help=say(
        "Masked scores are divided by it. Below 1, the best key gets more weight; above "
        "1, weights get more even."
    ),
    in_its_field=say("Write a number or an expression such as `1/2`."),
    drawn=(1.0, 0.5, 3.0),
    placeholder="1",
    used="often",
    slider=lambda _: Slider(0.05, 20, by_factors=True),
    number=as_float,
    mistake=say("The temperature was forgotten."),
    step=ScoreStep(
        idle=1.0,
        change=divide,
        slope=lambda _, temperature: 1 / temperature,
        term=lambda score, _: score / TEMPERATURE,
        latex=_quotient,
        numpy=lambda scores, t: f"{scores} / {float(t)!r}  # the temperature",
        happens=lambda _, temperature: f"÷ {temperature:.4g}",
        is_after_mask=True,
    ),
)
