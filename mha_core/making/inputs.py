"""Ways to make X: from words, from random numbers, or from zeros."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.errors import ShapeError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.sizes import check_size
from mha_core.checks.values import check_limit, check_one_of, check_tokens, check_whole
from mha_core.language import say
from mha_core.layer.positions import sinusoids
from mha_core.making.word_kinds import kind_of, plain_word
from mha_core.scenario.x_columns import KIND, LEAST_WIDTH, OF_WORDS, PLACE, WORD, places
from mha_core.trained.numbers import RECIPE as OF_THE_TRAINED_MODEL
from mha_core.trained.numbers import trained

Tokens = tuple[str, ...]

DIRECTIONS: Final = (
    2254  # the seed of the words' directions: with it, the commonest words lie far apart
)


@dataclass(frozen=True)
class WayToMakeX:
    """One way to make X, as the page offers it.

    `width` gives the least d_model for some tokens; None if any width is possible. `seeded` says
    whether the numbers depend on the seed.
    """

    name: str
    title: str
    sentence: str
    build: Callable[[Tokens, int, int], FloatArray]
    width: Callable[[Tokens], int] | None = None
    seeded: bool = False


def make_x(name: str, tokens: Sequence[str], d_model: int, seed: int = 0) -> FloatArray:
    """X by the name of its recipe, one row for each token. Shape: (n, d_model)

    >>> make_x("one_hot", ["SO", "SO", "GOOD"], d_model=3)
    array([[1., 0., 0.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    way = _input(name)
    tokens = check_tokens(tokens)
    check_whole("d_model", d_model, 1, LIMITS.width)
    check_limit(
        say("The count of numbers in X"),
        len(tokens) * d_model,
        LIMITS.cells,
        say("Take fewer tokens or a smaller d_model."),
    )
    least = natural_width(name, tokens)
    if least is not None and d_model < least:
        raise ShapeError(
            "d_model",
            say("must be at least {least} for '{input}' of these {count} tokens").format(
                least=least, input=way.title, count=len(tokens)
            ),
            str(d_model),
            say(
                "Take d_model = {least} or more, or an input of any width, such as word_vectors."
            ).format(least=least),
        )
    return way.build(tokens, d_model, seed)


def natural_width(name: str, tokens: Sequence[str]) -> int | None:
    """The least d_model that an input needs for these tokens; None if any width is possible.

    >>> natural_width("one_hot_position", ["SO", "SO", "GOOD"])
    5
    """
    width = _input(name).width
    return None if width is None else width(tuple(tokens))


def tokenize(text: str) -> Tokens:
    """A text cut at its blanks into tokens. Capitals and commas stay.

    >>> tokenize("I LOVE  PEPPERONI PIZZA")
    ('I', 'LOVE', 'PEPPERONI', 'PIZZA')
    """
    check_size(say("The text"), len(text), LIMITS.text_chars, say("Paste a part of it."))
    return check_tokens(text.split())


def numbered(things: Iterable[Hashable]) -> list[int]:
    """Number things by first appearance; equal things get equal numbers.

    >>> numbered(["SO", "SO", "GOOD", "SO"])
    [0, 0, 1, 0]
    """
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(thing, len(numbers)) for thing in things]


def generator(seed: int, *more: int) -> np.random.Generator:
    """A source of random numbers: the same numbers for the same seed."""
    check_whole(say("The seed"), seed, 0, LIMITS.seed)
    return np.random.default_rng([seed, *more])


def _input(name: str) -> WayToMakeX:
    check_one_of(say("The input"), name, INPUTS)
    return INPUTS[name]


# The recipes. Random numbers have two decimals, so that the screen shows all of their digits.


def _one_hot(tokens: Tokens, d_model: int, _seed: int) -> FloatArray:
    x = np.zeros((len(tokens), d_model))
    x[np.arange(len(tokens)), numbered(tokens)] = 1
    return x


def _one_hot_position(tokens: Tokens, d_model: int, seed: int) -> FloatArray:
    x = _one_hot(tokens, d_model, seed)
    x[np.arange(len(tokens)), _distinct(tokens) + np.arange(len(tokens))] = 1
    return x


def _word_vectors(tokens: Tokens, d_model: int, seed: int) -> FloatArray:
    return np.stack([_word_vector(token, d_model, seed) for token in tokens])


def _word_vector(word: str, d_model: int, seed: int) -> FloatArray:
    return _of_word(word, seed).standard_normal(d_model).round(2)


def _of_word(word: str, seed: int) -> np.random.Generator:
    """A source of random numbers for this word alone: the same in each run and on each machine."""
    digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
    return generator(seed, int.from_bytes(digest))


def _kind_word_place(tokens: Tokens, d_model: int, _seed: int) -> FloatArray:
    x = np.empty((len(tokens), d_model))
    words = [plain_word(token) for token in tokens]
    x[:, KIND] = [kind_of(word) for word in words]
    x[:, WORD] = [_direction(word, d_model - 4) for word in words]
    x[:, PLACE] = places(len(tokens))
    return x


def _direction(word: str, width: int) -> FloatArray:
    """A vector of length 1 for this word alone."""
    drawn = _of_word(word, DIRECTIONS).standard_normal(width)
    direction: FloatArray = (drawn / np.linalg.norm(drawn)).round(2)
    return direction


def _trained_words(tokens: Tokens, d_model: int, _seed: int) -> FloatArray:
    x = np.zeros((len(tokens), d_model))
    x[:, : trained().width] = trained().x(tokens)
    return x


def _random(tokens: Tokens, d_model: int, seed: int) -> FloatArray:
    return generator(seed).standard_normal((len(tokens), d_model)).round(2)


def _distinct(tokens: Tokens) -> int:
    return len(set(tokens))


def _distinct_and_places(tokens: Tokens) -> int:
    return _distinct(tokens) + len(tokens)


INPUTS: Final[Mapping[str, WayToMakeX]] = {
    way.name: way
    for way in (
        WayToMakeX(
            "one_hot",
            say("One-hot words"),
            say("Each distinct word has its own column, with 1 in the rows of that word."),
            _one_hot,
            width=_distinct,
        ),
        WayToMakeX(
            "one_hot_position",
            say("Words and places"),
            say("A column for each distinct word, then a column for each place in the text."),
            _one_hot_position,
            width=_distinct_and_places,
        ),
        WayToMakeX(
            "word_vectors",
            say("Word vectors"),
            say("A fixed random vector for each word: equal words have equal vectors."),
            _word_vectors,
            seeded=True,
        ),
        WayToMakeX(
            OF_WORDS,
            say("Kind, word and place"),
            say(
                "Columns say if a word is a noun or a verb, which word it is, and where it stands."
            ),
            _kind_word_place,
            width=lambda _tokens: LEAST_WIDTH,
        ),
        WayToMakeX(
            "zeros",
            say("Zeros"),
            say("Every number is 0; fill in your own."),
            lambda tokens, d_model, _seed: np.zeros((len(tokens), d_model)),
        ),
        WayToMakeX(
            "random",
            say("Random"),
            say("Random numbers around 0 with spread 1, whatever the words are."),
            _random,
            seeded=True,
        ),
        WayToMakeX(
            "sinusoids",
            say("Sinusoids"),
            say("Each row holds the waves of its position; the words do not matter."),
            lambda tokens, d_model, _seed: sinusoids(len(tokens), d_model),
        ),
        WayToMakeX(
            OF_THE_TRAINED_MODEL,
            say("Words of the trained model"),
            say(
                "What our small model has learned of each word and each place. Words that it does "
                "not know are read as “?”."
            ),
            _trained_words,
            width=lambda _tokens: trained().width,
        ),
    )
}
