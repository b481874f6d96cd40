"""A sentence as vectors that mean something, and four heads that read it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core import attend
from mha_core.changing.changes import with_changes, with_matrix, with_tokens
from mha_core.changing.recipes import Recipe
from mha_core.changing.reordering import with_token_moved
from mha_core.checks.errors import ShapeError
from mha_core.examples import load_example
from mha_core.layer.matrices import labelled_matrix
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x
from mha_core.making.presets import LayerSizes, make_projections
from mha_core.making.word_kinds import kind_of, plain_word
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.reading.sentences import all_readings
from mha_core.scenario.x_columns import KIND, OF_WORDS, PLACE, WORD

SENTENCE = "the cat sees the other cat"
SENTENCES = ["I love pepperoni pizza", "the dog bites the man", "so", "rain", "ну и что"]
NAMES = ("noun", "verb", "word 1", "word 2", "place 1", "place 2")


def read(text: str) -> Trace:
    """The opening example with another sentence."""
    return attend(with_tokens(load_example("the-cat"), text.split()))


def columns(trace: Trace) -> tuple[str, ...]:
    return labelled_matrix(trace, "x").columns.labels


def test_a_word_has_one_vector_wherever_it_stands_and_however_it_is_written():
    x = make_x(OF_WORDS, ["The", "cat,", "the", "CAT"], 8)
    assert np.array_equal(x[0, :-2], x[2, :-2])
    assert np.array_equal(x[1, :-2], x[3, :-2])
    assert not np.array_equal(x[0, WORD], x[1, WORD])


@given(words=st.lists(st.text(min_size=1, max_size=9), min_size=1, max_size=20))
def test_every_text_has_directions_of_length_1_and_hands_of_length_1(words):
    x = make_x(OF_WORDS, words, 7)
    assert np.linalg.norm(x[:, WORD], axis=1) == pytest.approx(1, abs=0.02)
    assert np.linalg.norm(x[:, PLACE], axis=1) == pytest.approx(1, abs=0.02)
    assert ((x[:, KIND] >= 0) & (x[:, KIND] <= 1)).all()


def test_a_sign_alone_is_its_own_word():
    assert plain_word("?!") == "?!"
    assert kind_of(plain_word("?!")) == (1.0, 0.0)


def test_the_labels_say_what_the_columns_mean_also_of_the_projections():
    trace = read("the cat")
    assert columns(trace) == NAMES
    assert labelled_matrix(trace, "w_q").rows.labels == NAMES
    assert labelled_matrix(trace, "output").columns.labels == ("1", "2", "3", "4", "5", "6")


def test_the_labels_stay_while_numbers_are_edited_and_go_with_another_x():
    s = load_example("the-cat")
    edited = s.x.copy()
    edited[1:] += 1
    assert columns(attend(with_matrix(s, "x", edited))) == NAMES
    other = np.arange(36).reshape(6, 6)
    assert columns(attend(with_matrix(s, "x", other))) == ("1", "2", "3", "4", "5", "6")
    assert columns(attend(with_changes(s, x=Recipe("random")))) == ("1", "2", "3", "4", "5", "6")


def test_moved_tokens_keep_what_still_says_where_they_stand():
    moved = with_token_moved(load_example("the-cat"), "tokens", 5, 0)
    assert moved.origin.x == ""
    assert columns(attend(moved)) == ("1", "2", "3", "4", "5", "6")


@pytest.mark.parametrize("text", SENTENCES)
def test_in_every_sentence_heads_look_at_the_word_before_and_at_the_same_word(text):
    trace = read(text)
    n = trace.scenario.n_q
    before, same, _, evenly = trace.weights
    assert np.array_equal(before[1:].argmax(axis=1), np.arange(n - 1))
    words = trace.scenario.tokens
    assert [words[key] for key in same.argmax(axis=1)] == list(words)
    assert nearly_equal(evenly, np.full((n, n), 1 / n))


def test_the_heads_of_the_opening_example_are_named_by_what_they_look_at():
    names = [reading.name for reading in all_readings(read(SENTENCE))]
    assert names == ["the word before", "the same word", "mostly “sees”", "all words"]


def test_the_output_is_what_the_heads_found_in_the_columns_they_found_it_in():
    trace = read(SENTENCE)
    before, same, kinds, every = trace.head_outputs
    assert nearly_equal(trace.output[:, WORD], (before + kinds) / 2)
    assert nearly_equal(trace.output[:, PLACE], same)
    assert nearly_equal(trace.output[:, KIND], every)


def test_wider_heads_look_at_the_same_words():
    narrow, wide = (
        make_projections("sentence_heads", LayerSizes(8, 8, 4, 4, d_k, d_k, 8)) for d_k in (2, 4)
    )
    x = make_x(OF_WORDS, SENTENCE.split(), 8)
    first = [
        (x @ each.w_q[:, :d_k]) @ (x @ each.w_k[:, :d_k]).T / np.sqrt(d_k)
        for each, d_k in ((narrow, 2), (wide, 4))
    ]
    assert nearly_equal(*first)


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        (LayerSizes(5, 6, 1, 1, 2, 2, 5), "d_model must be at least 6: .*got 5"),
        (LayerSizes(6, 5, 1, 1, 2, 2, 5), "d_model_kv must be at least 6: .*got 5"),
        (LayerSizes(6, 6, 1, 1, 1, 2, 5), "d_k must be at least 2: .*got 1"),
    ],
)
def test_sizes_that_cannot_hold_what_the_heads_read_are_refused(sizes, says):
    with pytest.raises(ShapeError, match=says):
        make_projections("sentence_heads", sizes)
