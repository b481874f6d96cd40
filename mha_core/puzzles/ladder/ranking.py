"""Which of the tokens up to itself comes first: by one wish, or by two of which one is stronger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.ladder.looking import FREE, START
from mha_core.puzzles.puzzle import PLACES, WORDS, Arrays, Puzzle, Tokens, word_and_place
from mha_core.puzzles.wants import Looks, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.x_columns import NUMBERS, NUMBERS_BY_PLACES

BACKWARDS: Final = replace(START, mask=Mask((Rule("causal"),)))
STRONG: Final = 8.0  # one more in a key makes a score larger by 8/√8 = 2.8: e to that is 17
RANKS: Final = 2.0 * np.arange(len(NUMBERS))
STEPS: Final = 1.0 * np.arange(PLACES)
FIRST_OF_ALL: Final = 10.0  # of a: more than all steps of places together


def numbers_and_places(tokens: Tokens) -> FloatArray:
    """X with a column for each of the numbers from 1 to 5, and one for each place."""
    return word_and_place(tokens, NUMBERS)


def best_so_far(tokens: Tokens, best: Callable[[Tokens], str]) -> list[Want]:
    """The best among those up to itself. If it stands there more than once, to each as much."""
    wanted: list[Want] = []
    for place in range(len(tokens)):
        seen = tokens[: place + 1]
        keys = tuple(i for i, number in enumerate(seen) if number == best(seen))
        wanted.append(Looks(place, keys))
    return wanted


def _last_a(tokens: Tokens) -> list[Want]:
    """Nothing is wanted of tokens before the first a."""
    places = [i for i, word in enumerate(tokens) if word == "a"]
    lasts = {q: max((i for i in places if i <= q), default=None) for q in range(len(tokens))}
    return [Looks(query, (last,)) for query, last in lasts.items() if last is not None]


def _ranked(words: FloatArray, places: FloatArray, strength: float = STRONG) -> Arrays:
    """Each query asks for the same; a key has so much of it by its word, and by its place."""
    w_q, w_k = np.zeros_like(START.w_q), np.zeros_like(START.w_k)
    w_q[: len(words), 0] = strength
    w_k[:, 0] = [*words, *places]
    return {"w_q": w_q, "w_k": w_k}


NOWHERE: Final = np.zeros(PLACES)
NO_WORD: Final = np.zeros(len(WORDS))
A_FIRST: Final = FIRST_OF_ALL * np.eye(len(WORDS))[0]

GREATEST: Final = Puzzle(
    "greatest",
    say("Look at the greatest number so far"),
    say(
        "Each token gives nearly all of its weight to the greatest number up to itself, shared "
        "among equal ones."
    ),
    replace(BACKWARDS, origin=Origin(x=NUMBERS_BY_PLACES)),
    FREE,
    partial(best_so_far, best=max),
    ("1 3 2 4", "2 1 1 2", "5 4 3 1"),
    lambda: _ranked(RANKS, NOWHERE),
    most_numbers=2 * len(NUMBERS) - 1,
    hints=(
        say("The mask hides what comes later. All queries may be the same row."),
        say("Weights show which score is largest: give a greater number a larger score."),
        say("W_Q: an 8 in the first column for each number. W_K: there 0, 2, 4, 6 and 8."),
    ),
    source=say("Our own"),
    near_misses={
        "the smallest": lambda: _ranked(RANKS[::-1], NOWHERE),
        "4 and 5 alike": lambda: _ranked(np.minimum(RANKS, RANKS[-2]), NOWHERE),
        "too weak": lambda: _ranked(RANKS / 2, NOWHERE, STRONG / 2),
    },
    x_of=numbers_and_places,
    words=NUMBERS,
)

LAST_A: Final = Puzzle(
    "last-a",
    say("Look at the last a"),
    say(
        "Each token gives nearly all of its weight to the last a up to itself. Nothing is wanted "
        "of tokens before the first a."
    ),
    BACKWARDS,
    FREE,
    _last_a,
    ("a b c a", "b a a d", "a c a e b"),
    lambda: _ranked(A_FIRST, STEPS),
    most_numbers=len(WORDS) + PLACES,
    hints=(
        say("A score may be a sum: so much for the word, so much for the place."),
        say("A later place gives a bit more, but a word that is a gives more than all places."),
        say(
            "W_Q: an 8 in the first column for each word. W_K: there 10 for a, and 0, 1, 2 and so "
            "on for the places."
        ),
    ),
    source=say("Our own"),
    near_misses={
        "all a alike": lambda: _ranked(A_FIRST, NOWHERE),
        "the last token, whatever its word": lambda: _ranked(NO_WORD, STEPS),
        "places count for more than words": lambda: _ranked(A_FIRST / 5, STEPS),
    },
    needed=("a",),
)

RANKING: Final = (GREATEST, LAST_A)
