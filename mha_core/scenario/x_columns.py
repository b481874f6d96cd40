"""What the columns of X mean, where X is made of words: what kind of word, which, and where.

A recipe of X (`making/inputs.py`) makes such columns, and so does a puzzle. The labels of the axes
name them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mha_core.checks.shapes import FloatArray
from mha_core.language import say

OF_WORDS: Final = "kind_word_place"  # the name of the recipe
ONE_HOT: Final = "one_hot_position"  # of the one that has a column for each word and each place
KIND: Final = slice(0, 2)  # noun, verb
WORD: Final = slice(2, -2)
PLACE: Final = slice(-2, None)
LEAST_WIDTH: Final = 6
TURN: Final = 30  # degrees from one place to the next
MOST_NAMED: Final = 40  # one-hot columns: of more, each is too narrow for its name
PLACES_IN_A_TURN: Final = 360 // TURN  # then they repeat


class Columns(NamedTuple):
    """Of X of a puzzle: a column for each word, and what stands right of these.

    Columns of `room` are zeros: a layer may write there, and the next one reads it.
    """

    words: tuple[str, ...]
    beside: tuple[str, ...]
    tell_places: bool = True
    room: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return self.words + self.beside + self.room


_PLACE: Final = say("place {number}")
LETTERS: Final = ("a", "b", "c", "d", "e")
START_AND_LETTERS: Final = (".", "a", "b", "c", "d")
NUMBERS: Final = ("1", "2", "3", "4", "5")
DIGITS: Final = (*"0123456789", "=")
BRACKETS: Final = ("(", ")")
PLACES_IN_PUZZLES: Final = 8
WAVES: Final = 4
BY_PLACES: Final = "letters_places"
BY_WAVES: Final = "letters_waves"
WITH_A_ONE: Final = "letters_one"
NUMBERS_BY_PLACES: Final = "numbers_places"
WITH_DEPTH: Final = "brackets_depth"
WITH_LOWEST: Final = "brackets_depth_lowest"
WITH_ROOM: Final = "letters_places_room"
WITH_SUM: Final = "digits_one_sum"
WITH_COPIES: Final = "letters_places_copies"
_PLACES: Final = tuple(_PLACE.format(number=i + 1) for i in range(PLACES_IN_PUZZLES))
_FREE: Final = say("free {number}")
_ROOM: Final = tuple(_FREE.format(number=i + 1) for i in range(PLACES_IN_PUZZLES))
_COPIES: Final = tuple(say("{word} before").format(word=word) for word in LETTERS[:-1])
_DEPTH: Final = say("depth")
_WAVES: Final = tuple(f"{of} {i + 1}" for i in range(WAVES) for of in ("cos", "sin"))
OF_PUZZLES: Final[Mapping[str, Columns]] = {  # by the names of the recipes
    BY_PLACES: Columns(LETTERS, _PLACES),
    BY_WAVES: Columns(LETTERS, _WAVES),
    WITH_A_ONE: Columns(LETTERS, ("1",), tell_places=False),
    NUMBERS_BY_PLACES: Columns(NUMBERS, _PLACES),
    WITH_DEPTH: Columns(BRACKETS, (_DEPTH,), tell_places=False),
    WITH_LOWEST: Columns(BRACKETS, (), tell_places=False, room=(_DEPTH, say("lowest"))),
    WITH_ROOM: Columns(START_AND_LETTERS, _PLACES, room=_ROOM),
    WITH_SUM: Columns(DIGITS, ("1",), tell_places=False, room=(say("sum"),)),
    # Of the example with two layers.
    WITH_COPIES: Columns(LETTERS[:-1], _PLACES[: len(LETTERS)], room=_COPIES),
}

# Of a person's own puzzle: its words, and what stands right of them.
OWN_PLACES: Final = "places"
OWN_ONE: Final = "one"
OWN_WORDS: Final = "words"
OF_OWN_PUZZLES: Final = (OWN_PLACES, OWN_ONE, OWN_WORDS)
MOST_OWN_PLACES: Final = 16
_NUMBERS_OF_PLACES: Final = tuple(str(i + 1) for i in range(MOST_OWN_PLACES))
_OWN: Final = "own"


def own_recipe(kind: str, places: int, words: Sequence[str]) -> str:
    """The name of the recipe for such words; it says what the columns mean.

    >>> own_recipe("places", 2, ["yes", "no"])
    'own places 2 yes no'
    """
    return " ".join([_OWN, kind, str(places), *words])


@lru_cache(maxsize=32)
def columns_of(recipe: str) -> Columns | None:
    """What the columns mean, if it is the recipe of a puzzle.

    >>> columns_of("own places 2 yes no").names
    ('yes', 'no', 'place 1', 'place 2')
    >>> columns_of("one_hot")
    """
    if recipe in OF_PUZZLES:
        return OF_PUZZLES[recipe]
    own, kind, places, *words = [*recipe.split(" "), "", "", ""]
    if own != _OWN or kind not in OF_OWN_PUZZLES or places not in _NUMBERS_OF_PLACES:
        return None
    names = tuple(_PLACE.format(number=i + 1) for i in range(int(places)))
    beside = {OWN_PLACES: names, OWN_ONE: ("1",), OWN_WORDS: ()}[kind]
    return Columns(tuple(filter(None, words)), beside, tell_places=kind == OWN_PLACES)


def column_names(x: FloatArray, recipe: str, tokens: Sequence[str] = ()) -> tuple[str, ...]:
    """A name for each column, where the recipe made such columns of the tokens; else none.

    >>> column_names(np.eye(6), "letters_one")
    ('a', 'b', 'c', 'd', 'e', '1')
    >>> column_names(np.eye(3), "brackets_depth")
    ('(', ')', 'depth')
    >>> column_names(np.eye(4), "letters_one")
    ()
    """
    if has_such_columns(x, recipe):
        return names_of_columns(x.shape[1])
    if recipe == ONE_HOT:
        return _names_of_one_hot(x, tokens)
    columns = _of_a_puzzle(x, recipe)
    return columns.names if columns else ()


def _names_of_one_hot(x: FloatArray, tokens: Sequence[str]) -> tuple[str, ...]:
    """The words, the places, and columns that are free; none where rows say neither.

    >>> x = np.array([[1, 0, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0]])
    >>> _names_of_one_hot(x, ("SO", "SO", "GOOD"))
    ('SO', 'GOOD', 'place 1', 'place 2', 'place 3', 'free 1')
    """
    number_of = {word: number for number, word in enumerate(dict.fromkeys(tokens))}
    words, rows = len(number_of), np.arange(len(tokens))
    free = x.shape[1] - words - len(tokens)
    if len(x) != len(tokens) or free < 0 or x.shape[1] > MOST_NAMED:
        return ()
    of_words, of_places = x[:, :words], x[:, words : words + len(tokens)]
    tells_words = _is_one_hot(of_words, np.array([number_of[token] for token in tokens]))
    if not tells_words and not _is_one_hot(of_places, rows):
        return ()
    places_then_free = ((_PLACE, len(tokens)), (_FREE, free))
    beside = (says.format(number=i + 1) for says, count in places_then_free for i in range(count))
    return (*number_of, *beside)


def _is_one_hot(part: FloatArray, ones: npt.NDArray[np.intp]) -> bool:
    """Whether each row is zeros but for a 1 in its column."""
    has_ones = part[np.arange(len(part)), ones] == 1
    return bool(has_ones.all()) and np.count_nonzero(part) == len(part)


def columns_of_place(x: FloatArray, recipe: str) -> slice | None:
    """Which columns say where a token stands; None where nobody can tell.

    >>> columns_of_place(np.eye(13), "letters_places")
    slice(5, 13, None)
    """
    if has_such_columns(x, recipe):
        return PLACE
    columns = _of_a_puzzle(x, recipe)
    if columns is None or not columns.tell_places:
        return None
    return slice(len(columns.words), len(columns.words + columns.beside))


def is_of_a_puzzle(x: FloatArray, recipe: str) -> bool:
    """Whether it is the X of a puzzle: its width, and a row that says which word it is."""
    return _of_a_puzzle(x, recipe) is not None


def _of_a_puzzle(x: FloatArray, recipe: str) -> Columns | None:
    columns = columns_of(recipe)
    if columns is None or x.shape[1] != len(columns.names):
        return None
    words = x[:, : len(columns.words)]
    is_one_word = ((words == 1).sum(axis=1) == 1) & ((words != 0).sum(axis=1) == 1)
    return columns if is_one_word.any() else None


def names_of_columns(d_model: int) -> tuple[str, ...]:
    """A name for each column.

    >>> names_of_columns(6)
    ('noun', 'verb', 'word 1', 'word 2', 'place 1', 'place 2')
    """
    word = say("word {number}")
    words = (word.format(number=number + 1) for number in range(d_model - 4))
    return (say("noun"), say("verb"), *words, _PLACE.format(number=1), _PLACE.format(number=2))


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
