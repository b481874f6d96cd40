"""Our stories: their words, and what comes back in them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from mha_core.trained.stories import (
    FIRST_NAMES,
    LAST_NAMES,
    LEAST,
    MARKS,
    UNKNOWN,
    WORDS,
    story,
    text,
)

STORIES = [story(np.random.default_rng(seed)) for seed in range(200)]


def test_every_word_is_there_once_whether_it_begins_a_sentence_or_not() -> None:
    folded = [word.casefold() for word in WORDS]
    assert len(set(folded)) == len(folded)
    assert WORDS[0] == UNKNOWN


def test_stories_use_every_word_but_the_unknown_one_and_no_other() -> None:
    used = {word.casefold() for told in STORIES for word in told}
    assert used == {word.casefold() for word in WORDS if word != UNKNOWN}


@pytest.mark.parametrize("told", STORIES[:7])
def test_a_story_is_made_of_sentences(told: tuple[str, ...]) -> None:
    assert told[-1] == "."
    assert told.count(".") >= LEAST
    begins = [told[0], *(after for mark, after in pairwise(told) if mark == ".")]
    assert all(word[0].isupper() for word in begins)
    assert not {told[0], *begins} & {*MARKS}


@pytest.mark.parametrize("told", STORIES[:7])
def test_a_first_name_has_one_last_name_throughout_a_story(told: tuple[str, ...]) -> None:
    pairs = {pair for pair in pairwise(told) if pair[1] in LAST_NAMES}
    assert 0 < len({first for first, _ in pairs}) == len(pairs) <= 2
    assert {first for first, _ in pairs} <= {*FIRST_NAMES}


def test_names_are_drawn_anew_for_each_story() -> None:
    pairs = {pair for told in STORIES for pair in pairwise(told) if pair[1] in LAST_NAMES}
    anna = {last for first, last in pairs if first == "Anna"}
    assert len(anna) > 2


def test_the_same_chance_tells_the_same_story() -> None:
    assert story(np.random.default_rng(7)) == STORIES[7]
    assert story(np.random.default_rng(8)) != STORIES[7]


def test_a_text_goes_on_with_more_stories_and_has_the_length_asked_for() -> None:
    told = text(np.random.default_rng(2), 500)
    assert len(told) == 500
    assert told[: len(STORIES[2])] == STORIES[2]
