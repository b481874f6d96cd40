"""What a newcomer meets: real words, every head with a name, and vectors for what is typed."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mha_core.examples import EXAMPLES, load_example
from tests.form_fields import Item, forms_on
from tests.pages.visitor import Visitor
from ui.blocks.first_words import (
    A_ROW,
    HEADS,
    ONE_WORD,
    SCORES,
    UNLESS_HIDDEN,
    UNLESS_LOST,
    X_ALONE,
    X_AND_C,
    X_AND_C_V,
    X_C_AND_C_V,
)
from ui.controls.sidebar import enter_in_sidebar
from ui.state import Session

SENTENCE = "my dog loves the old garden"
SMALL = [name for name in EXAMPLES if not name.endswith(("1024", "512"))]


def keys_of_forms(address: str) -> list[list[str]]:
    """The keys of the fields that are often used, form by form."""
    return [
        [item["key"] for each in form["sections"] for item in each["often"] if "key" in item]
        for form in forms_on(Visitor(address).at)
    ]


def matrices_of_heads(visitor: Visitor) -> list[Item]:
    matrices: list[Item] = visitor.plots["heads"]["figure"]["matrices"]
    return matrices


def notes_below_headings(visitor: Visitor) -> list[str]:
    notes = (each["notes"] for each in matrices_of_heads(visitor))
    return [" ".join(lines).strip() for lines in notes if any(lines)]


def test_an_address_that_says_nothing_opens_a_sentence_and_one_with_words_two_tokens() -> None:
    assert Visitor("").scenario.tokens == ("the", "cat", "sees", "the", "other", "cat")
    assert Visitor("utm_source=course").scenario.origin.example == "the-cat"
    assert Visitor("causal=1").scenario.tokens == ("t1", "t2")
    assert Visitor("decimals=3").scenario.tokens == ("t1", "t2")


def test_the_first_picture_has_the_whole_computation() -> None:
    names = [each["name"] for each in matrices_of_heads(Visitor(""))]
    heads = [f"{step}/{head}" for step in ("masked_scores", "weights") for head in range(4)]
    assert sorted(names) == sorted(["x", *heads, "concat", "output"])


def test_each_head_stands_under_what_it_looks_at() -> None:
    said = notes_below_headings(Visitor(""))
    assert said == [
        *("one row a token", "the word before", "the same word", "mostly “sees”", "all words"),
        *("what the heads found", "W_O joins them"),
    ]


def test_one_plain_sentence_says_what_a_row_is_also_where_rows_are_empty() -> None:
    visitor = Visitor("")
    assert f"{A_ROW}." in visitor.words
    visitor.enter("rules", ["causal"])
    assert f"{A_ROW}." in visitor.words
    hidden = visitor.mask_by("padding").enter("padding hidden", [*range(6)])
    assert f"{A_ROW}{UNLESS_HIDDEN}." in hidden.words
    lost = Visitor("example=saturated&softmax=naive&x.cells=0_0_900")
    assert f"{A_ROW}{UNLESS_LOST}." in lost.words


def test_one_word_is_told_where_it_looks() -> None:
    assert f"{ONE_WORD}." in Visitor("tokens=hello").words
    assert f"{A_ROW}." in Visitor("tokens=hello+you").words
    blind = Visitor("tokens=hello").mask_by("padding").enter("padding hidden", [0])
    assert f"{ONE_WORD}." not in blind.words


@pytest.mark.parametrize(
    ("address", "of_x"),
    [
        ("", X_ALONE),
        ("example=translation", X_AND_C),
        ("example=pizza&context_v.cells=0_0_1", X_AND_C_V),
        ("example=translation&context_v.cells=0_0_1", X_C_AND_C_V),
    ],
)
def test_three_sentences_say_what_x_scores_and_heads_are(address: str, of_x: str) -> None:
    (sent,) = (
        json.loads(node.proto.json)
        for node in Visitor(address).at.get("bidi_component")
        if node.proto.component_name == "closable"
    )
    assert sent["sentences"].splitlines() == [of_x, SCORES, HEADS]


def test_the_sentence_stands_above_the_pictures_and_not_in_the_sidebar() -> None:
    assert sorted(keys_of_forms(""), key=len)[0] == ["tokens"]
    assert sum("tokens" in keys for keys in keys_of_forms("")) == 1


def test_a_link_that_hides_the_input_hides_the_sentence() -> None:
    assert not any("tokens" in keys for keys in keys_of_forms("hide=input"))


@pytest.mark.parametrize("example", SMALL)
def test_after_a_sentence_is_typed_every_head_shows_something_in_every_example(
    example: str,
) -> None:
    session = Session(load_example(example))
    enter_in_sidebar(session, "tokens", SENTENCE)
    assert session.scenario.tokens == tuple(SENTENCE.split())
    assert np.isfinite(session.trace.weights).all()
    assert (session.scenario.x != 0).any(axis=1).all()


def test_a_typed_word_always_has_the_same_vector_and_a_word_that_is_there_keeps_its_own() -> None:
    visitor = Visitor("example=two-tokens").enter("tokens", "t2 cold t2 and cold t1")
    x, before = visitor.scenario.x, load_example("two-tokens").x
    assert np.array_equal(x[[0, 2, 5]], before[[1, 1, 0]])
    assert np.array_equal(x[1], x[4])
    again = Visitor("example=two-tokens").enter("tokens", "so cold")
    assert np.array_equal(again.scenario.x[1], x[1])
