"""All heads of a model on one text: what each does, and a small picture of its weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np

from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.layer.attending import attend
from mha_core.scenario.scenario import Scenario
from mha_core.survey.measures import mean_of_known, of_words, shares, without_first

MOST_CELLS: Final = 32  # a side of a small picture


class LayersOnText(Protocol):
    """A trained model that has read a text: each attention layer as a scenario."""

    @property
    def n_layers(self) -> int: ...

    def layer(self, layer: int) -> Scenario: ...


class HeadsOfLayer(NamedTuple):
    """The heads of one layer on one text. NAMES of `measures.py` is the last axis of `scores`."""

    scores: FloatArray  # (n_heads, measures)
    small: FloatArray  # (n_heads, down, across)


def heads_on(
    text: LayersOnText, *, has_first: bool = True, words: Sequence[int] = ()
) -> Iterator[HeadsOfLayer]:
    """The heads of each layer in turn. Only one layer is kept at a time.

    With `has_first` false, the first token is left out, and what is left of each row is made 1.
    With `words`, the number of each token's word, heads are seen between whole words.
    """
    for layer in range(text.n_layers):
        yield _heads_of(text.layer(layer), has_first=has_first, words=words)


def _heads_of(scenario: Scenario, *, has_first: bool, words: Sequence[int]) -> HeadsOfLayer:
    """The heads of a layer, few at a time: what is made of weights takes several times as much."""
    trace = attend(scenario)
    tokens = whole_words(scenario.tokens, words) if words else scenario.tokens
    scores, small = [], []
    at_once = max(1, LIMITS.measured_cells // (scenario.n_q * scenario.n_k))
    for head in range(0, scenario.n_heads, at_once):
        weights, allowed = trace.weights[head : head + at_once], trace.mask
        if not has_first:
            weights, allowed = without_first(weights, allowed)
        if words:
            weights, allowed = of_words(weights, allowed, words)
        scores.append(mean_of_known(shares(weights, allowed, tokens), axis=-1))
        small.append(small_pictures(weights))
    return HeadsOfLayer(np.concatenate(scores), np.concatenate(small))


def whole_words(tokens: Sequence[str], words: Sequence[int]) -> tuple[str, ...]:
    """The tokens of each word, put together.

    >>> whole_words(["play", "##ing", "cats"], [0, 0, 1])
    ('playing', 'cats')
    """
    whole = dict.fromkeys(words, "")
    for token, word in zip(tokens, words, strict=True):
        whole[word] += token.removeprefix("##") if whole[word] else token
    return tuple(whole.values())


def small_pictures(weights: FloatArray, most: int = MOST_CELLS) -> FloatArray:
    """Weights in at most `most` cells down and across: of each block, the largest.

    A thin diagonal would fade in a mean.

    >>> small_pictures(np.array([[[0.1, 0.2, 0.7], [0, 1, 0], [0, 0.5, 0.5]]]), most=2)
    array([[[1. , 0.7],
            [0.5, 0.5]]])
    """
    for axis in (-2, -1):
        size = weights.shape[axis]
        starts = np.arange(0, size, -(-size // most))
        weights = np.maximum.reduceat(weights, starts, axis=axis)
    return weights
