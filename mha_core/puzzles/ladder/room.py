"""What puzzles of two layers share: an X with room to write in, sentences, tables of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.puzzles.puzzle import PLACES, Tokens, of_zeros, word_and_place
from mha_core.puzzles.sentences import SEED
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
EACH_WORD: Final = np.eye(WORDS)
EACH_LETTER: Final = np.eye(len(LETTERS))
EACH_PLACE: Final = np.eye(PLACES)
BEFORE: Final = np.eye(PLACES, k=-1)  # place i asks for place i - 1


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
        few = rng.choice(LETTERS, size=int(rng.integers(2, len(LETTERS) + 1)), replace=False)
        words = rng.choice(few, size=int(rng.integers(2, PLACES)))
        yield (BEGIN, *map(str, words))


def table(rows: int, columns: FloatArray, *, strength: float = 1) -> FloatArray:
    """A matrix with these numbers from a row on, and zeros elsewhere."""
    made = np.zeros((WIDTH, PLACES))
    height, width = columns.shape
    made[rows : rows + height, :width] = strength * columns
    return made
