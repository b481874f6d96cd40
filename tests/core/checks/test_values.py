"""The checks of single values: what each takes, and what it says of the rest."""

from __future__ import annotations

import numpy as np
import pytest

from mha_core.checks.errors import LimitError, NumberError, OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.values import check_one_of, check_places, check_tokens, check_whole


def test_a_token_is_a_text_that_may_be_long_and_no_longer():
    longest = "A" * LIMITS.label_chars
    assert check_tokens([longest]) == (longest,)
    with pytest.raises(LimitError, match=r"A token must be text of at most 200 .*, got 201 char"):
        check_tokens([longest + "A"])
    with pytest.raises(OptionError, match=r"A token must be text, got 7 of type int\. Write it"):
        check_tokens(["SO", 7])
    with pytest.raises(OptionError, match="The tokens must be a list of texts, got 'SO GOOD'"):
        check_tokens("SO GOOD")


def test_numbers_of_numpy_count_as_whole_and_both_ends_are_allowed():
    check_whole("n", np.int64(3), 3, 5)
    check_whole("n", 5, 3, 5)
    with pytest.raises(NumberError, match=r"n must be a whole number from 3 to 5, got 6\. Take 5"):
        check_whole("n", 6, 3, 5)


@pytest.mark.parametrize(
    ("value", "way_out"),
    [
        (6, "Take 5, or another number in this range."),
        (2, "Take 3, or another number in this range."),
        (np.int64(-9), "Take 3, or another number in this range."),
        (4.0, "Take 3, or another number in this range."),
        (True, "Take 3, or another number in this range."),
    ],
)
def test_the_nearest_whole_number_is_named(value: object, way_out: str) -> None:
    with pytest.raises(NumberError) as refused:
        check_whole("n", value, 3, 5)
    assert refused.value.way_out == way_out


def test_a_name_that_is_none_of_the_words_is_told_them() -> None:
    check_one_of("The colour", "red", ("red", "green"))
    with pytest.raises(OptionError, match="The colour must be one of red, green, got 'blue'"):
        check_one_of("The colour", "blue", ("red", "green"))
    with pytest.raises(OptionError, match=r"got 'gren'\. Write green\.$"):
        check_one_of("The colour", "gren", ("red", "green"))
    with pytest.raises(OptionError, match=r"got \['red'\]\. Check its spelling"):
        check_one_of("The colour", ["red"], ("red", "green"))


@pytest.mark.parametrize("wrong", [2, -1, 0.0, True, "0", None])
def test_a_place_is_a_whole_number_below_the_count(wrong: object) -> None:
    check_places("rows", [0, 1, np.int64(1)], 2, "query", "queries")
    with pytest.raises(NumberError, match="rows must name queries from 0 to 1, got"):
        check_places("rows", [0, wrong], 2, "query", "queries")
