"""Ready questions: each changes one thing, and what it says of A and B is true."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mha_core import Scenario, Stack, attend
from mha_core.changing.changes import (
    with_dtype,
    with_heads,
    with_heads_off,
    with_scores,
    with_tokens,
)
from mha_core.changing.layers import as_stack, with_layer
from mha_core.changing.rules import with_rules
from mha_core.checks.errors import HeadsError, MhaError
from mha_core.comparing.differences import differences
from mha_core.comparing.questions import READY_QUESTIONS, ReadyQuestion, with_one_change
from mha_core.examples import EXAMPLES, load_example, load_stack
from mha_core.examples.example import CAUSAL
from mha_core.layer.trace import STEPS
from mha_core.scenario.masks import Mask
from mha_core.scenario.score_options import ScoreOptions

PIZZA = load_example("pizza")
QUESTIONS = pytest.mark.parametrize("ready", READY_QUESTIONS.values(), ids=lambda each: each.name)
# What a person changes, and the sizes and arrays that follow from it.
CHANGED = {
    "root": {"Scale"},
    "causal": {"Mask"},
    "heads": {"Heads", "Key/value heads", "d_k", "d_v"},
    "order": {"Tokens"},
    "positions": {"Tokens"},
    "head": {"Heads off"},
    "grouped": {"Key/value heads", "W_K", "W_V"},
    "float32": {"Number type"},
    "rope": {"First position"},
    "far": {"First position"},
    "naive": {"Softmax"},
    "layers": {"X", "W_K"},
    "copies": {"X"},
}
WHAT_A_MUST_BE = {
    "root": r"The scale of A must change the scores.*got none at d_k = 64\. Choose 1/√d_k for A",
    "causal": r"The mask of A must not be causal.*got causal\. Take the causal mask away from A",
    "heads": r"The number of heads of A must be another.*got 4\. Choose one head for A",
    "head": r"Head 2 of A must be on.*got off\. Switch it on in A",
    "float32": r"The number type of A must be float64, got float32\. Choose float64 for A",
}
SAY_THAT_NOTHING_MOVES = ("order",)


@QUESTIONS
def test_its_claims_are_true(ready: ReadyQuestion) -> None:
    a, b = map(attend, ready.shown)
    assert ready.claims
    assert [claim.sentence for claim in ready.claims if not claim.holds(a, b)] == []


@QUESTIONS
def test_its_claims_are_not_true_of_a_alone(ready: ReadyQuestion) -> None:
    a, _ = map(attend, ready.shown)
    true = all(claim.holds(a, a) for claim in ready.claims)
    assert true == (ready.name in SAY_THAT_NOTHING_MOVES)


@QUESTIONS
def test_it_changes_one_thing(ready: ReadyQuestion) -> None:
    assert {each.what for each in differences(*ready.shown)} == CHANGED[ready.name]


@QUESTIONS
def test_its_sides_are_made_once_and_its_step_is_one(ready: ReadyQuestion) -> None:
    assert ready.sides is ready.sides
    assert ready.shown is ready.shown
    assert ready.step in {step.name for step in STEPS}
    assert ready.question.endswith("?")


@QUESTIONS
@pytest.mark.parametrize("name", [name for name in EXAMPLES if not name.endswith("1024")])
def test_it_changes_something_in_any_other_a_or_says_why_not(
    ready: ReadyQuestion, name: str
) -> None:
    a = load_example(name)
    try:
        b = ready.change(a)
    except MhaError as error:
        says_why_not = str(error)
        assert " A" in says_why_not
        return
    attend(b)
    assert differences(a, b)


@pytest.mark.parametrize("name", ["root", "causal", "heads", "head", "float32"])
def test_what_is_so_in_a_already_is_refused(name: str) -> None:
    ready = READY_QUESTIONS[name]
    with pytest.raises(MhaError, match=WHAT_A_MUST_BE[name]):
        ready.change(ready.shown[1])


@pytest.mark.parametrize(
    ("name", "a", "message"),
    [
        ("root", with_heads(PIZZA, 8), "got 1/sqrt(d_k) at d_k = 1. "),
        ("heads", with_heads(PIZZA, 2, n_kv_heads=1), "must be that of its heads, 2, "),
        ("heads", with_heads(PIZZA, 1, d_k=6, d_v=4), "got 6 and 4. Choose d_k and d_v for A"),
        ("order", with_tokens(PIZZA, ["A"]), "The tokens of A must read otherwise backwards, "),
        ("rope", PIZZA, "The positions of A must be rope, got none. Choose RoPE for A."),
        ("far", PIZZA, "The positions of A must be rope, got none. Choose RoPE for A."),
        ("far", with_scores(PIZZA, positions="rope"), "its keys stay where they are, got none. "),
        ("rope", READY_QUESTIONS["far"].shown[0], "or ask for a farther query."),
    ],
)
def test_an_a_in_which_nothing_would_change_is_refused(
    name: str, a: Scenario, message: str
) -> None:
    with pytest.raises(MhaError, match=re.escape(message)):
        READY_QUESTIONS[name].change(a)


def test_what_else_a_has_stays() -> None:
    """Only one thing changes, whatever else A has."""
    padded = with_rules(PIZZA, ["padding"])
    assert [r.name for r in READY_QUESTIONS["causal"].change(padded).mask.rules] == [
        "padding",
        "causal",
    ]
    off = with_heads_off(READY_QUESTIONS["head"].shown[0], {3})
    assert READY_QUESTIONS["head"].change(off).heads_off == {1, 3}
    turned = with_scores(PIZZA, positions="rope", query_start=7)
    assert READY_QUESTIONS["rope"].change(turned).scores.query_start == 107
    biased = replace(PIZZA, b_k=np.arange(8.0))
    pairs = READY_QUESTIONS["grouped"].change(biased)
    assert np.array_equal(pairs.b_k, biased.b_k[:4])
    split = READY_QUESTIONS["heads"].change(biased)
    assert np.array_equal(split.b_k, biased.b_k)
    assert {each.what for each in differences(biased, split)} == CHANGED["heads"]


def test_keys_that_cannot_be_shared_in_pairs_are_said() -> None:
    with pytest.raises(HeadsError, match=r"must be even.*got 1\. Take an A with 2, 4 or more"):
        READY_QUESTIONS["grouped"].change(load_example("one-head"))


def layer_of(width: int, n_tokens: int, **others: Any) -> Scenario:
    eye = np.eye(width)
    given: dict[str, Any] = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), eye)
    settings: dict[str, Any] = {"mask": CAUSAL, "scores": ScoreOptions(scale="none"), **others}
    return Scenario(x=np.ones((n_tokens, width)), n_heads=1, **given, **settings)


def test_the_one_change_keeps_all_sizes_where_an_earlier_question_would_not() -> None:
    a = layer_of(4, 2)
    assert READY_QUESTIONS["heads"].change(a).sizes != a.sizes
    b = with_one_change(as_stack(a), 0, a).first
    assert b != a
    assert b.sizes == a.sizes


def test_where_no_question_changes_anything_there_is_no_change() -> None:
    all_set = ScoreOptions(scale="none", softmax="naive")
    a = with_dtype(layer_of(1, 1, heads_off={0}, scores=all_set), "float32")
    assert with_one_change(as_stack(a), 0, a).first is a


# ---- of several layers --------------------------------------------------------------------------

TWO = load_stack("induction")


def test_one_layer_above_copies_is_the_example_of_two() -> None:
    assert READY_QUESTIONS["layers"].sides[1] == TWO


def test_a_change_of_one_layer_leaves_the_others() -> None:
    layer = attend(TWO).layers[1].scenario
    stack = READY_QUESTIONS["head"].b_of(TWO, 1, layer)
    assert [each.heads_off for each in stack.layers] == [set(), {0}]


def test_the_one_change_is_made_in_the_layer_that_is_shown() -> None:
    shown = attend(TWO).layers[1].scenario
    b = with_one_change(TWO, 1, shown)
    assert [layer.heads_off for layer in b.layers] == [set(), {0}]
    sees_all = with_layer(TWO, 1, shown, replace(shown, mask=Mask()))
    b = with_one_change(sees_all, 1, attend(sees_all).layers[1].scenario)
    assert b.layers[0] == TWO.first
    assert b.layers[1].mask == CAUSAL


def test_a_causal_mask_below_another_that_hides_as_much_is_no_change() -> None:
    with pytest.raises(MhaError, match="must show a later token to a query, so that B can hide it"):
        READY_QUESTIONS["causal"].change(TWO.first)


@pytest.mark.parametrize(
    ("name", "a", "message"),
    [
        ("layers", TWO, "The layers of A must be one, on an X with free columns for copies, got X"),
        ("layers", as_stack(PIZZA), "got X of 4 × 8. Ask it without your own A."),
        ("copies", as_stack(PIZZA), "The layers of A must be two or more, so that layer 2 can "),
        ("copies", READY_QUESTIONS["copies"].sides[1], "Head 1 of A must be on, so that B can"),
    ],
)
def test_layers_that_a_question_is_not_about_are_refused(name: str, a: Stack, message: str) -> None:
    with pytest.raises(MhaError, match=re.escape(message)):
        READY_QUESTIONS[name].b_of(a, 0, a.first)


@pytest.mark.parametrize("name", ["layers", "copies"])
def test_what_is_claimed_of_layers_is_not_true_of_other_sizes(name: str) -> None:
    other = attend(PIZZA)
    assert not any(claim.holds(other, other) for claim in READY_QUESTIONS[name].claims)
