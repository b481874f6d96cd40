"""The field guide: every head does what it says, and what breaks it does break it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.changing.layers import with_one_more_layer
from mha_core.examples import load_stack
from mha_core.guide.field_guide import (
    FIELD_GUIDE,
    SENTENCE,
    WITHOUT_LAYER_1,
    Breaker,
    GuideEntry,
    entry_of,
)
from tests.draws import draws

ENTRIES = pytest.mark.parametrize("entry", FIELD_GUIDE.values(), ids=lambda each: each.name)
BREAKERS = pytest.mark.parametrize(
    ("entry", "breaker"),
    [(entry, breaker) for entry in FIELD_GUIDE.values() for breaker in entry.breakers],
    ids=lambda each: each.name if isinstance(each, GuideEntry) else "",
)
TOKENS = st.lists(st.sampled_from(["A", "B", "C", "D"]), min_size=1, max_size=9)


@ENTRIES
@given(tokens=TOKENS)
def test_the_head_does_what_it_says_on_any_sentence(entry: GuideEntry, tokens: list[str]) -> None:
    stack = entry.on(tokens)
    assert stack.tokens == tuple(tokens)
    assert {layer.n_heads for layer in stack.layers} == {1}
    assert entry.holds(attend(stack).layers[-1])
    assert entry_of(stack) is entry


@BREAKERS
def test_what_breaks_it_breaks_it(entry: GuideEntry, breaker: Breaker) -> None:
    assert not entry.holds(attend(breaker.of(entry.on(SENTENCE))).layers[-1])


@BREAKERS
@draws(20)
@given(tokens=TOKENS)
def test_what_breaks_it_can_be_tried_on_any_sentence(
    entry: GuideEntry, breaker: Breaker, tokens: list[str]
) -> None:
    assert breaker.of(entry.on(tokens)).tokens == tuple(tokens)


@ENTRIES
def test_each_says_why_and_where_it_was_seen(entry: GuideEntry) -> None:
    does = [entry.claim_on(tokens).sentence for tokens in (SENTENCE, ["A"])]
    sentences = [*does, entry.why, *(each.sentence for each in (*entry.breakers, *entry.seen))]
    assert all(sentence.endswith(".") for sentence in sentences)
    assert entry.breakers
    assert all(", 20" in each.paper for each in entry.seen)


def test_other_layers_are_in_no_entry() -> None:
    assert entry_of(load_stack("pizza")) is None
    two = with_one_more_layer(FIELD_GUIDE["block"].on(SENTENCE))
    assert entry_of(two) is None


@pytest.mark.parametrize("name", ["induction", "pointer"])
def test_after_the_same_word_comes_what_followed_it_then(name: str) -> None:
    """Both ways: to each as much where several followed, and also to itself."""
    weights = (
        attend(FIELD_GUIDE[name].on(["a", "b", "c", "a", "d", "a", "a"])).layers[-1].weights[0]
    )
    np.testing.assert_allclose(weights[3], np.eye(7)[1], atol=1e-6)
    np.testing.assert_allclose(weights[5], [0, 0.5, 0, 0, 0.5, 0, 0], atol=1e-6)
    np.testing.assert_allclose(weights[6], np.array([0, 1, 0, 0, 1, 0, 1]) / 3, atol=1e-6)


@pytest.mark.parametrize("name", ["induction", "pointer"])
def test_where_no_word_comes_twice_nothing_is_found_and_it_says_so(name: str) -> None:
    entry = FIELD_GUIDE[name]
    assert entry.claim_on(["one", "two", "one"]).sentence.startswith("In layer 2, every token")
    claim = entry.claim_on(["one", "two"])
    assert claim.sentence.startswith("No word comes twice: layer 2 finds nothing")
    assert claim.holds(attend(entry.on(["one", "two"])).layers[-1])
    assert not claim.holds(attend(entry.on(["one", "two", "one"])).layers[-1])


@pytest.mark.parametrize("name", ["induction", "pointer"])
def test_without_layer_1_all_tokens_so_far_are_looked_at_alike(name: str) -> None:
    n = len(SENTENCE)
    found = attend(WITHOUT_LAYER_1.of(FIELD_GUIDE[name].on(SENTENCE))).layers[-1].weights[0]
    np.testing.assert_allclose(found, np.tri(n) / np.arange(1, n + 1)[:, None])
