"""Naive against stable softmax: the overflow happens, and is mended."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.changing.changes import with_dtype, with_scores
from mha_core.examples import load_example
from mha_core.guide.tours.tour import Stop, Tour
from mha_core.language import say
from mha_core.layer.attention import softmax
from mha_core.layer.trace import Trace
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario

BEYOND_FLOAT64: Final = 710  # exp of such a score
COOLER: Final = 8  # a temperature that brings the scores below that, but not below 89


def _saturated(**options: object) -> Scenario:
    return with_scores(load_example("saturated"), **options)


def _in_single_precision() -> Scenario:
    return with_dtype(_saturated(softmax="naive", temperature=COOLER), "float32")


def _is_naive(trace: Trace) -> bool:
    return bool(trace.scenario.scores.softmax == "naive")


def _head_1_is_right(trace: Trace) -> bool:
    return _is_naive(trace) and nearly_equal(trace.weights[:1], softmax(trace.tempered_scores[:1]))


def _head_2_is_beyond(trace: Trace) -> bool:
    return bool((trace.tempered_scores[1:] > BEYOND_FLOAT64).any())


def _is_infinite(array: np.ndarray) -> bool:
    return bool(np.isinf(array[1:]).any())


def _is_lost(trace: Trace) -> bool:
    return bool(np.isnan(trace.weights[1:]).any())


def _some_rows_are_lost(trace: Trace) -> bool:
    lost = np.isnan(trace.output).any(axis=-1)
    return bool(lost.any() and not lost.all())


def _largest_is_1(trace: Trace) -> bool:
    return not _is_naive(trace) and bool(trace.exponentials.max() == 1)


def _only_b_is_infinite(a: Trace, b: Trace) -> bool:
    return bool(np.isfinite(a.exponentials).all()) and _is_infinite(b.exponentials)


def _only_b_is_lost(a: Trace, b: Trace) -> bool:
    return bool(np.isfinite(a.weights).all()) and _is_lost(b)


_naive = partial(Stop, scenario=partial(_saturated, softmax="naive"), title=say("A naive softmax"))
_stable = partial(Stop, scenario=_saturated, title=say("A stable softmax"))

SOFTMAX: Final = Tour(
    "softmax",
    say("Why softmax subtracts the largest score"),
    say("Scores that are too large for exp: see the overflow begin, spread, and be avoided."),
    (
        _naive(
            say("A naive softmax takes exp of the scores as they are. In head 1 they are small."),
            screen="exponentials",
            holds=_head_1_is_right,
        ),
        _naive(
            say("There it works: these weights are right."),
            screen="weights",
            holds=_head_1_is_right,
        ),
        _naive(
            say("The scores of head 2 are 900 times as large. Some are over 710."),
            screen="scale",
            head=1,
            holds=_head_2_is_beyond,
        ),
        _naive(
            say("exp of more than about 710 is beyond float64: it is infinite."),
            screen="exponentials",
            head=1,
            holds=lambda trace: _is_infinite(trace.exponentials),
        ),
        _naive(
            say("So is the sum of its row."),
            screen="sums",
            head=1,
            holds=lambda trace: _is_infinite(trace.row_sums),
        ),
        _naive(
            say("Infinity divided by infinity is not a number. The rest of such a row becomes 0."),
            screen="weights",
            head=1,
            holds=_is_lost,
        ),
        _naive(
            say("What is made of it is lost too: whole rows of the output. MILD has been lucky."),
            screen="output",
            holds=_some_rows_are_lost,
        ),
        _stable(
            say(
                "A stable softmax first looks for the largest score of each row, and subtracts it."
            ),
            screen="maximum",
            head=1,
            holds=lambda trace: not _is_naive(trace),
        ),
        _stable(
            say("Now the largest exponential is 1: exp of 0. Nothing can overflow."),
            screen="exponentials",
            head=1,
            holds=_largest_is_1,
        ),
        _stable(
            say(
                "The weights are right. Subtracting one number from a row divides all its "
                "exponentials by the same number, which cancels out."
            ),
            screen="weights",
            head=1,
            holds=lambda trace: nearly_equal(trace.weights, softmax(trace.tempered_scores)),
        ),
        _naive(
            say("Side by side: A is stable, B is naive."),
            screen="weights",
            head=1,
            holds=_only_b_is_lost,
            against=_saturated,
            title_of_a=say("A stable softmax"),
        ),
        Stop(
            say(
                "At temperature 8 no score reaches 710. Both sides are naive: in A, float64, "
                "each exp is finite. In B, float32, exp of more than about 89 is infinite."
            ),
            scenario=_in_single_precision,
            screen="exponentials",
            head=1,
            holds=_only_b_is_infinite,
            against=partial(_saturated, softmax="naive", temperature=COOLER),
            title=say("In float32"),
            title_of_a=say("In float64"),
        ),
    ),
)
