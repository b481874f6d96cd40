"""The sentences on heads and on what they change: each holds for its trace, word for word."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import attend
from mha_core.reading.metrics import Change, output_change
from mha_core.reading.patterns import patterns
from mha_core.reading.sentences import LOOKS, Reading, all_readings, change_sentence
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from tests.core.by_hand import (
    CAUSAL,
    PIZZA,
    PURE,
    WORDS,
    drawn,
    evenly,
    plain,
    resembled,
    with_weights,
)
from tests.core.strategies import scenarios


def sentence(*heads: Any, **changes: Any) -> str:
    return all_readings(with_weights(*heads, **changes))[0].sentence


# Heads


def spread(tokens: float) -> str:
    many = "one token" if tokens == 1 else f"about {tokens} tokens"
    return f". A query attends to {many}."


def looks(*heads: Any, **changes: Any) -> str:
    """The first head's sentence without its second half, which says how many tokens it looks at."""
    return sentence(*heads, **changes).partition(". A query")[0]


@pytest.mark.parametrize(
    ("name", "says", "tokens"),
    [
        ("itself", "Each token looks at itself (1.00)", 1.0),
        ("previous token", "Each token but the first looks at the one before it (1.00)", 1.8),
        ("next token", "Each token but the last looks at the one after it (1.00)", 1.8),
        ("first token", "Each token looks at the first token, “the” (1.00)", 1.0),
        ("last token", "Each token looks at the last token, “run” (1.00)", 1.0),
        ("same word", "Each token looks at its own word wherever it stands (1.00)", 1.7),
        ("all before", "Each token looks evenly at itself and all before it (1.00)", 3.5),
        ("neighbours", "Each token looks evenly at itself and the tokens beside it (1.00)", 2.7),
        (
            "global token",
            "Each token but the first looks evenly at itself and the first token, “the” (1.00)",
            2.7,
        ),
        ("block", "Each token looks evenly at the block it stands in (1.00)", 3.0),
        ("uniform", "Each token looks evenly at all tokens (0.17 each)", 6.0),
    ],
)
def test_a_head_that_resembles_a_pattern_is_read_so(name: str, says: str, tokens: float) -> None:
    assert sentence(PURE[name], tokens=WORDS) == says + spread(tokens)


def test_every_pattern_has_words() -> None:
    (scores,) = patterns(with_weights(PURE["uniform"], tokens=WORDS))
    assert list(scores) == list(LOOKS)


def test_a_reading_holds_the_numbers_of_its_sentence() -> None:
    weights = 0.7 * np.eye(4) + 0.1 * (1 - np.eye(4))
    found = all_readings(with_weights(weights, tokens=PIZZA))[0]
    assert found.sentence == "Each token looks mostly at itself (0.70 on average)" + spread(2.6)
    assert (found.pattern, found.target) == ("itself", 0)
    assert found.pattern_score == pytest.approx(0.6)
    in_nats = -(0.7 * math.log(0.7) + 3 * 0.1 * math.log(0.1))
    assert found.effective_tokens == pytest.approx(math.exp(in_nats))


@pytest.mark.parametrize(
    ("least", "says"),
    [
        (0.92, "Each token looks at itself (0.98)"),
        (0.88, "Each token looks mostly at itself (0.97 on average)"),
        (0.52, "Each token looks mostly at itself (0.88 on average)"),
        (0.48, "Each query picks one or two keys (1.00 of its weight on average)"),
    ],
)
def test_one_query_that_does_otherwise_makes_the_words_weaker(least: float, says: str) -> None:
    weights = np.eye(4)
    weights[0] = [least, 0, 0, 1 - least]
    assert looks(weights) == says


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ([0.26, 0.25, 0.25, 0.24], "Each token looks evenly at all tokens (0.24 to 0.26)"),
        ([0.33, 0.23, 0.22, 0.22], "Each token looks nearly evenly at all tokens (0.22 to 0.33)"),
        ([0.37, 0.21, 0.21, 0.21], "On average over the queries, “t1” gets the most weight (0.28)"),
    ],
)
def test_one_query_that_is_less_even_makes_the_words_weaker(row: list[float], says: str) -> None:
    weights = np.full((4, 4), 0.25)
    weights[0] = row
    assert looks(weights) == says


def test_under_a_mask_an_even_head_is_even_over_what_it_may_see() -> None:
    says = "Each token looks evenly at all tokens that the mask allows"
    assert sentence(evenly(np.tri(4)), mask=CAUSAL) == says + spread(2.5)


def test_no_pattern_is_claimed_that_one_row_of_the_picture_denies() -> None:
    # The second token looks ahead. The third looks at all tokens, and none is after it.
    ahead = [[0.9, 0.05, 0.05], [1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3]]
    says = "On average over the queries, “a” gets the most weight (0.52)"
    assert looks(ahead, tokens=("a", "b", "c")) == says
    uneven = [[1, 0, 0, 0], [0.35, 0.65, 0, 0], [0.35, 0.3, 0.35, 0], [0.35, 0.12, 0.18, 0.35]]
    says = "On average over the queries, “I” gets the most weight (0.51)"
    assert looks(uneven, mask=CAUSAL, tokens=PIZZA) == says


@pytest.mark.parametrize(
    ("hidden", "says"),
    [
        ([0], "Each token but the first looks at itself"),
        ([8], "Each token but the last looks at itself"),
        ([1], "Each token but “b” looks at itself"),
        ([0, 3, 8], "Each token but “a” (1), “d” and “a” (9) looks at itself"),
        ([1, 3, 5, 7], "Each token but 4 looks at itself"),
    ],
)
def test_queries_that_may_not_do_it_are_left_out(hidden: list[int], says: str) -> None:
    custom = np.ones((9, 9), bool)
    custom[hidden, hidden] = False
    weights = 0.99 * np.eye(9) + 0.01 / 9
    assert looks(weights, mask=Mask(custom=custom), tokens=tuple("abcdefgha")).startswith(says)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        (np.eye(4), "Each token but “LOVE” looks at itself (1.00)"),
        (
            np.full((4, 4), 0.25),
            "Each token but “LOVE” looks evenly at all tokens that the mask allows",
        ),
        (
            np.eye(4)[[2, 0, 3, 0]],
            "Each query but “LOVE” picks one key (1.00 of its weight on average)",
        ),
    ],
)
def test_a_blind_query_does_nothing(weights: Any, says: str) -> None:
    blind = drawn([[1] * 4, [0] * 4, [1] * 4, [1] * 4])
    assert looks(weights, mask=blind, tokens=PIZZA) == says


def test_a_head_that_resembles_nothing_is_read_by_its_main_target() -> None:
    weights = [[1, 1, 1, 0], [0, 1, 1, 1], [0, 1, 1, 1], [1, 1, 0, 1]]
    trace = with_weights(evenly(weights), tokens=PIZZA)
    assert all_readings(trace)[0] == Reading(
        "On average over the queries, “LOVE” gets the most weight (0.33)" + spread(3.0),
        effective_tokens=pytest.approx(3),
        target=1,
        target_share=pytest.approx(1 / 3),
        pattern=None,
        pattern_score=0.0,
        name="mostly “LOVE”",
    )


def test_targets_that_tie_are_named_together() -> None:
    weights = [[0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0.5, 0], [0.4, 0.4, 0.2, 0]]
    says = "On average over the queries, “I” and “LOVE” get the most weight (0.35 each)"
    assert sentence(weights, tokens=PIZZA) == says + spread(2.2)


def test_a_name_of_a_head_has_few_letters() -> None:
    long = with_weights(
        [[0.2, 0.8, 0], [0, 1, 0], [0.3, 0.7, 0]], tokens=("a", "unbelievable", "b")
    )
    assert all_readings(long)[0].name == "mostly “unbelieva…”"
    tie = [[0.5, 0.5, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0.5, 0], [0.4, 0.4, 0.2, 0]]
    assert all_readings(with_weights(tie, tokens=PIZZA))[0].name == "mostly 2 words"


@pytest.mark.parametrize(("most", "name"), [(0.7, "different words"), (0.4, "no word stands out")])
def test_a_head_in_which_a_cell_is_dark_does_not_say_that_no_word_stands_out(
    most: float, name: str
) -> None:
    rest = (1 - most) / 4
    rows = np.full((5, 5), rest)
    rows[range(5), [2, 0, 4, 1, 3]] = most
    assert all_readings(with_weights(rows, tokens=tuple("vwxyz")))[0].name == name


@pytest.mark.parametrize(("share", "name"), [(0.1, "“t3” most"), (0.04, "no word stands out")])
def test_a_head_of_many_tokens_names_the_column_that_is_seen_in_its_picture(
    share: float, name: str
) -> None:
    """With little weight, but with more than twice an even share: its colour is the darkest."""
    rows = (1 - share) * np.array(in_a_ring(20))
    rows[:, 2] += share
    assert all_readings(with_weights(rows))[0].name == name


def test_of_one_query_there_is_no_average() -> None:
    one_sees = drawn([[1, 1, 1], [0, 0, 0], [0, 0, 0]])
    says = "“t1” gets the most weight (0.50)"
    assert looks([[0.5, 0.3, 0.2]] * 3, mask=one_sees) == says


def test_keys_that_every_query_looks_at_are_named_as_such() -> None:
    says = "“t3” gets nearly all weight of every query (0.95 on average)"
    assert looks([[0.02, 0, 0.98, 0], [0, 0.08, 0.92, 0]] * 2) == says
    says = "“t2” and “t3” get nearly all weight of every query (0.49 each on average)"
    assert looks([[0.02, 0.58, 0.4, 0], [0, 0.4, 0.58, 0.02]] * 2) == says


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([2, 4, 5, 5, 2, 4], "Each query picks one key (1.00 of its weight on average)"),
        ([3, 5, 0, 1, 2, 4], "Each query picks one key (1.00 of its weight on average)"),
    ],
)
def test_a_head_whose_queries_pick_a_key_each_is_read_so(rows: list[int], says: str) -> None:
    assert sentence(np.eye(6)[rows]) == says + spread(1.0)


def test_a_head_that_looks_words_up_picks_one_key_or_two() -> None:
    weights = [[0, 0.5, 0.5, 0], [0, 0, 0, 1], [0.97, 0, 0, 0.03], [0, 0, 1, 0]]
    says = "Each query picks one or two keys (1.00 of its weight on average)"
    assert sentence(weights) == says + spread(1.3)


def in_a_ring(n: int) -> Any:
    """Each of n tokens spreads its weight over three keys, and each key gets as much as any."""
    return [np.roll([0, 0, 0.4, 0.3, 0.3] + [0] * (n - 5), i) for i in range(n)]


def test_where_many_tie_no_token_stands_out() -> None:
    says = "On average over the queries, no token stands out (0.14 at most)"
    assert sentence(in_a_ring(7)) == says + spread(3.0)


def test_a_head_with_no_choice_is_not_read_into() -> None:
    no_choice = "No query may see more than one token, so there is no choice."
    assert sentence(np.eye(1)) == no_choice
    assert sentence(np.eye(3), mask=drawn([[0, 1, 0], [0, 1, 0], [0, 0, 0]])) == no_choice


def test_two_tokens_are_a_choice() -> None:
    says = "Each token looks at the first token, “t1” (0.95)"
    assert sentence([[0.95, 0.05], [0.95, 0.05]]) == says + spread(1.2)


def test_a_head_of_blind_queries_has_no_target() -> None:
    blind = with_weights(np.eye(2), mask=drawn([[0, 0], [0, 0]]))
    assert all_readings(blind)[0] == Reading(
        "No query may attend to anything.", 0.0, None, 0.0, None, 0.0
    )


def test_labels_stand_as_they_were_given() -> None:
    says = "Each token looks at the first token, “<b>{share}” (1.00)"
    assert looks([[1, 0, 0]] * 3, tokens=("<b>{share}", "b", "c")) == says


def test_a_blank_label_is_told_by_its_place() -> None:
    says = "Each token looks at the last token, token 3 (1.00)"
    assert looks([[0, 0, 1]] * 3, tokens=("a", "b", " ")) == says


def test_labels_that_are_the_same_are_told_by_their_places() -> None:
    weights = [[0.02, 0.4, 0, 0.58], [0, 0.58, 0.02, 0.4]] * 2
    says = "“A” (2) and “A” (4) get nearly all weight of every query (0.49 each on average)"
    assert looks(weights, tokens=("B", "A", "C", "A")) == says
    says = "Token 2 and token 4 get nearly all weight of every query (0.49 each on average)"
    assert looks(weights, tokens=("B", "", "C", "")) == says


def test_a_share_is_rounded_neither_to_all_nor_to_nothing() -> None:
    nearly = np.array([[0.998, 0.001, 0.001]] * 3)
    assert looks(nearly) == "Each token looks at the first token, “t1” (over 0.99)"
    assert "no token stands out (under 0.01 at most)" in looks(in_a_ring(211))
    assert "no token stands out (0.02 at most)" in looks(in_a_ring(61))


@given(scenarios())
def test_every_head_can_be_read(s: Scenario) -> None:
    trace = attend(s)
    for head, found in enumerate(all_readings(trace)):
        named = resembled(trace, head)
        assert found.pattern == (named and named.name)
        assert not re.search(r"nan|inf|\{", found.sentence)


# The output without some heads


def test_a_change_is_told_in_per_cent_with_the_token_that_moves_most() -> None:
    trace = with_weights(np.eye(4), tokens=PIZZA, w_v=np.diag([1.0, 3, 2, 1]), b_o=np.ones(4))
    change = output_change(trace, without=[0])
    # The output is diag(1, 3, 2, 1) + 1: its square sums to 15 + 2 * 7 + 16 = 45.
    assert change.relative == pytest.approx(math.sqrt(15 / 45))
    assert change_sentence(trace, change) == (
        "the output moves by 58% of its size, most for “LOVE”"
    )


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (Change(0.0, (0, 0), None), "the output stays as it is"),
        (Change(0.004, (1, 2), 1), "the output moves by less than 1% of its size, most for “b”"),
        (Change(2.5, (2, 1), 0), "the output moves by 250% of its size, most for “a”"),
        (Change(math.inf, (2, 1), 0), "the output moves away from all zeros, most for “a”"),
        (Change(0.91, (2,), 0), "the output moves by 91% of its size"),
    ],
)
def test_a_change_of_any_size_has_words(change: Change, says: str) -> None:
    assert change_sentence(attend(plain(2, tokens=("a", "b"))), change) == says


@pytest.mark.parametrize(
    ("rows", "most"),
    [
        ((1, 7, 2, 3, 5), ", most for “LOVE”"),
        ((7, 1, 7, 3, 5), ", most for “I” (1) and “PIZZA”"),
        ((1, 7, 7, 7, 5), ", most for “LOVE”, “PIZZA” and “AND”"),
        ((7, 7, 7, 7, 5), ""),
        ((7, 7, 7, 7, 7), ""),
    ],
)
def test_tokens_whose_output_moves_alike_are_named_together(
    rows: tuple[float, ...], most: str
) -> None:
    trace = attend(plain(5, tokens=("I", "LOVE", "PIZZA", "AND", "I")))
    says = change_sentence(trace, Change(0.5, rows, rows.index(7)))
    assert says == f"the output moves by 50% of its size{most}"
