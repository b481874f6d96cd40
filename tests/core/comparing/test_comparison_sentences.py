"""A and B in plain words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mha_core import Scenario, attend
from mha_core.changing import changes
from mha_core.changing.reordering import with_token_moved
from mha_core.changing.rules import with_rules
from mha_core.comparing.distances import all_distances, distance
from mha_core.comparing.questions import READY_QUESTIONS
from mha_core.comparing.sentences import comparison_sentences, why_no_distance
from mha_core.examples import load_example
from mha_core.scenario.masks import Mask, Rule
from tests.core.by_hand import with_latents
from tests.core.strategies import scenarios, self_attention

PIZZA = load_example("pizza")
AFTER_WEIGHTS = ("head_outputs", "concat", "contributions", "output")


def said(a: Scenario, b: Scenario) -> tuple[str, ...]:
    return comparison_sentences(attend(a), attend(b))


def test_a_mask_that_is_taken_away() -> None:
    assert said(PIZZA, with_rules(PIZZA, [])) == (
        "Both agree through the scaled scores. They begin to differ at the mask.",
        "The output moves by 82% of its size, most for “LOVE”.",
        "Most weight moves for “I” in head 2: 0.79.",
    )


def test_a_token_that_keeps_its_weight_for_itself() -> None:
    assert said(with_rules(PIZZA, []), PIZZA)[-1] == (
        "Most weight moves for “I” in head 2: 0.79, mostly to itself."
    )


def test_a_query_that_is_blind_in_b_gives_nobody_what_it_has_lost() -> None:
    all_hidden = replace(PIZZA, mask=Mask((Rule("padding", hidden=(0, 1, 2, 3)),)))
    assert said(PIZZA, all_hidden)[-1] == (
        "Most weight moves for “I” in head 1 and 7 other rows: 0.50."
    )


def of_weights(*rows: list[float]) -> Scenario:
    """A layer of one head with these weights: its scores are their logarithms."""
    n = len(rows)
    scores = np.log(np.array(rows))
    return self_attention(n, n, 1, x=np.eye(n), w_q=scores * np.sqrt(n), w_k=np.eye(n))


EVEN = [[0.25] * 4] * 4


@pytest.mark.parametrize(
    ("row", "mostly"),
    [
        ([0.01, 0.33, 0.33, 0.33], ""),
        ([0.05, 0.35, 0.35, 0.25], ""),
        ([0.01, 0.49, 0.25, 0.25], ", mostly to “t2”"),
        ([0.03, 0.40, 0.32, 0.25], ", mostly to “t2”"),
    ],
    ids=["thirds", "halves", "all", "more than half"],
)
def test_mostly_is_said_of_a_key_that_gains_more_than_half(row: list[float], mostly: str) -> None:
    moved = sum(max(share - 0.25, 0) for share in row)
    assert said(of_weights(*EVEN), of_weights(row, *EVEN[1:]))[-1] == (
        f"Most weight moves for “t1” in head 1: {moved:.2f}{mostly}."
    )


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ({0: 1, 2: 1}, "“t1” and 1 other in head 1: 0.45, mostly to “t2”."),
        ({0: 0, 1: 1, 2: 2}, "“t1” and 2 others in head 1: 0.45, mostly to itself."),
        ({0: 3, 1: 1}, "“t1” and 1 other in head 1: 0.45."),
    ],
)
def test_queries_that_move_as_much_are_counted(rows: dict[int, int], words: str) -> None:
    moved = [list(row) for row in EVEN]
    for query, key in rows.items():
        moved[query] = [0.1] * 4
        moved[query][key] = 0.7
    last = said(of_weights(*EVEN), of_weights(*moved))[-1]
    assert last == f"Most weight moves for {words}"


def test_a_sentence_begins_with_a_capital_also_where_its_token_has_no_label() -> None:
    nameless = replace(PIZZA, tokens=(" ", *PIZZA.tokens[1:]))
    *_, weights = said(nameless, with_rules(nameless, []))
    assert weights == "Most weight moves for token 1 in head 2: 0.79."


def test_another_input() -> None:
    first, *_ = said(PIZZA, replace(PIZZA, x=PIZZA.x + np.eye(4, 8)))
    assert first == "The numbers begin to differ at the input."


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (
            lambda s: changes.with_scores(s, scale=0.3),
            "Both agree through the raw scores. They begin to differ at the scaled scores.",
        ),
        (
            lambda s: replace(s, w_v=s.w_v + np.eye(8)),
            "The numbers differ only in the values, and from the head outputs on.",
        ),
        (lambda s: replace(s, b_o=np.ones(8)), "The numbers differ only in the output."),
        (
            lambda s: replace(s, w_q=s.w_q * 0, w_k=s.w_k * 0, w_v=s.w_v * 0),
            "Both agree through the input. They begin to differ at the queries.",
        ),
    ],
    ids=["scale", "values", "output", "nearly all"],
)
def test_where_they_differ(change: Callable[[Scenario], Scenario], where: str) -> None:
    first, *_ = said(PIZZA, change(PIZZA))
    assert first == where


def test_a_difference_that_goes_away_again_is_said_to() -> None:
    turned = changes.with_scores(PIZZA, positions="rope")
    first, *_ = said(turned, changes.with_scores(turned, query_start=5))
    assert first == (
        "The numbers differ only in the queries after rotation and the keys after rotation."
    )
    naive, *_ = said(PIZZA, changes.with_scores(PIZZA, softmax="naive"))
    assert naive == "The numbers differ only from the largest score of the row to the row sums."


def test_a_difference_of_the_input_that_goes_away_at_once() -> None:
    blind = replace(PIZZA, **{f"w_{name}": PIZZA.w_q * 0 for name in "qkv"})
    first, output = said(blind, replace(blind, x=blind.x + 1))
    assert first == "The numbers differ only in the input."
    assert output == "The output is the same, to the last bit."


def test_a_difference_from_the_input_that_w_o_takes_away() -> None:
    silent = replace(PIZZA, w_o=PIZZA.w_o * 0)
    first, *_ = said(silent, replace(silent, x=silent.x + np.eye(4, 8)))
    assert first == "The numbers differ only from the input to the concatenation."


def test_two_parts_of_the_way_that_differ() -> None:
    turned = changes.with_scores(PIZZA, positions="rope")
    first, *_ = said(turned, replace(turned, w_q=turned.w_q + np.eye(8)))
    assert first == "The numbers differ only in the queries, and from the raw scores on."


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("grouped", "The numbers differ from the keys on, except in the queries by head."),
        (
            "far",
            "The numbers differ from the queries after rotation on, "
            "except in the keys after rotation.",
        ),
    ],
)
def test_a_short_gap_is_an_exception(question: str, where: str) -> None:
    first, *_ = said(*READY_QUESTIONS[question].shown)
    assert first == where


def test_heads_that_cut_the_same_columns_otherwise_differ_from_the_cut_on() -> None:
    first, *_ = said(*READY_QUESTIONS["heads"].shown)
    assert first == ("Both agree through the values. They begin to differ at the queries by head.")


@pytest.mark.parametrize(
    ("differing", "where"),
    [
        (["q", "raw_scores", "weights"], "in 3 of 19 steps, first in the queries"),
        (["x", "q", "k", "output"], "in 4 of 19 steps, first in the input"),
        (["q", "weights", "head_outputs", "concat"], "in 4 of 19 steps, first in the queries"),
        (["raw_scores", "output"], "only in the raw scores and the output"),
        (
            ["masked_scores", "exponentials", "row_sums", "weights", *AFTER_WEIGHTS],
            "from the masked scores on, except in the largest score of the row",
        ),
    ],
)
def test_parts_of_the_way_are_counted_where_names_would_be_many(
    differing: list[str], where: str
) -> None:
    one, other = attend(PIZZA), attend(replace(PIZZA, x=PIZZA.x + 1))
    apart = {
        name: each if name in differing else distance(one, one, name)
        for name, each in all_distances(one, other).items()
    }
    first, *_ = comparison_sentences(one, other, apart)
    assert first == f"The numbers differ {where}."


def test_a_mask_that_hides_more_than_before_is_a_difference_of_the_masked_scores() -> None:
    first, *_ = said(with_rules(PIZZA, []), PIZZA)
    assert first == "Both agree through the scaled scores. They begin to differ at the mask."


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
        "Both agree through the weights. They begin to differ at the head outputs."
    )
    assert output.startswith("The output moves by ")


def test_other_sizes() -> None:
    one, four = load_example("one-head"), load_example("four-heads")
    *_, weights = said(one, four)
    assert weights == "The weights cannot be compared: A has 1 head, B has 4 heads."
    *_, output = said(PIZZA, changes.with_tokens(PIZZA, ["A", "B"]))
    assert output == "The outputs differ in size: 4 × 8 and 2 × 8."


def test_why_there_is_no_distance() -> None:
    plain, biased = attend(PIZZA), attend(replace(PIZZA, b_q=np.ones(8)))
    assert why_no_distance(plain, plain, "b_q") == "Neither A nor B has b_Q"
    assert why_no_distance(plain, biased, "b_q") == "A has no b_Q"
    assert why_no_distance(biased, plain, "b_q") == "B has no b_Q"
    other = attend(changes.with_tokens(PIZZA, ["A", "B"]))
    assert why_no_distance(plain, other, "output") == "A and B differ in size here"


@given(scenarios())
def test_there_is_always_something_to_say(s: Scenario) -> None:
    other = changes.with_scores(s, scale=0.3)
    assert all(sentence.endswith(".") for sentence in said(s, other))
    assert said(s, other)


def test_a_token_with_latents_keeps_its_weight_for_itself_too() -> None:
    without, masked = (with_latents(s) for s in (with_rules(PIZZA, []), PIZZA))
    assert said(without, masked)[-1] == (
        "Most weight moves for “I” in head 2: 0.79, mostly to itself."
    )
