"""Whether an answer does the job: on the sentences that are seen, and on many that are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np

from mha_core.layer.attending import attend
from mha_core.layer.cells import Cell
from mha_core.puzzles.mistakes import mistake_in
from mha_core.puzzles.puzzle import Arrays, Puzzle
from mha_core.puzzles.wants import Want
from mha_core.scenario.scenario import Scenario
from mha_core.stack.layer import Layer

HIDDEN: Final = 40  # sentences that nobody is shown beforehand
SEED: Final = 2026
LARGEST: Final = 10.0  # of a number, for the third star


@dataclass(frozen=True)
class Failure:
    """The first sentence that fails, the number at which it does, and what may be wrong there.

    `want` is what is missed.
    """

    scenario: Scenario
    cell: Cell
    mistake: str
    want: Want


@dataclass(frozen=True)
class Verdict:
    """How many sentences pass. Stars: it is right; with few numbers; with no large one."""

    passed: int
    count: int
    stars: int
    first_failure: Failure | None

    @property
    def is_right(self) -> bool:
        return self.passed == self.count


def check(puzzle: Puzzle, arrays: Arrays, *, seen_alone: bool = False) -> Verdict:
    """The verdict on an answer: with `seen_alone`, of the sentences seen while one writes."""
    layer = puzzle.answered(arrays)
    seen = puzzle.sentences_seen
    hidden = hidden_sentences(puzzle.words, puzzle.places, puzzle.needed)
    sentences = seen if seen_alone else [*seen, *hidden]
    failures = [_failure(puzzle, layer, tokens) for tokens in sentences]
    first = next(filter(None, failures), None)
    stars = 0 if first else 1 + _is_short(puzzle, arrays) + _is_small(arrays)
    return Verdict(failures.count(None), len(sentences), stars, first)


def _failure(puzzle: Puzzle, layer: Layer, tokens: tuple[str, ...]) -> Failure | None:
    trace = attend(puzzle.on(layer, tokens))
    for want in puzzle.wanted(tokens):
        if cell := want.missed_in(trace):
            return Failure(trace.scenario, cell, mistake_in(trace, want), want)
    return None


def count_of_numbers(arrays: Arrays) -> int:
    """Of those that are not zero."""
    return sum(int(np.count_nonzero(array)) for array in arrays.values())


def _is_short(puzzle: Puzzle, arrays: Arrays) -> bool:
    return count_of_numbers(arrays) <= puzzle.most_numbers


def _is_small(arrays: Arrays) -> bool:
    return all(np.abs(array).max() <= LARGEST for array in arrays.values())


@lru_cache(maxsize=32)
def hidden_sentences(
    words: tuple[str, ...], places: int, needed: tuple[str, ...] = ()
) -> tuple[tuple[str, ...], ...]:
    """One token, one word again and again, the longest there may be, and many by chance.

    Each has the words that are needed, and each of these stands at each place somewhere. They are
    the same in each process.
    """
    found: dict[tuple[str, ...], None] = {}
    sentences = chain(_with_needed(words, places, needed), _sentences(words, places))
    while len(found) < HIDDEN:
        sentence = next(sentences)
        if set(needed) <= set(sentence):
            found[sentence] = None
    return tuple(found)


def _with_needed(
    words: tuple[str, ...], places: int, needed: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """The needed words, side by side, from each place on. All others are the last word."""
    for first in range(places if needed else 0):
        sentence = [words[-1]] * places
        for after, word in enumerate(needed):
            sentence[(first + after) % places] = word
        yield tuple(sentence)


def _sentences(words: tuple[str, ...], places: int) -> Iterator[tuple[str, ...]]:
    rng = np.random.default_rng(SEED)
    yield (words[-1],)
    yield (words[0],) * places
    yield (words[0], words[1]) * (places // 2)
    yield tuple(words[-(place % len(words)) - 1] for place in range(places))
    while True:
        length = int(rng.integers(1, places + 1))
        few = rng.choice(len(words), size=int(rng.integers(1, len(words) + 1)), replace=False)
        yield tuple(words[int(few[i])] for i in rng.integers(0, len(few), size=length))
