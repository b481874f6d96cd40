"""A puzzle as plain data: the job, the words, what is given, and a solution of our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray, check_shape
from mha_core.checks.values import check_one_of
from mha_core.language import say
from mha_core.puzzles.wants import Want
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import (
    BY_PLACES,
    BY_WAVES,
    LETTERS,
    NUMBERS_BY_PLACES,
    PLACES_IN_PUZZLES,
    WITH_A_ONE,
    WITH_DEPTH,
)
from mha_core.stack.layer import Layer

WORDS: Final = LETTERS
PLACES: Final = PLACES_IN_PUZZLES
BESIDE: Final = {  # what stands right of the columns of words
    BY_PLACES: say("places"),
    BY_WAVES: say("waves"),
    WITH_A_ONE: say("the 1"),
    NUMBERS_BY_PLACES: say("places"),
    WITH_DEPTH: say("depth"),
}

Tokens = Sequence[str]
Arrays = Mapping[str, FloatArray]


def word_and_place(
    tokens: Tokens, words: Sequence[str] = WORDS, places: int = PLACES
) -> FloatArray:
    """X with a column for each word and one for each place: a 1 for what the token is, and where.

    Shape: (tokens, words + places)

    >>> word_and_place(["b", "a"], words=["a", "b"], places=3)
    array([[0., 1., 1., 0., 0.],
           [1., 0., 0., 1., 0.]])
    """
    x = np.zeros((len(tokens), len(words) + places))
    for place, token in enumerate(tokens):
        x[place, list(words).index(token)] = 1
        x[place, len(words) + place] = 1
    return x


@dataclass(frozen=True, eq=False)
class Puzzle:
    """`start` is the layer that a person begins with, and `free` are the arrays to be written.

    `wanted` says of a sentence what each of its tokens must do. `most_numbers` is how many numbers
    that are not zero a short solution needs. `near_misses` are wrong answers, by what is wrong with
    them: the checker refuses each. Nothing is wanted of a sentence that lacks a word of `needed`.
    """

    name: str
    title: str
    job: str
    start: Layer
    free: tuple[str, ...]
    wanted: Callable[[Tokens], list[Want]]
    seen: tuple[str, ...]
    solution: Callable[[], Arrays]
    most_numbers: int
    hints: tuple[str, str, str]
    source: str
    near_misses: Mapping[str, Callable[[], Arrays]] = field(default_factory=dict)
    x_of: Callable[[Tokens], FloatArray] = word_and_place
    words: tuple[str, ...] = WORDS
    places: int = PLACES
    needed: tuple[str, ...] = ()

    def answered(self, arrays: Arrays) -> Layer:
        """The layer with what a person has written; all else stays as it is given."""
        for name in arrays:
            check_one_of("The arrays of an answer", name, self.free)
        written: Mapping[str, Any] = arrays
        return replace(self.start, **written)

    def on(self, layer: Layer, tokens: Tokens) -> Scenario:
        return layer.on(self.x_of(tokens), tuple(tokens))

    @property
    def sentences_seen(self) -> list[tuple[str, ...]]:
        return [tuple(sentence.split()) for sentence in self.seen]

    def on_all_seen(self, arrays: Arrays) -> Scenario:
        """An answer on all sentences that are seen, one below the other.

        A mask keeps each to itself, so its numbers are those that it has alone.
        """
        sentences = self.sentences_seen
        number = np.repeat(np.arange(len(sentences)), [len(each) for each in sentences])
        layer = self.answered(arrays)
        own = replace(layer.mask, custom=np.equal.outer(number, number))
        x = np.vstack([self.x_of(sentence) for sentence in sentences])
        return replace(layer, mask=own).on(x, sum(sentences, ()))

    def wanted_of_all_seen(self) -> tuple[str, FloatArray]:
        """What is wanted on the same sentences: of which step, and its numbers.

        A number that nothing is wanted of is NaN.
        """
        sentences = self.sentences_seen
        n, width = sum(map(len, sentences)), self.start.w_o.shape[1]
        made = {"weights": np.full((n, n), np.nan), "output": np.full((n, width), np.nan)}
        first, step = 0, "weights"
        for sentence in sentences:
            for want in self.wanted(sentence):
                step = want.step
                want.put_into(made[step], first, len(sentence))
            first += len(sentence)
        return step, made[step]

    @property
    def parts_of_x(self) -> Mapping[str, slice]:
        """What the columns of X say, in words, and which columns say it."""
        beside = BESIDE[self.start.origin.x]
        count = len(self.words)
        return {say("words"): slice(0, count), beside: slice(count, None)}

    def answer_in(self, scenario: Scenario) -> Arrays:
        """What a scenario has in the place of the free arrays. Other shapes are refused."""
        start = self.on_all_seen({})
        found = {name: getattr(scenario, name) for name in self.free}
        for name, array in found.items():
            check_shape(GIVEN[name].symbol, array, GIVEN[name].dims, start.sizes)
        return found


def of_zeros(d_model: int, *, d_k: int, d_v: int, x: str = BY_PLACES) -> Layer:
    """A head to begin with, on an X that is made in this way."""
    w_q, w_v = np.zeros((d_model, d_k)), np.zeros((d_model, d_v))
    return Layer(w_q=w_q, w_k=w_q, w_v=w_v, w_o=w_v.T, n_heads=1, origin=Origin(x=x))
