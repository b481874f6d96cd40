"""What the columns of X mean, where X is made of words: what kind of word, which, and where.

A recipe of X (`making/inputs.py`) makes such columns, and the labels of the axes name them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.language import say

OF_WORDS: Final = "kind_word_place"  # the name of the recipe
KIND: Final = slice(0, 2)  # noun, verb
WORD: Final = slice(2, -2)
PLACE: Final = slice(-2, None)
LEAST_WIDTH: Final = 6
TURN: Final = 30  # degrees from one place to the next
PLACES_IN_A_TURN: Final = 360 // TURN  # then they repeat


def names_of_columns(d_model: int) -> tuple[str, ...]:
    """A name for each column.

    >>> names_of_columns(6)
    ('noun', 'verb', 'word 1', 'word 2', 'place 1', 'place 2')
    """
    word, place = say("word {number}"), say("place {number}")
    words = (word.format(number=number + 1) for number in range(d_model - 4))
    return (say("noun"), say("verb"), *words, place.format(number=1), place.format(number=2))


def places(count: int) -> FloatArray:
    """The columns of place: a hand of a clock that goes on an hour with each token.

    Shape: (count, 2)

    >>> places(3)
    array([[1.  , 0.  ],
           [0.87, 0.5 ],
           [0.5 , 0.87]])
    """
    angle = np.deg2rad(TURN) * np.arange(count)
    hands: FloatArray = np.stack([np.cos(angle), np.sin(angle)], axis=1).round(2)
    return hands


def has_such_columns(x: FloatArray, recipe: str) -> bool:
    """Whether the recipe makes them, and at least one row still says where it stands.

    The name of a recipe is a hint: quite other numbers may have taken the place of its own.
    """
    if recipe != OF_WORDS or x.shape[1] < LEAST_WIDTH:
        return False
    stands = x[:, PLACE] == places(len(x)).astype(x.dtype)
    return bool(stands.all(axis=1).any())
