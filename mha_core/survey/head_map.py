"""All heads of a model on one text: what each does, and a small picture of its weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.attending import attend
from mha_core.scenario.scenario import Scenario
from mha_core.survey.measures import NAMES, mean_of_known, of_words, shares, without_first

MOST_CELLS: Final = 32  # a side of a small picture


class LayersOnText(Protocol):
    """A trained model that has read a text: each attention layer as a scenario."""

    @property
    def n_layers(self) -> int: ...

    def layer(self, layer: int) -> Scenario: ...

    def words(self, layer: int) -> tuple[Sequence[int], Sequence[int]]:
        """The number of each token's word: of the queries, and of the keys."""


class HeadsOfLayer(NamedTuple):
    """The heads of one layer on one text. NAMES of `measures.py` is the last axis of `scores`."""

    scores: FloatArray  # (n_heads, measures)
    small: FloatArray  # (n_heads, down, across)


def heads_on(
    text: LayersOnText, *, has_first: bool = True, has_words: bool = False
) -> Iterator[HeadsOfLayer]:
    """The heads of each layer in turn. Only one layer is kept at a time.

    With `has_first` false, the first token is left out, and what is left of each row is made 1.
    With `has_words`, heads are seen between whole words.
    """
    for layer in range(text.n_layers):
        trace = attend(text.layer(layer))
        weights, allowed = trace.weights, trace.mask
        tokens, context = tokens_of(trace.scenario)
        if not has_first:
            weights, allowed = without_first(weights, allowed)
        if has_words:
            words, others = text.words(layer)
            weights, allowed = of_words(weights, allowed, words, others)
            tokens = whole_words(tokens, words)
            context = whole_words(context, others) if context else None
        scores = mean_of_known(shares(weights, allowed, tokens, context), axis=-1)
        yield HeadsOfLayer(scores, small_pictures(weights))


def first_share(layers: Sequence[HeadsOfLayer]) -> float:
    """How much of the weight of all heads goes to the first token; NaN if it cannot be told."""
    of_heads = np.concatenate([layer.scores[:, NAMES.index("first")] for layer in layers])
    return float(mean_of_known(of_heads, axis=-1))


def tokens_of(s: Scenario) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Those of the queries, and those of the keys where they are others."""
    return s.tokens, s.context_tokens or None


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
