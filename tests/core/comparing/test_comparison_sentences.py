"""A and B in plain words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given

from mha_core import Scenario, attend
from mha_core.changing import changes
from mha_core.changing.reordering import with_token_moved
from mha_core.changing.rules import with_rules
from mha_core.comparing.sentences import comparison_sentences
from mha_core.examples import load_example
from tests.core.strategies import scenarios

PIZZA = load_example("pizza")


def said(a: Scenario, b: Scenario) -> tuple[str, ...]:
    return comparison_sentences(attend(a), attend(b))


def test_a_mask_that_is_taken_away() -> None:
    assert said(PIZZA, with_rules(PIZZA, [])) == (
        "Up to the scaled scores they are the same; from the mask on they differ.",
        "The output moves by 82 % of its size, most for “LOVE”.",
        "Most weight moves in head 2: of “I”, 0.79 goes to other tokens.",
    )


def test_another_input() -> None:
    first, *_ = said(PIZZA, replace(PIZZA, x=PIZZA.x + np.eye(4, 8)))
    assert first == "They differ from the input on."


def test_the_same() -> None:
    assert said(PIZZA, PIZZA) == ("The output is the same, to the last bit.",)


def test_tokens_in_another_order() -> None:
    plain = load_example("permutation")
    order, output = said(plain, with_token_moved(plain, "tokens", 1, 4))
    assert order == "Each token is compared with itself, wherever it stands."
    assert output.startswith("The output is the same but for rounding: the largest difference is ")


def test_a_head_that_is_off_leaves_the_weights() -> None:
    beginning, output = said(PIZZA, changes.with_heads_off(PIZZA, {0}))
    assert beginning == (
        "Up to the weights they are the same; from the head outputs on they differ."
    )
    assert output.startswith("The output moves by ")


def test_other_sizes() -> None:
    one, four = load_example("one-head"), load_example("four-heads")
    *_, weights = said(one, four)
    assert weights == "The weights cannot be compared: A has 1 head, B has 4 heads."
    *_, output = said(PIZZA, changes.with_tokens(PIZZA, ["A", "B"]))
    assert output == "The outputs differ in size: 4 × 8 and 2 × 8."


@given(scenarios())
def test_there_is_always_something_to_say(s: Scenario) -> None:
    other = changes.with_scores(s, scale=0.3)
    assert all(sentence.endswith(".") for sentence in said(s, other))
    assert said(s, other)
