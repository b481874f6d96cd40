"""The error for each wrong stack: which layer it is, what it must be, what came, a way out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Layer, Stack, attend
from mha_core.checks.errors import LimitError, MhaError, NumberError, OptionError, ShapeError
from mha_core.scenario.masks import Mask
from tests.core.refusals import check_refused
from tests.core.strategies import self_attention

FIRST = self_attention(3, 4, 2)
LAYER = Layer.of(FIRST)
W_U = np.ones((4, 2))


def stack(*layers: Any, **said: Any) -> Stack:
    return Stack((FIRST, *layers), **said)


ONE_OR_MORE = "Write Stack(layers=(scenario,))."
KINDS = "The first layer is a Scenario, which holds X. The others are Layers."

REFUSED: list[tuple[Any, MhaError]] = [
    (
        lambda: Stack(()),
        OptionError("The layers of a stack", "must be one layer or more", "()", ONE_OR_MORE),
    ),
    (
        lambda: Stack(FIRST.n_heads),  # type: ignore[arg-type]
        OptionError("The layers of a stack", "must be one layer or more", "2", ONE_OR_MORE),
    ),
    (
        lambda: stack(*[LAYER] * 4),
        LimitError("A stack", "must have at most 4 layers", "5", "Take fewer."),
    ),
    (
        lambda: stack(LAYER, residual=1),
        OptionError(
            "residual", "must be True or False", "1", "Write residual=False to leave it out."
        ),
    ),
    (
        lambda: stack(replace(LAYER, w_q=np.ones((5, 4)))),
        ShapeError(
            "Layer 2: W_Q",
            "must have shape (d_model, n_heads*d_k) = (4, 4)",
            "(5, 4)",
            "Give 4 rows of 4 numbers.",
        ),
    ),
    (
        lambda: stack(replace(LAYER, w_o=np.full((4, 4), np.nan))),
        NumberError(
            "Layer 2: W_O",
            "must hold finite numbers of at most 1e+100 in size",
            "nan in row 1, column 1",
            "Replace that value by a number.",
        ),
    ),
    (
        lambda: stack(replace(LAYER, w_o=np.ones((4, 5)))),
        ShapeError(
            "Layer 2: the output",
            "must be 4 wide, as X is, to be added to it",
            "5",
            "Take a W_O with 4 columns, or residual=False.",
        ),
    ),
    (
        lambda: Stack((replace(FIRST, w_o=np.ones((4, 5))),)),
        ShapeError(
            "Layer 1: the output",
            "must be 4 wide, as X is, to be added to it",
            "5",
            "Take a W_O with 4 columns, or residual=False.",
        ),
    ),
    (
        lambda: stack(words=("a",)),
        ShapeError("words", "must be empty where there is no W_U", "('a',)", "Give w_u too."),
    ),
    (
        lambda: stack(w_u=W_U, words=("a",)),
        ShapeError(
            "words", "must be 2, one for each column of W_U", "1", "Give every column one word."
        ),
    ),
    (
        lambda: stack(w_u=np.ones(4)),
        ShapeError(
            "W_U", "must have shape (d_model, n_words)", "(4,)", "Give a column for each word."
        ),
    ),
    (
        lambda: stack(w_u=np.ones((4, 0))),
        ShapeError(
            "W_U", "must have shape (d_model, n_words)", "(4, 0)", "Give a column for each word."
        ),
    ),
]


@pytest.mark.parametrize(("action", "expected"), REFUSED)
def test_it_is_refused_in_words(action: Any, expected: MhaError) -> None:
    check_refused(action, expected)


@pytest.mark.parametrize("layers", [(LAYER,), (FIRST, FIRST)])
def test_the_first_layer_is_a_scenario_and_no_other_is(layers: Any) -> None:
    with pytest.raises(OptionError, match=KINDS):
        Stack(layers)


def test_w_u_is_as_high_as_the_stream_is_wide() -> None:
    with pytest.raises(ShapeError, match=r"W_U must have shape \(d_model, n_words\) = \(4, 2\)"):
        stack(w_u=np.ones((3, 2)))


def test_w_u_and_words_are_checked_as_other_arrays_and_labels_are() -> None:
    with pytest.raises(NumberError, match="W_U must hold finite numbers"):
        stack(w_u=W_U * np.inf)
    with pytest.raises(MhaError, match="words"):
        stack(w_u=W_U, words=("a", "b" * 1000))


def test_a_mask_of_another_size_is_of_the_layer_that_has_it() -> None:
    with pytest.raises(MhaError, match="Layer 2: "):
        stack(replace(LAYER, mask=Mask(custom=np.ones((2, 2), np.bool_))))


def test_what_overflows_in_the_first_layer_is_refused_as_it_is_there_alone() -> None:
    large = replace(FIRST, x=np.full((3, 4), 1e99), w_q=np.eye(4) * 1e99, w_k=np.eye(4) * 1e99)
    with pytest.raises(NumberError) as alone:
        _ = attend(large).output
    with pytest.raises(NumberError) as first:
        _ = attend(Stack((large, LAYER))).stream
    assert str(first.value) == str(alone.value)


def test_what_overflows_in_a_later_layer_says_in_which() -> None:
    large = replace(LAYER, w_q=np.eye(4) * 1e99, w_k=np.eye(4) * 1e99)
    with pytest.raises(NumberError, match="Layer 2: ") as caught:
        _ = attend(Stack((replace(FIRST, x=np.full((3, 4), 1e99)), large))).stream
    assert "must stay within float64" in str(caught.value)


def test_what_overflows_on_its_way_is_refused() -> None:
    large = replace(FIRST, w_v=np.eye(4) * 1e99, w_o=np.eye(4) * 1e99)
    trace = attend(Stack((large, replace(LAYER, w_v=np.eye(4) * 1e99, w_o=np.eye(4)))))
    with pytest.raises(NumberError, match="Layer 2: X must hold finite numbers"):
        _ = trace.stream
