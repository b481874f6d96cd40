"""Sentences that nobody is shown beforehand: the same in each process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Final

import numpy as np

HIDDEN: Final = 40
ENOUGH: Final = 400  # that are drawn, to find so many that differ
SEED: Final = 2026

Sentence = tuple[str, ...]


@lru_cache(maxsize=32)
def hidden_sentences(
    words: tuple[str, ...], places: int, needed: tuple[str, ...] = ()
) -> tuple[Sentence, ...]:
    """One token, one word again and again, the longest there may be, and many by chance.

    Each has the words that are needed, and each of these stands at each place somewhere.
    """
    drawn = chain(_with_needed(words, places, needed), _sentences(words, places))
    return _first_of(sentence for sentence in drawn if set(needed) <= set(sentence))


@lru_cache(maxsize=32)
def drawn_by(draw: Callable[[], Iterator[Sentence]]) -> tuple[Sentence, ...]:
    """As many, of a puzzle that draws its own."""
    return _first_of(draw())


def some_sentences(words: tuple[str, ...], places: int) -> tuple[Sentence, ...]:
    """Of any words: fewer, where there are no more of them.

    >>> len(some_sentences(("a", "b"), 2))
    6
    """
    return tuple(dict.fromkeys(islice(_sentences(words, places), ENOUGH)))[:HIDDEN]


def _first_of(drawn: Iterator[Sentence]) -> tuple[Sentence, ...]:
    found: dict[Sentence, None] = {}
    while len(found) < HIDDEN:
        found[next(drawn)] = None
    return tuple(found)


def _with_needed(
    words: tuple[str, ...], places: int, needed: tuple[str, ...]
) -> Iterator[Sentence]:
    """The needed words, side by side, from each place on. All others are the last word."""
    for first in range(places if needed else 0):
        sentence = [words[-1]] * places
        for after, word in enumerate(needed):
            sentence[(first + after) % places] = word
        yield tuple(sentence)


def _sentences(words: tuple[str, ...], places: int) -> Iterator[Sentence]:
    rng = np.random.default_rng(SEED)
    yield (words[-1],)
    yield (words[0],) * places
    yield (words[0], words[1]) * (places // 2)
    yield tuple(words[-(place % len(words)) - 1] for place in range(places))
    while True:
        length = int(rng.integers(1, places + 1))
        few = rng.choice(len(words), size=int(rng.integers(1, len(words) + 1)), replace=False)
        yield tuple(words[int(few[i])] for i in rng.integers(0, len(few), size=length))
