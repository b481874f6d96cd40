"""Heads in an order: those of a kind side by side, and equal ones said once."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, attend
from mha_core.changing.changes import with_heads_off
from mha_core.checks.errors import OptionError
from mha_core.examples import load_example
from mha_core.reading.head_orders import ORDERS, grouped, heads_in_order, listed_heads
from mha_core.reading.metrics import output_change
from mha_core.reading.sentences import all_readings
from tests.core.by_hand import PURE, WORDS, with_weights
from tests.core.strategies import scenarios

LONG = load_example("long")
PIZZA = load_example("pizza")


@given(scenarios())
def test_every_order_has_every_head_once(s: Scenario) -> None:
    trace = attend(s)
    said = all_readings(trace)
    for by in ORDERS:
        assert sorted(heads_in_order(trace, said, by)) == list(range(s.n_heads))


def test_by_pattern_those_of_one_pattern_stand_together_and_others_last() -> None:
    trace = attend(LONG)
    said = all_readings(trace)
    order = heads_in_order(trace, said, "pattern")
    found = [said[head].pattern for head in order]
    assert found == [
        "itself",
        "previous token",
        "next token",
        "first token",
        "same word",
        "all before",
    ]
    trace = attend(PIZZA)
    said = all_readings(trace)
    assert [said[head].pattern for head in heads_in_order(trace, said, "pattern")] == [
        "uniform",
        None,
    ]


def test_by_pattern_all_nine_of_the_field_guide_stand_together() -> None:
    trace = with_weights(*[pure for pure in PURE.values() for _ in range(2)], tokens=WORDS)
    said = all_readings(trace)
    order = heads_in_order(trace, said, "pattern")
    assert [said[head].pattern for head in order] == [name for name in PURE for _ in range(2)]


@given(scenarios())
def test_by_focus_the_number_of_tokens_grows(s: Scenario) -> None:
    trace = attend(s)
    said = all_readings(trace)
    counts = [said[head].effective_tokens for head in heads_in_order(trace, said, "focus")]
    assert np.allclose(counts, sorted(counts))


@given(scenarios())
def test_by_effect_the_output_moves_less_and_less(s: Scenario) -> None:
    trace = attend(s)
    order = heads_in_order(trace, all_readings(trace), "effect")
    moved = [output_change(trace, without=[head]).relative for head in order]
    assert all(a >= b - 1e-8 for a, b in pairwise(moved))


def test_equal_heads_stay_in_their_order_though_rounding_tells_them_apart() -> None:
    twice = np.hstack([PIZZA.w_q[:, :4]] * 2), np.hstack([PIZZA.w_k[:, :4]] * 2)
    s = replace(PIZZA, w_q=twice[0], w_k=twice[1], w_v=np.hstack([PIZZA.w_v[:, :4]] * 2))
    trace = attend(s)
    said = all_readings(trace)
    nearly = (said[0], replace(said[1], effective_tokens=said[0].effective_tokens - 1e-13))
    assert heads_in_order(trace, nearly, "focus") == (0, 1)


def test_a_head_that_is_off_has_its_effect() -> None:
    on, off = (attend(s) for s in (PIZZA, with_heads_off(PIZZA, {0})))
    assert heads_in_order(on, all_readings(on), "effect") == (0, 1)
    assert sorted(heads_in_order(off, all_readings(off), "effect")) == [0, 1]


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(OptionError, match="The order of the heads must be one of"):
        heads_in_order(attend(PIZZA), (), "colour")


def test_equal_sentences_are_said_once() -> None:
    trace = attend(load_example("two-tokens"))
    said = all_readings(trace)
    assert [heads for _, heads in grouped((1, 0), said)] == [[0, 1]]
    pizza = all_readings(attend(PIZZA))
    assert [heads for _, heads in grouped((1, 0), pizza)] == [[1], [0]]


@pytest.mark.parametrize(
    ("heads", "words"),
    [
        ([0], "Head 1"),
        ([0, 1], "Heads 1 and 2"),
        ([0, 2], "Heads 1 and 3"),
        ([0, 1, 2], "Heads 1 to 3"),
        ([0, 2, 4], "Heads 1, 3, 5"),
        ([0, 1, 3, 4, 5, 6], "Heads 1, 2, 4 to 7"),
    ],
)
def test_heads_in_words(heads: list[int], words: str) -> None:
    assert listed_heads(heads) == words
