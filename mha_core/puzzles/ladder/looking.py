"""Where a head looks: W_Q and W_K are to be written."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.puzzle import PLACES, WORDS, Arrays, Puzzle, Tokens, of_zeros
from mha_core.puzzles.wants import Looks, Want

WIDTH: Final = len(WORDS) + PLACES
START: Final = of_zeros(WIDTH, d_k=PLACES, d_v=len(WORDS))
FREE: Final = ("w_q", "w_k")
SEEN: Final = ("a b c", "b b a c", "d a d e a")
STRONG: Final = 4.0  # squared and divided by √8 it is 5.7: e to that is 287


def _block(first_row: int, ones: FloatArray, strength: float = STRONG) -> FloatArray:
    """A matrix with these numbers from a row on, and zeros elsewhere."""
    made = np.zeros((WIDTH, PLACES))
    rows, columns = ones.shape
    made[first_row : first_row + rows, :columns] = strength * ones
    return made


def _of_words(ones: FloatArray, strength: float = STRONG) -> FloatArray:
    return _block(0, ones, strength)


def _of_places(ones: FloatArray, strength: float = STRONG) -> FloatArray:
    return _block(len(WORDS), ones, strength)


def _same(matrix: FloatArray) -> Arrays:
    return {"w_q": matrix, "w_k": matrix}


ALL_WORDS: Final = np.ones((len(WORDS), 1))
FIRST_PLACE: Final = np.eye(PLACES)[:, :1]
BEFORE: Final = np.eye(PLACES, k=-1)  # place i asks for place i - 1


def each_itself(tokens: Tokens) -> list[Want]:
    return [Looks(place, (place,)) for place in range(len(tokens))]


def _first(tokens: Tokens) -> list[Want]:
    return [Looks(place, (0,)) for place in range(len(tokens))]


def before_each(tokens: Tokens) -> list[Want]:
    return [Looks(place, (place - 1,)) for place in range(1, len(tokens))]


def _a_and_b(tokens: Tokens) -> list[Want]:
    """Where neither stands in the sentence, nothing is wanted."""
    keys = tuple(place for place, word in enumerate(tokens) if word in ("a", "b"))
    return [Looks(place, keys) for place in range(len(tokens))] if keys else []


def the_same_word(tokens: Tokens) -> list[Want]:
    alike = {word: tuple(i for i, each in enumerate(tokens) if each == word) for word in tokens}
    return [Looks(place, alike[word]) for place, word in enumerate(tokens)]


ITSELF: Final = Puzzle(
    "itself",
    say("Look at yourself"),
    say("Each token gives nearly all of its weight to itself."),
    START,
    FREE,
    each_itself,
    SEEN,
    lambda: _same(_of_places(np.eye(PLACES))),
    most_numbers=2 * PLACES,
    hints=(
        say("A score is large where query and key point the same way."),
        say("No other token stands at the same place."),
        say("Let W_Q and W_K both copy the columns of places, times 4."),
    ),
    source=say("Our own"),
    near_misses={
        "words instead of places": lambda: _same(_of_words(np.eye(len(WORDS)))),
        "too weak": lambda: _same(_of_places(np.eye(PLACES), 2.0)),
        "the token before": lambda: {"w_q": _of_places(BEFORE), "w_k": _of_places(np.eye(PLACES))},
    },
)

FIRST: Final = Puzzle(
    "first",
    say("Look at the first token"),
    say("Each token gives nearly all of its weight to the first one."),
    START,
    FREE,
    _first,
    SEEN,
    lambda: {"w_q": _of_words(ALL_WORDS), "w_k": _of_places(FIRST_PLACE)},
    most_numbers=len(WORDS) + 1,
    hints=(
        say("All queries want the same thing, so all of them may be the same row."),
        say("One key alone has what they want: the one at the first place."),
        say("W_Q: a 4 in the first column for each word. W_K: a 4 there for the first place."),
    ),
    source=say("Our own"),
    near_misses={
        "the last place": lambda: {
            "w_q": _of_words(ALL_WORDS),
            "w_k": _of_places(np.eye(PLACES)[:, -1:]),
        },
        "one word asks": lambda: {"w_q": _of_words(ALL_WORDS[:1]), "w_k": _of_places(FIRST_PLACE)},
        "too weak": lambda: {"w_q": _of_words(ALL_WORDS, 2.0), "w_k": _of_places(FIRST_PLACE, 2.0)},
    },
)

BEFORE_BY_PLACES: Final = Puzzle(
    "before",
    say("Look at the token before you"),
    say("Each token but the first gives nearly all of its weight to the one before it."),
    START,
    FREE,
    before_each,
    SEEN,
    lambda: {"w_q": _of_places(BEFORE), "w_k": _of_places(np.eye(PLACES))},
    most_numbers=2 * PLACES - 1,
    hints=(
        say("Let a key say where it stands: W_K copies the columns of places."),
        say("Let a query say where the other should stand: one place before its own."),
        say("W_Q is the same table of places, one step to the left, times 4."),
    ),
    source=say("After Elhage et al., 2021, A Mathematical Framework for Transformer Circuits"),
    near_misses={
        "itself": lambda: _same(_of_places(np.eye(PLACES))),
        "the token after": lambda: {"w_q": _of_places(BEFORE.T), "w_k": _of_places(np.eye(PLACES))},
        "too weak": lambda: {
            "w_q": _of_places(BEFORE, 2.0),
            "w_k": _of_places(np.eye(PLACES), 2.0),
        },
    },
)

SAME_WORD: Final = Puzzle(
    "same-word",
    say("Look at the same word"),
    say("Each token shares its weight among all tokens with its own word, to each as much."),
    START,
    FREE,
    the_same_word,
    SEEN,
    lambda: _same(_of_words(np.eye(len(WORDS)))),
    most_numbers=2 * len(WORDS),
    hints=(
        say("A score is large where query and key point the same way."),
        say("Tokens of one word share the columns of words."),
        say("Let W_Q and W_K both copy the columns of words, times 4."),
    ),
    source=say("Our own"),
    near_misses={
        "places instead of words": lambda: _same(_of_places(np.eye(PLACES))),
        "too weak": lambda: _same(_of_words(np.eye(len(WORDS)), 2.0)),
        "one word is left out": lambda: _same(_of_words(np.eye(len(WORDS))[:-1])),
    },
)

TWO_WORDS: Final = Puzzle(
    "two-words",
    say("Look at two given words"),
    say("Each token shares its weight among all tokens a and b, to each as much."),
    START,
    FREE,
    _a_and_b,
    SEEN,
    lambda: {"w_q": _of_words(ALL_WORDS), "w_k": _of_words(ALL_WORDS[:2])},
    most_numbers=len(WORDS) + 2,
    hints=(
        say("All queries want the same thing, so all of them may be the same row."),
        say("Two keys have what they want, and both have as much of it."),
        say("W_Q: a 4 in the first column for each word. W_K: a 4 there for a and for b."),
    ),
    source=say("Our own"),
    near_misses={
        "a alone": lambda: {"w_q": _of_words(ALL_WORDS), "w_k": _of_words(ALL_WORDS[:1])},
        "b more than a": lambda: {
            "w_q": _of_words(ALL_WORDS),
            "w_k": _of_words(np.array([[1.0], [1.25]])),
        },
        "too weak": lambda: {
            "w_q": _of_words(ALL_WORDS, 2.0),
            "w_k": _of_words(ALL_WORDS[:2], 2.0),
        },
    },
)

LOOKING: Final = (ITSELF, FIRST, BEFORE_BY_PLACES, SAME_WORD, TWO_WORDS)
