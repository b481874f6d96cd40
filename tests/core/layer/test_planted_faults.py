"""The comparison can fail: plant one fault in the forward pass and see where it is first caught."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.layer.trace import Trace
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.compare import fields_that_differ, largest_difference
from tests.core.oracle import forward
from tests.core.strategies import scenario_of_distinct_sizes


def everything_at_once() -> Scenario:
    """A layer on which every step does something, and one query is blind."""
    hidden = np.ones((5, 7), np.bool_)
    hidden[2] = False
    return scenario_of_distinct_sizes(
        mask=Mask((Rule("causal"),), custom=hidden),
        scores=ScoreOptions(softcap=1.5, positions="rope", query_start=2, temperature=0.5),
        heads_off={4},
    )


def tiled(grouped: Any, n_heads: int) -> Any:
    return np.tile(grouped, (n_heads // len(grouped), 1, 1))


def uniform_where_blind(weights: Any) -> Any:
    return np.where(weights.any(-1, keepdims=True), weights, 1 / 7)


def cut_by_columns(w_o: Any) -> Any:
    return np.moveaxis(w_o.reshape(17, 6, 19), 1, 0)


Equation = Callable[[Trace], Any]
FAULTS: dict[str, tuple[str, Equation]] = {
    "a bias forgotten": ("q", lambda t: t.x_positioned @ t.scenario.w_q),
    "value heads in reverse": ("v_heads", lambda t: t.v_heads[::-1]),
    "rows cut where columns should be": ("q_heads", lambda t: t.q.reshape(6, 5, 2)),
    "every third column a head": ("k_heads", lambda t: np.moveaxis(t.k.reshape(7, 2, 3), 2, 0)),
    "the rotation forgotten": ("q_rotated", lambda t: t.q_heads),
    "the rotation the other way": ("k_rotated", lambda t: 2 * t.k_heads - t.k_rotated),
    "key heads dealt out in turn": ("raw_scores", lambda t: t.q_rotated @ tiled(t.k_rotated, 6).mT),
    "the scale forgotten": ("scaled_scores", lambda t: t.raw_scores),
    "the scale taken from d_model": ("scaled_scores", lambda t: t.raw_scores / np.sqrt(11)),
    "the soft cap forgotten": ("capped_scores", lambda t: t.scaled_scores),
    "the mask upside down": ("mask", lambda t: t.mask[::-1]),
    "the mask turned round": ("mask", lambda t: ~t.mask),
    "one key too few": ("mask", lambda t: t.mask & (np.arange(7) != 1)),
    "the mask forgotten": ("masked_scores", lambda t: t.biased_scores),
    "masked by a large number": (
        "masked_scores",
        lambda t: np.where(t.mask, t.biased_scores, -1e9),
    ),
    "the temperature forgotten": ("tempered_scores", lambda t: t.masked_scores),
    "multiplied by the temperature": ("tempered_scores", lambda t: t.masked_scores * 0.5),
    "the first score for the largest": ("row_max", lambda t: t.raw_scores[..., :1]),
    "nothing subtracted": ("exponentials", lambda t: np.exp(t.tempered_scores)),
    "sums down the columns": ("row_sums", lambda t: t.exponentials.sum(axis=1)[:, :5, None]),
    "weights not divided": ("weights", lambda t: t.exponentials),
    "a blind query looks at all": ("weights", lambda t: uniform_where_blind(t.weights)),
    "the head left on": ("head_outputs", lambda t: t.weights @ np.repeat(t.v_heads, 2, 0)),
    "value heads dealt out in turn": ("head_outputs", lambda t: t.weights @ tiled(t.v_heads, 6)),
    "heads interleaved": ("concat", lambda t: np.moveaxis(t.head_outputs, 0, 2).reshape(5, 102)),
    "W_O cut by columns": (
        "contributions",
        lambda t: t.head_outputs @ cut_by_columns(t.scenario.w_o),
    ),
    "the output without its bias": ("output", lambda t: t.concat @ t.scenario.w_o),
    "one of the last digits": ("output", lambda t: t.output + 1e-10),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_planted_fault_is_caught_where_it_stands(what: str) -> None:
    field, faulty = FAULTS[what]
    expected = forward(everything_at_once())
    correct = attend(everything_at_once())
    trace = attend(everything_at_once())
    trace.__dict__[field] = faulty(correct)
    assert next(iter(fields_that_differ(trace, expected))) == field


def test_without_a_fault_nothing_is_caught() -> None:
    assert fields_that_differ(attend(everything_at_once()), forward(everything_at_once())) == {}


@pytest.mark.parametrize(
    ("actual", "why"),
    [
        ([[1.0, 2.0, 3.0]], "another shape"),
        ([1.0, 2.0, np.nan], "not a number"),
        ([1.0, 2.0, -np.inf], "masked here only"),
        ([True, True, True], "booleans for numbers"),
    ],
)
def test_the_difference_is_infinite_where_the_two_cannot_be_compared(actual: Any, why: str) -> None:
    assert largest_difference(actual, [1.0, 2.0, 3.0]) == np.inf, why


def test_the_difference_is_relative_to_the_largest_value() -> None:
    assert largest_difference([8.0, -np.inf, 3.0], [10.0, -np.inf, 3.0]) == 0.2


def test_the_difference_is_absolute_where_all_values_are_small() -> None:
    assert largest_difference([0.25], [0.5]) == 0.25
