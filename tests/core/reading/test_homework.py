"""Somebody's own numbers for a computed matrix. Each mistake is made here by plain arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import STEPS, Scenario, Trace, attend
from mha_core.changing.changes import with_scores
from mha_core.checks.shapes import FloatArray
from mha_core.layer.attending import attend_from
from mha_core.layer.matrices import labelled_matrix
from mha_core.reading.homework import MISTAKES, MOST_CELLS, check_numbers
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.score_options import ScoreOptions
from tests.core.layer.test_derivation import traced
from tests.core.strategies import scenarios

CAUSAL = Mask((Rule("causal"),))
N, D, HEADS = 4, 8, 2


def layer(**changed: Any) -> Trace:
    """Four tokens of width 8, two heads of width 4, and numbers that are all different."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(N, D))
    projections = {name: rng.normal(size=(D, D)) / 2 for name in ("w_q", "w_k", "w_v", "w_o")}
    return attend(replace(Scenario(x=x, n_heads=HEADS, **projections), **changed))


def softmax(scores: FloatArray, axis: int = -1) -> FloatArray:
    exponentials = np.exp(scores)
    shares: FloatArray = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return shares


def said(trace: Trace, step: str, head: int | None, numbers: FloatArray, decimals: int = 3) -> str:
    checked = check_numbers(trace, step, head, np.round(numbers, decimals), decimals)
    assert not checked.is_right
    return checked.mistake


PLAIN = layer()
MASKED = layer(mask=CAUSAL)
OPEN = np.tril(np.ones((N, N), dtype=bool))
Q, K, V = PLAIN.q_heads[0], PLAIN.k_heads[0], PLAIN.v_heads[0]
RAW = Q @ K.T
HALF = {"b_q": np.full(D, 0.5), "b_k": np.arange(D) / 8, "b_v": np.ones(D), "b_o": np.ones(D)}


@pytest.mark.parametrize(
    ("trace", "step", "numbers", "words"),
    [
        (PLAIN, "scaled_scores", RAW, "The scale was forgotten"),
        (PLAIN, "weights", softmax(RAW), "The scale was forgotten"),
        (PLAIN, "weights", softmax(RAW / 4), "divided by d_k, not by its root"),
        (PLAIN, "weights", softmax(RAW / np.sqrt(D)), "by the root of d_model, not of d_k"),
        (PLAIN, "head_outputs", softmax(RAW / np.sqrt(D)) @ V, "by the root of d_model"),
        (MASKED, "masked_scores", RAW / 2, "The mask was forgotten"),
        (MASKED, "weights", softmax(RAW / 2), "The mask was forgotten"),
        (MASKED, "weights", softmax(RAW / 2) * OPEN, "applied after the softmax"),
        (MASKED, "head_outputs", (softmax(RAW / 2) * OPEN) @ V, "applied after the softmax"),
        (MASKED, "weights", softmax(np.where(OPEN, RAW / 2, 0)), "set to 0, not to minus infinity"),
        (MASKED, "weights", softmax(np.where(OPEN.T, RAW / 2, -np.inf)), "mask was transposed"),
        (PLAIN, "weights", softmax(RAW / 2, axis=0), "along columns, not along rows"),
        (PLAIN, "weights", np.exp(RAW / 2), "not divided by the sum of their row"),
        (PLAIN, "weights", RAW / RAW.sum(axis=1, keepdims=True), "without the exponential"),
        (PLAIN, "raw_scores", Q @ K, "K was not transposed"),
        (PLAIN, "weights", softmax(K @ Q.T / 2), "Q and K were exchanged"),
        (PLAIN, "q_heads", PLAIN.q.reshape(HEADS, N, 4)[0], "cut out by rows"),
        (PLAIN, "q", PLAIN.x @ PLAIN.scenario.w_q.T, "W_Q was transposed"),
        (layer(**HALF), "q", PLAIN.q, "The biases were forgotten"),
        (layer(**HALF), "output", PLAIN.output, "The biases were forgotten"),
        (layer(w_g=np.eye(D)), "output", PLAIN.output, "The gate was forgotten"),
        (PLAIN, "raw_scores", RAW.T, "Q and K were exchanged"),
        (PLAIN, "output", PLAIN.output.T, "The matrix is transposed"),
        (PLAIN, "concat", PLAIN.head_outputs.reshape(N, D), "joined by rows"),
        (PLAIN, "output", PLAIN.concat, "These are other numbers: Concatenation"),
        (PLAIN, "weights", PLAIN.weights[1], "These are other numbers: Weights, head 2"),
        (PLAIN, "output", PLAIN.output + 0.003, "All numbers are near"),
        (PLAIN, "output", PLAIN.output + 1, ""),
    ],
)
def test_a_mistake_is_named(trace: Trace, step: str, numbers: FloatArray, words: str) -> None:
    head = None if step in ("q", "concat", "output") else 0
    mistake = said(trace, step, head, numbers)
    assert words in mistake
    assert bool(words) == bool(mistake)


@pytest.mark.parametrize(
    ("options", "without", "words"),
    [
        ({"scale": 0.3}, {"scale": 0.09}, "scaled twice"),
        ({"positions": "rope"}, {}, "positions were forgotten"),
        ({"positions": "sinusoidal"}, {}, "positions were forgotten"),
        ({"softcap": 2.0}, {}, "soft cap was forgotten"),
        ({"temperature": 0.3}, {}, "temperature was forgotten"),
    ],
)
def test_an_option_that_was_left_out_is_named(
    options: dict[str, Any], without: dict[str, Any], words: str
) -> None:
    trace, other = (attend(with_scores(PLAIN.scenario, **each)) for each in (options, without))
    assert words in said(trace, "weights", 1, other.weights[1])


ADDED = np.random.default_rng(11).normal(size=(HEADS, N, N))
ADDING = layer(b_s=ADDED.reshape(-1, N))
SECOND = ADDING.scaled_scores[1]


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (SECOND, "What each head adds to its own scores was forgotten"),
        (SECOND + ADDED[0], "What the first head adds to its scores was added in every head"),
    ],
)
def test_what_the_heads_add_is_forgotten_or_taken_from_another(
    scores: FloatArray, words: str
) -> None:
    for step, numbers in (("biased_scores", scores), ("weights", softmax(scores))):
        assert words in said(ADDING, step, 1, numbers)


DISTANT = layer(r_k=np.random.default_rng(12).normal(size=(5, D)))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (PLAIN, "vectors of distances were forgotten"),
        (layer(r_k=DISTANT.scenario.r_k[::-1]), "counted from the key to the query"),
    ],
)
def test_distances_are_forgotten_or_counted_the_other_way(other: Trace, words: str) -> None:
    for step in ("scaled_scores", "weights", "head_outputs"):
        assert words in said(DISTANT, step, 1, getattr(other, step)[1])


def test_axes_of_distances_are_exchanged_or_counted_the_other_way() -> None:
    places = tuple(divmod(n, 2) for n in range(N))
    r_k = np.random.default_rng(12).normal(size=(6, D))
    trace = layer(r_k=r_k, scores=ScoreOptions(r_places=places))
    exchanged = layer(r_k=r_k, scores=ScoreOptions(r_places=tuple(place[::-1] for place in places)))
    backwards = layer(r_k=r_k[[2, 1, 0, 5, 4, 3]], scores=trace.scenario.scores)
    for other, words in (
        (exchanged, "axes of the distances were exchanged"),
        (backwards, "counted from the key to the query"),
    ):
        assert words in said(trace, "weights", 1, other.weights[1])


def test_keys_from_the_wrong_sequence_are_named() -> None:
    trace = layer(context=np.ones((N, D)) - PLAIN.scenario.x)
    assert "not from the second sequence" in said(trace, "weights", 0, PLAIN.weights[0])


def test_numbers_rounded_on_the_way_are_named() -> None:
    trace = layer(x=10 * PLAIN.scenario.x)
    q, k = np.round(trace.q_heads[0], 1), np.round(trace.k_heads[0], 1)
    assert "rounded too early" in said(trace, "raw_scores", 0, q @ k.T, decimals=1)


@pytest.mark.parametrize("on_the_way", [1, 2, 3, 4])
@pytest.mark.parametrize("step", ["weights", "head_outputs", "output"])
def test_numbers_rounded_on_the_way_to_other_decimals_are_named(step: str, on_the_way: int) -> None:
    trace = layer(x=3 * PLAIN.scenario.x)

    def noted(array: FloatArray) -> FloatArray:
        return np.round(array, on_the_way)

    s, outputs = trace.scenario, list[FloatArray]()
    for own in (slice(0, 4), slice(4, 8)):
        q, k, v = (noted(s.x @ w[:, own]) for w in (s.w_q, s.w_k, s.w_v))
        exponentials = noted(np.exp(noted(noted(q @ k.T) / 2)))
        weights = exponentials / noted(exponentials.sum(axis=1, keepdims=True))
        outputs.append(noted(weights) @ v)
        if not step.startswith("output") and len(outputs) == 1:
            numbers = weights if step == "weights" else outputs[0]
    if step == "output":
        numbers = noted(np.hstack(outputs)) @ s.w_o
    head = None if step == "output" else 0
    assert "rounded too early" in said(trace, step, head, numbers, decimals=6)


@pytest.mark.parametrize("name", ["w_q", "w_k", "w_v", "w_o"])
def test_one_projection_that_was_transposed_is_named(name: str) -> None:
    wrong = layer(**{name: getattr(PLAIN.scenario, name).T})
    assert said(PLAIN, "output", None, wrong.output) == f"W_{name[-1].upper()} was transposed."


def test_projections_that_were_all_transposed_are_named() -> None:
    squares = ("w_q", "w_k", "w_v", "w_o")
    wrong = layer(**{name: getattr(PLAIN.scenario, name).T for name in squares})
    assert said(PLAIN, "output", None, wrong.output) == "All projections were transposed."
    not_square = layer(w_o=np.ones((D, 3)))
    assert said(not_square, "weights", 0, wrong.weights[0]) == "All projections were transposed."


@given(scenario=scenarios(), number=st.integers(0, 2**31), decimals=st.integers(0, 6))
def test_rounded_numbers_of_the_layer_itself_are_right(
    scenario: Scenario, number: int, decimals: int
) -> None:
    trace = traced(scenario)
    step = STEPS[number % len(STEPS)]
    head = number % len(getattr(trace, step.name)) if len(step.dims.axes) == 3 else None
    numbers = labelled_matrix(trace, step.name, head).values.astype(float)
    checked = check_numbers(trace, step.name, head, np.round(numbers, decimals), decimals)
    assert checked.is_right
    assert checked.mistake == ""


@given(scenario=scenarios(), number=st.integers(0, 2**31))
def test_any_wrong_number_is_found_whatever_the_layer(scenario: Scenario, number: int) -> None:
    trace = traced(scenario)
    step = STEPS[number % len(STEPS)]
    head = number % len(getattr(trace, step.name)) if len(step.dims.axes) == 3 else None
    numbers = labelled_matrix(trace, step.name, head).values.astype(float)
    row, column = (number % side for side in numbers.shape)
    numbers[row, column] = 12345.0
    checked = check_numbers(trace, step.name, head, numbers, 2)
    assert checked.wrong is not None
    assert np.argwhere(checked.wrong).tolist() == [[row, column]]


def test_another_shape_is_no_comparison_but_may_be_the_matrix_transposed() -> None:
    checked = check_numbers(PLAIN, "output", None, PLAIN.output.T, 2)
    assert checked.wrong is None
    assert not checked.is_right
    assert "transposed" in checked.mistake
    assert check_numbers(PLAIN, "output", None, np.ones((1, 1)), 2).mistake == ""


def test_a_very_small_score_stands_for_minus_infinity() -> None:
    numbers = np.where(np.isneginf(MASKED.masked_scores[0]), -1e9, MASKED.masked_scores[0])
    assert check_numbers(MASKED, "masked_scores", 0, numbers, 2).is_right


def test_a_mistake_that_leads_beyond_all_numbers_is_passed_over() -> None:
    x, one = np.ones((2, 1), np.float32), np.ones((1, 1), np.float32)
    trace = attend(Scenario(x=x, w_q=85 * one, w_k=one, w_v=1e4 * one, w_o=one, n_heads=1))
    assert check_numbers(trace, "output", None, np.array([[1.0], [2.0]]), 2).mistake == ""


def test_in_a_very_large_layer_cells_are_marked_and_no_mistake_is_tried() -> None:
    side = int(np.sqrt(MOST_CELLS)) + 1
    eye = np.eye(1)
    trace = attend(Scenario(x=np.ones((side, 1)), w_q=eye, w_k=eye, w_v=eye, w_o=eye, n_heads=1))
    checked = check_numbers(trace, "x", None, 1 - trace.x, 2)
    assert checked.wrong is not None
    assert checked.wrong.all()
    assert checked.mistake == ""


def test_a_trace_goes_on_from_what_others_made() -> None:
    trace = attend_from(PLAIN.scenario, q=np.zeros((N, D)))
    assert np.allclose(trace.weights, 1 / N)


@pytest.mark.parametrize("make", MISTAKES.values())
def test_every_mistake_can_be_made_in_every_example_or_says_that_it_cannot(
    make: Callable[[Trace], Trace | None],
) -> None:
    for trace in (PLAIN, MASKED, layer(**HALF), layer(context=np.ones((3, D)))):
        made = make(trace)
        assert made is None or made.output.shape == trace.output.shape
