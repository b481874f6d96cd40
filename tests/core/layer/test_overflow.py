"""Numbers that are good alone and whose products leave the range of their type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.layer.attention import (
    attention_weights,
    naive_softmax,
    scaled_dot_product_attention,
    softmax,
)
from mha_core.layer.trace import STEPS
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.refusals import Refusal, check_refused, out_of_range

INF = float("inf")


def layer(kind: Any, *, x: float, w_q: float, w_k: float, w_v: float, **rest: Any) -> Scenario:
    """Two tokens of width 1, every number of which is the one given."""
    one = np.ones((1, 1), kind)
    return Scenario(
        x=np.full((2, 1), x, kind),
        w_q=w_q * one,
        w_k=w_k * one,
        w_v=w_v * one,
        w_o=rest.pop("w_o", 1.0) * one,
        n_heads=1,
        **rest,
    )


LARGE = {"float64": 1e100, "float32": 1e19}


def overflow(kind: str, sign: int = 1, **rest: Any) -> Callable[[str], Any]:
    large = LARGE[kind]
    scenario = layer(kind, x=large, w_q=large, w_k=sign * large, w_v=1.0, **rest)
    return lambda field: getattr(attend(scenario), field)


HIDDEN_HALF = Mask(custom=np.array([[True, False], [True, True]]))

OVERFLOWS: dict[str, Refusal] = {
    f"{what} in {kind}, asked for {field}": (
        lambda kind=kind, field=field, rest=rest: overflow(kind, **rest)(field),
        out_of_range("The scores", kind),
    )
    for kind in LARGE
    for field in ("weights", "row_max", "output")
    for what, rest in {
        "scores too large": {},
        "scores too large below": {"sign": -1},
        "scores too large below beside a mask": {"sign": -1, "mask": HIDDEN_HALF},
        "scores that are not a number": {"scores": ScoreOptions(scale=0)},
    }.items()
}
OVERFLOWS |= {
    "an output too large": (
        lambda: attend(layer("float32", x=1e19, w_q=0, w_k=0, w_v=1e19, w_o=1e19)).output,
        out_of_range("The output", "float32"),
    ),
    "scores that a low temperature takes beyond float32": (
        lambda: (
            attend(
                layer(
                    "float32",
                    **{"x": 1e9, "w_q": 1e9, "w_k": 1e9, "w_v": 1.0},
                    scores=ScoreOptions(temperature=0.001),
                )
            ).weights
        ),
        out_of_range("The scores", "float32"),
    ),
    "an addition that float32 cannot hold": (
        lambda: (
            attend(
                layer(
                    "float32", x=1, w_q=1, w_k=1, w_v=1, mask=Mask(additive=np.full((2, 2), -1e60))
                )
            ).weights
        ),
        out_of_range("The scores", "float32"),
    ),
    "plain arrays whose scores are inf - inf": (
        lambda: attention_weights(
            np.full((1, 2), 1e30, "f4"), np.array([[1e30, -1e30], [0, 0]], "f4")
        ),
        out_of_range("The scores", "float32"),
    ),
    "plain arrays whose scores are too large": (
        lambda: attention_weights(np.full((1, 1), 1e30, "f4"), np.full((2, 1), 1e30, "f4")),
        out_of_range("The scores", "float32"),
    ),
    "plain arrays whose scores are too large below": (
        lambda: attention_weights(np.full((1, 1), -1e30, "f4"), np.full((2, 1), 1e30, "f4")),
        out_of_range("The scores", "float32"),
    ),
}


@pytest.mark.parametrize("what", OVERFLOWS)
def test_an_overflow_is_told_in_words(what: str) -> None:
    action, expected = OVERFLOWS[what]
    check_refused(action, expected)


@pytest.mark.parametrize("kind", LARGE)
def test_a_score_out_of_range_that_is_masked_does_no_harm(kind: str) -> None:
    x = np.array([[1.0], [LARGE[kind]]], kind)
    large, one = np.full((1, 1), LARGE[kind], kind), np.ones((1, 1), kind)
    hidden = Mask(custom=np.array([[True, False], [True, False]]))
    scenario = Scenario(x=x, w_q=one, w_k=large, w_v=one, w_o=one, n_heads=1, mask=hidden)
    assert attend(scenario).weights.tolist() == [[[1, 0], [1, 0]]]


@pytest.mark.parametrize("kind", LARGE)
def test_one_score_that_falls_out_of_range_gets_no_weight_and_no_complaint(kind: str) -> None:
    keys = np.array([[-LARGE[kind]], [0.0]], kind)
    scenario = layer(kind, x=LARGE[kind], w_q=LARGE[kind], w_k=LARGE[kind], w_v=1.0, context=keys)
    trace = attend(scenario)
    assert trace.raw_scores[0, 0].tolist() == [-INF, 0]
    assert trace.weights[0, 0].tolist() == [0, 1]
    assert attend(scenario).weights[0, 0].tolist() == [0, 1]


@pytest.mark.parametrize("what", OVERFLOWS)
def test_an_overflow_is_told_in_the_same_words_where_numpy_is_set_to_raise(what: str) -> None:
    action, expected = OVERFLOWS[what]
    with np.errstate(all="raise"):
        check_refused(action, expected)


@pytest.mark.parametrize("name", [step.name for step in STEPS])
def test_where_numpy_is_set_to_raise_a_vanishing_number_is_no_complaint(name: str) -> None:
    tiny = layer("float32", x=1e-30, w_q=1e-30, w_k=1e-30, w_v=1e-30, w_o=1e-30)
    far = np.array([[0, -200.0], [0, 0]])
    with np.errstate(all="raise"):
        getattr(attend(tiny), name)
        getattr(attend(replace(tiny, mask=Mask(additive=far))), name)


def test_where_numpy_is_set_to_raise_plain_arrays_may_vanish() -> None:
    tiny, far = np.full((2, 2), 1e-30, "f4"), np.array([[0, -100], [0, 0]], "f4")
    with np.errstate(all="raise"):
        assert softmax(far)[0].tolist() == pytest.approx([1, 0])
        assert scaled_dot_product_attention(tiny, tiny, tiny, far).max() > 0
        assert naive_softmax(far)[0].tolist() == pytest.approx([1, 0])


def test_a_score_that_a_low_temperature_takes_out_of_range_below_gets_no_weight() -> None:
    keys = np.array([[-1e9], [0.0]], "f4")
    cold = ScoreOptions(temperature=0.001)
    scenario = layer("float32", x=1e9, w_q=1e9, w_k=1e9, w_v=1.0, context=keys, scores=cold)
    trace = attend(scenario)
    assert trace.masked_scores[0, 0].tolist() == [pytest.approx(-1e36), 0]
    assert trace.tempered_scores[0, 0].tolist() == [-INF, 0]
    assert trace.weights[0, 0].tolist() == [0, 1]
    assert attend(scenario).weights[0, 0].tolist() == [0, 1]


def test_a_cap_brings_scores_back_into_range() -> None:
    trace = attend(
        layer("float64", x=1e100, w_q=1e100, w_k=1e100, w_v=1.0, scores=ScoreOptions(softcap=2.0))
    )
    assert trace.weights.tolist() == [[[0.5, 0.5], [0.5, 0.5]]]
