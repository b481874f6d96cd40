"""Ways to make X: what each row holds, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.checks.errors import LimitError, NumberError, OptionError, ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.layer.positions import sinusoids
from mha_core.making.inputs import INPUTS, generator, make_x, natural_width, numbered, tokenize

words = st.lists(st.sampled_from(["SO", "GOOD", "IT", "WAS"]), min_size=1, max_size=7)


def test_the_ways_to_make_x_are_those_that_the_page_offers():
    names = ["one_hot", "one_hot_position", "word_vectors", "kind_word_place"]
    names += ["zeros", "random", "sinusoids", "trained_words"]
    assert list(INPUTS) == names
    assert [way.name for way in INPUTS.values()] == names
    assert all(way.title and way.sentence.endswith(".") for way in INPUTS.values())


def test_one_hot_gives_each_distinct_word_a_column_in_order_of_first_appearance():
    x = make_x("one_hot", ["SO", "GOOD", "SO", "IT"], d_model=5)
    assert x.tolist() == [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]]


def test_one_hot_position_adds_a_column_for_each_place():
    x = make_x("one_hot_position", ["SO", "SO", "GOOD"], d_model=6)
    assert x.tolist() == [[1, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0]]


def test_zeros_are_zero_and_sinusoids_are_the_waves_of_the_place():
    assert not make_x("zeros", ["A", "B", "C"], 5).any()
    assert np.array_equal(make_x("sinusoids", ["A", "B", "C"], 5), sinusoids(3, 5))


def test_the_trained_model_reads_words_that_it_knows_and_all_others_alike():
    x = make_x("trained_words", ["Mila", "wombat"], 67)
    same = make_x("trained_words", ["MILA", "xylophone"], 67)
    assert np.array_equal(x, same)
    assert x[:, :64].all(axis=0).any()
    assert not x[:, 64:].any()


@given(words, st.integers(1, 11), st.integers(0, LIMITS.seed))
def test_the_same_word_has_the_same_vector_in_every_text(tokens, d_model, seed):
    alone = {word: make_x("word_vectors", [word], d_model, seed)[0] for word in tokens}
    x = make_x("word_vectors", tokens, d_model, seed)
    assert np.array_equal(x, [alone[word] for word in tokens])


def test_different_words_and_different_seeds_give_different_vectors():
    x = make_x("word_vectors", ["PIZZA", "pizza", "PIZZA,"], 7)
    assert len({row.tobytes() for row in x}) == 3
    assert not np.array_equal(x, make_x("word_vectors", ["PIZZA", "pizza", "PIZZA,"], 7, seed=1))


def test_what_chance_gives_is_the_same_on_every_machine_so_that_links_keep_their_meaning():
    assert make_x("word_vectors", ["PIZZA", "LOVE"], 3, seed=0).tolist() == PIZZA_LOVE
    assert make_x("random", ["PIZZA", "LOVE"], 3, seed=5).tolist() == RANDOM_5


@pytest.mark.parametrize("name", ["word_vectors", "random"])
def test_chance_has_mean_0_and_spread_1_and_two_decimals(name):
    x = make_x(name, [f"word {i}" for i in range(97)], d_model=101)
    assert abs(x.mean()) < 0.05
    assert x.std() == pytest.approx(1, abs=0.05)
    assert np.array_equal(x, x.round(2))


def test_random_gives_equal_words_different_rows():
    x = make_x("random", ["SO", "SO"], 5)
    assert not np.array_equal(x[0], x[1])


@pytest.mark.parametrize("name", INPUTS)
@given(tokens=words, wider=st.integers(0, 3))
def test_every_way_gives_one_row_a_token_of_the_width_asked_for(name, tokens, wider):
    d_model = (natural_width(name, tokens) or 1) + wider
    x = make_x(name, tokens, d_model)
    assert x.shape == (len(tokens), d_model)
    assert x.dtype == np.float64


@pytest.mark.parametrize("name", INPUTS)
def test_the_seed_plays_a_part_just_where_the_input_says_so(name):
    width = natural_width(name, ["SO", "GOOD"]) or 6
    x = [make_x(name, ["SO", "GOOD"], width, seed) for seed in (2, 3)]
    assert np.array_equal(*x) != INPUTS[name].seeded


@pytest.mark.parametrize(("name", "width"), [("one_hot", 2), ("one_hot_position", 5)])
def test_a_d_model_too_small_for_one_hot_is_told_the_width_it_needs(name, width):
    tokens = ["SO", "SO", "GOOD"]
    assert natural_width(name, tokens) == width
    with pytest.raises(
        ShapeError, match=rf"d_model must be at least {width} .*got {width - 1}\. T"
    ):
        make_x(name, tokens, width - 1)


def test_inputs_of_any_width_have_no_natural_width():
    any_width = [name for name in INPUTS if natural_width(name, ["SO"]) is None]
    assert any_width == ["word_vectors", "zeros", "random", "sinusoids"]


@pytest.mark.parametrize("make", [lambda n: make_x(n, ["A"], 3), lambda n: natural_width(n, ["A"])])
def test_an_unknown_input_is_answered_with_the_known_ones(make):
    with pytest.raises(OptionError, match=r"The input must be one of one_hot, .*got 'one-hot'"):
        make("one-hot")


def test_tokenize_takes_what_stands_between_blanks_and_keeps_capitals_and_signs():
    assert tokenize("  I love\tLOVE,\n pizza ") == ("I", "love", "LOVE,", "pizza")


@pytest.mark.parametrize("text", ["", " \t\n"])
def test_a_text_without_words_is_refused_with_an_example(text):
    with pytest.raises(ShapeError, match=r"The text must hold at least one word, got none\. Type"):
        tokenize(text)


def test_texts_beyond_the_limits_are_refused():
    with pytest.raises(LimitError, match="The text must be at most 20 MB, got a little more"):
        tokenize(" " * (LIMITS.text_chars + 1))
    with pytest.raises(LimitError, match=f"number of tokens must be at most {LIMITS.tokens:,}"):
        tokenize("A " * (LIMITS.tokens + 1))
    assert len(tokenize("A " * LIMITS.tokens)) == LIMITS.tokens


def test_an_x_with_too_many_numbers_is_refused_before_it_is_made():
    tokens = ["A"] * LIMITS.tokens
    with pytest.raises(LimitError, match=f"numbers in X must be at most {LIMITS.cells:,}"):
        make_x("zeros", tokens, LIMITS.cells // LIMITS.tokens + 1)


@pytest.mark.parametrize("d_model", [0, -1, 2.0, "3", True, None, LIMITS.width + 1])
def test_a_d_model_that_is_no_size_is_refused(d_model):
    with pytest.raises(NumberError, match="d_model must be a whole number from 1 to 8192, got"):
        make_x("zeros", ["A"], d_model)


@pytest.mark.parametrize("seed", [-1, LIMITS.seed + 1, 0.5])
def test_a_seed_outside_its_range_is_refused(seed):
    with pytest.raises(NumberError, match="The seed must be a whole number from 0 to 4294967295"):
        generator(seed)


def test_a_word_with_half_a_character_still_has_a_vector():
    assert make_x("word_vectors", ["\ud800"], 3).shape == (1, 3)


def test_things_are_numbered_by_first_appearance():
    assert numbered("abacab") == [0, 1, 0, 2, 0, 1]


# Numbers that links depend on. If one of these changes, old links change their meaning.
PIZZA_LOVE = [[0.41, 0.03, 1.06], [-0.11, 0.86, 1.49]]
RANDOM_5 = [[-0.8, -1.32, -0.25], [0.42, 1.14, 0.11]]
