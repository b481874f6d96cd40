"""The three tellings of multi-head attention: one formula, and only the weights change."""

from __future__ import annotations

from functools import partial
from typing import Final

from mha_core.changing.changes import with_weights
from mha_core.comparing.distances import distance
from mha_core.examples import load_example
from mha_core.guide.tours.tour import Stop, Tour, claim_of
from mha_core.language import say
from mha_core.layer.equations import equations
from mha_core.layer.trace import STEPS, Trace
from mha_core.making.presets import OWN_SLICE_ALONE, PRESETS
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario

SPLIT_ONLY: Final = "split_only"
PROJECT_FIRST: Final = "random"
SPLIT_FIRST: Final = "split_then_project"
TOLD: Final = (SPLIT_ONLY, PROJECT_FIRST, SPLIT_FIRST)


def _told(preset: str) -> Scenario:
    """The X of document 003 in one of the tellings."""
    return with_weights(load_example("eight-tokens"), preset)


def _every_telling_has_the_same_equations(trace: Trace) -> bool:
    names = [step.name for step in STEPS]
    return all(equations(_told(each), names) == equations(trace.scenario, names) for each in TOLD)


def _w_q_is_full(trace: Trace) -> bool:
    return bool(trace.scenario.w_q.all())


def _only_the_weights_differ(a: Trace, b: Trace) -> bool:
    x, w_q = (distance(a, b, step) for step in ("x", "w_q"))
    return bool(x and w_q and x.is_rounding and not w_q.is_rounding)


def _outputs_differ(a: Trace, b: Trace) -> bool:
    apart = distance(a, b, "output")
    return bool(apart and not apart.is_rounding)


TITLES: Final = (
    say("Telling 1: split only"),
    say("Telling 2: project, then split"),
    say("Telling 3: split, then project"),
)
_split_only, _project_first, _split_first = (
    partial(Stop, scenario=partial(_told, preset), title=title)
    for preset, title in zip(TOLD, TITLES, strict=True)
)
_beside_split_first = partial(
    _project_first, against=partial(_told, SPLIT_FIRST), title_of_a=TITLES[2]
)

TELLINGS: Final = Tour(
    "tellings",
    say("Three ways to wire heads are one formula"),
    say("Split only; project, then split; split, then project: only the weights differ."),
    (
        _split_only(
            say("Documents wire the heads in three ways. Take one X, the same at every stop."),
            screen="input",
            holds=lambda trace: all(nearly_equal(trace.x, _told(each).x) for each in TOLD),
        ),
        _split_only(
            say("Telling 1, split only: nothing is projected. That is a W_Q that is the identity."),
            screen="queries",
            holds=PRESETS[SPLIT_ONLY].claims[0].holds,
        ),
        _split_only(
            say("So the heads are columns of X as they are."),
            screen="split",
            holds=PRESETS[SPLIT_ONLY].claims[0].holds,
        ),
        _project_first(
            say(
                "Telling 2, project, then split: W_Q is full. Each query draws on all columns of X."
            ),
            screen="queries",
            holds=_w_q_is_full,
        ),
        _split_first(
            say("Telling 3, split, then project: W_Q has a block for each head, zeros elsewhere."),
            screen="queries",
            holds=OWN_SLICE_ALONE.holds,
        ),
        _split_first(
            say(
                "So columns 1 and 2 of Q need columns 1 and 2 of X alone. Whoever splits X "
                "first and projects each half gets the same."
            ),
            screen="queries",
            holds=claim_of("eight-tokens", 1),
        ),
        _split_first(
            say("Scores, weights, values, W_O: from here on all tellings have the same equations."),
            screen="scores",
            holds=_every_telling_has_the_same_equations,
        ),
        _beside_split_first(
            say("A is telling 3, B is telling 2. X is the same in both, and W_Q is not."),
            screen="w_q",
            holds=_only_the_weights_differ,
        ),
        _beside_split_first(
            say("So the outputs differ, by the weights alone."),
            screen="output",
            holds=_outputs_differ,
        ),
    ),
)
