"""Ready questions: each changes one thing, and what it says of A and B is true."""

from __future__ import annotations

from contextlib import suppress

import pytest

from mha_core import attend
from mha_core.checks.errors import HeadsError, MhaError
from mha_core.comparing.differences import differences
from mha_core.comparing.questions import READY_QUESTIONS, ReadyQuestion
from mha_core.examples import EXAMPLES, load_example
from mha_core.layer.trace import STEPS

QUESTIONS = pytest.mark.parametrize("ready", READY_QUESTIONS.values(), ids=lambda each: each.name)
# What a person changes; sizes and arrays that follow are named as well.
CHANGED = {
    "root": {"Scale"},
    "causal": {"Mask"},
    "heads": {"Heads", "Key/value heads", "d_k", "d_v", "W_Q", "W_K"},
    "order": {"Tokens"},
    "positions": {"Tokens"},
    "head": {"Heads off"},
    "grouped": {"Key/value heads", "W_K", "W_V"},
    "float32": {"Number type"},
    "rope": {"First position"},
    "far": {"First position"},
    "naive": {"Softmax"},
}
SAY_THAT_NOTHING_MOVES = ("order",)


@QUESTIONS
def test_its_claims_are_true(ready: ReadyQuestion) -> None:
    a, b = map(attend, ready.sides)
    assert ready.claims
    assert [claim.sentence for claim in ready.claims if not claim.holds(a, b)] == []


@QUESTIONS
def test_its_claims_are_not_true_of_a_alone(ready: ReadyQuestion) -> None:
    a, _ = map(attend, ready.sides)
    true = all(claim.holds(a, a) for claim in ready.claims)
    assert true == (ready.name in SAY_THAT_NOTHING_MOVES)


@QUESTIONS
def test_it_changes_one_thing(ready: ReadyQuestion) -> None:
    assert {each.what for each in differences(*ready.sides)} == CHANGED[ready.name]


@QUESTIONS
def test_its_sides_are_made_once_and_its_step_is_one(ready: ReadyQuestion) -> None:
    assert ready.sides is ready.sides
    assert ready.step in {step.name for step in STEPS}
    assert ready.question.endswith("?")


@QUESTIONS
@pytest.mark.parametrize("name", [name for name in EXAMPLES if not name.endswith("1024")])
def test_it_can_be_asked_of_any_other_a_or_says_why_not(ready: ReadyQuestion, name: str) -> None:
    with suppress(MhaError):  # it has a sentence of its own
        attend(ready.change(load_example(name)))


def test_keys_that_cannot_be_shared_in_pairs_are_said() -> None:
    with pytest.raises(HeadsError, match=r"must be even.*got 1\. Take an A with 2, 4 or more"):
        READY_QUESTIONS["grouped"].change(load_example("one-head"))
