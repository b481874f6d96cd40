"""A puzzle as plain data: the job, the words, what is given, and a solution of our own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import check_one_of
from mha_core.puzzles.wants import Want
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer

WORDS: Final = ("a", "b", "c", "d", "e")
PLACES: Final = 8

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
    them: the checker refuses each.
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

    def answered(self, arrays: Arrays) -> Layer:
        """The layer with what a person has written; all else stays as it is given."""
        for name in arrays:
            check_one_of("The arrays of an answer", name, self.free)
        written: Mapping[str, Any] = arrays
        return replace(self.start, **written)

    def on(self, layer: Layer, tokens: Tokens) -> Scenario:
        return layer.on(self.x_of(tokens), tuple(tokens))


def of_zeros(d_model: int, *, d_k: int, d_v: int) -> Layer:
    """A head to begin with."""
    w_q, w_v = np.zeros((d_model, d_k)), np.zeros((d_model, d_v))
    return Layer(w_q=w_q, w_k=w_q, w_v=w_v, w_o=w_v.T, n_heads=1)
