"""What two layers do and one cannot: the second one reads what the first has written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say
from mha_core.puzzles.puzzle import PLACES, Arrays, Puzzle, Tokens, of_zeros, word_and_place
from mha_core.puzzles.sentences import SEED
from mha_core.puzzles.wants import Looks, Want
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.x_columns import START_AND_LETTERS, WITH_ROOM

BEGIN, *LETTERS = START_AND_LETTERS
WORDS: Final = len(START_AND_LETTERS)
PLACE: Final = WORDS  # the first column of places, and the first one of room
ROOM: Final = PLACE + PLACES
WIDTH: Final = ROOM + PLACES
CAUSAL: Final = Mask((Rule("causal"),))
EMPTY: Final = replace(of_zeros(WIDTH, d_k=PLACES, d_v=PLACES, x=WITH_ROOM), mask=CAUSAL)
STRONG: Final = 5.0


def with_room(tokens: Tokens) -> FloatArray:
    """X with words and places, and as many columns of zeros: there the first layer may write."""
    x = word_and_place(tokens, START_AND_LETTERS)
    return np.hstack([x, np.zeros((len(tokens), PLACES))])


def from_the_start() -> Iterator[tuple[str, ...]]:
    """Sentences that begin with the full stop, which never comes again."""
    yield (BEGIN, *LETTERS[:1] * (PLACES - 1))
    yield (BEGIN, *LETTERS, *LETTERS)[:PLACES]
    rng = np.random.default_rng(SEED)
    while True:
        few = rng.choice(LETTERS, size=int(rng.integers(1, len(LETTERS) + 1)), replace=False)
        words = rng.choice(few, size=int(rng.integers(2, PLACES)))
        yield (BEGIN, *map(str, words))


def repeating() -> Iterator[tuple[str, ...]]:
    """Those in which a word comes again."""
    return filter(_after_the_same, from_the_start())


def _after_the_same(tokens: Tokens) -> list[Want]:
    """At each token that came before: what came after it then. Of all others nothing is wanted."""
    wanted: list[Want] = []
    for query, word in enumerate(tokens):
        keys = tuple(i + 1 for i in range(query) if tokens[i] == word)
        if keys:
            wanted.append(Looks(query, keys))
    return wanted


def _table(rows: int, columns: FloatArray, *, strength: float = 1) -> FloatArray:
    """A matrix with these numbers from a row on, and zeros elsewhere."""
    made = np.zeros((WIDTH, PLACES))
    height, width = columns.shape
    made[rows : rows + height, :width] = strength * columns
    return made


OF_LETTERS: Final = np.eye(len(LETTERS))
EACH_PLACE: Final = np.eye(PLACES)
BEFORE: Final = np.eye(PLACES, k=-1)  # place i asks for place i - 1
TAKE_WORDS: Final = _table(1, OF_LETTERS)
GIVE_ROOM: Final = _table(ROOM, OF_LETTERS).T


def _copying(steps: FloatArray = BEFORE, strength: float = STRONG) -> Arrays:
    """A first layer that looks so many places back, and writes the word from there."""
    return {
        "w_q": _table(PLACE, steps, strength=strength),
        "w_k": _table(PLACE, EACH_PLACE, strength=strength),
        "w_v": TAKE_WORDS,
        "w_o": GIVE_ROOM,
    }


def _then_looking(query: int, key: int, strength: float = STRONG) -> Arrays:
    """A second layer: which columns of the query and of the key are to be alike."""
    return {
        "2.w_q": _table(query, OF_LETTERS, strength=strength),
        "2.w_k": _table(key, OF_LETTERS, strength=strength),
    }


JOB: Final = say(
    "Each token whose word came before looks, in layer 2, at what followed it then: after “a b”, "
    "the next a looks at b. If it came more than once, to each as much."
)
SEEN: Final = (". a b a", ". c a a d c", ". a b c a b c")

INDUCTION: Final = Puzzle(
    "induction",
    say("After the same word, by a copy"),
    JOB,
    EMPTY,
    ("w_q", "w_k", "w_v", "w_o", "2.w_q", "2.w_k"),
    _after_the_same,
    SEEN,
    lambda: {**_copying(), **_then_looking(1, ROOM)},
    most_numbers=2 * PLACES - 1 + 4 * len(LETTERS),
    hints=(
        say("In layer 1, each token copies the word of the one before into free columns."),
        say("In layer 2, a query says its word, and a key says the word before it: its copy."),
        say(
            "W_Q, W_K as for the token before, W_V and W_O copy a to d into free columns. In layer "
            "2, W_Q takes the columns a to d and W_K the free ones, times 5."
        ),
    ),
    source=say("After Olsson et al., 2022, In-context Learning and Induction Heads"),
    near_misses={
        "layer 2 looks for the same word": lambda: {**_copying(), **_then_looking(1, 1)},
        "one word is not copied": lambda: {
            **_copying(),
            **_then_looking(1, ROOM),
            "w_v": _table(1, OF_LETTERS[:-1]),
        },
        "too weak": lambda: {**_copying(), **_then_looking(1, ROOM, STRONG * 0.6)},
    },
    x_of=with_room,
    words=START_AND_LETTERS,
    above=(EMPTY,),
    draw=repeating,
)
