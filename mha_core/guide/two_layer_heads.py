"""Two ways to find what followed the same word, each with two layers, on any sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.example import CAUSAL, from_recipes
from mha_core.layer.trace import Trace
from mha_core.making.hand_built import LEAD
from mha_core.making.inputs import natural_width
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from mha_core.stack.layer import Layer
from mha_core.stack.stack import Stack

INPUT: Final = "one_hot_position"  # columns of words, then of places
COPYING: Final = "previous_token"  # what layer 1 is made of
POINTING: Final = "same_word"
AS_IT_IS: Final = ScoreOptions(scale="none")


def by_a_copy(tokens: Sequence[str]) -> Stack:
    """Layer 1 writes the word before into free columns, layer 2 looks for its word there."""
    n, words = len(tokens), len(set(tokens))
    begun, copy = _begun(tokens, COPYING, room=words)
    no_token_sees_itself = Mask(custom=np.tri(n, k=-1, dtype=np.bool_))
    word = _columns(begun, 0, np.eye(words))
    first = replace(
        begun,
        w_v=word,
        w_o=_columns(begun, copy, np.eye(words)).T,
        d_v=words,
        mask=no_token_sees_itself,
    )
    return Stack((first, _above(LEAD * word, _columns(begun, copy, np.eye(words)), word)))


def by_a_pointer(tokens: Sequence[str]) -> Stack:
    """Layer 1 writes which place follows the same word, layer 2 looks at that place."""
    n, words = len(tokens), len(set(tokens))
    begun, pointer = _begun(tokens, POINTING, room=n)
    place = _columns(begun, words, np.eye(n))
    # The same word has 2, its own place 1, all others 0: so a new word looks at itself.
    scores = np.diag([2.0] * words + [-1.0] * n)
    first = replace(
        begun,
        w_q=_columns(begun, 0, LEAD * scores),
        w_k=_columns(begun, 0, np.eye(words + n)),
        w_v=place,
        w_o=_columns(begun, pointer, np.eye(n, k=-1)).T,  # one place on
        d_k=words + n,
        d_v=n,
        mask=CAUSAL,
        scores=AS_IT_IS,
    )
    # A pointer to one of several places is a part of each: even that part leads enough.
    asks = _columns(begun, pointer, n * LEAD * np.eye(n))
    return Stack((first, _above(asks, place, _columns(begun, 0, np.eye(words)))))


def _begun(tokens: Sequence[str], preset: str, *, room: int) -> tuple[Scenario, int]:
    """A head of the preset on an X with free columns, and the first of these."""
    width = natural_width(INPUT, tokens) or 0
    begun = from_recipes(
        "",
        tokens,
        d_model=width + room,
        n_heads=1,
        x=INPUT,
        weights=preset,
        d_k=max(2, len(tokens)),
    )
    return begun, width


def _columns(s: Scenario, first: int, what: FloatArray) -> FloatArray:
    """A projection that reads the columns of X from this one on."""
    matrix = np.zeros((s.d_model, what.shape[1]))
    matrix[first : first + len(what)] = what
    return matrix


def _above(w_q: FloatArray, w_k: FloatArray, words: FloatArray) -> Layer:
    """A second layer, which hands on the word that it finds."""
    return Layer(w_q, w_k, words, words.T, n_heads=1, mask=CAUSAL, scores=AS_IT_IS)


def looks_at_what_followed(trace: Trace) -> bool:
    """Of layer 2: each token whose word came before, at all that followed it, to each as much."""
    words = np.array(trace.scenario.tokens)
    came_before = np.tril(words[:, None] == words, k=-1)
    followed = np.roll(came_before, 1, axis=1)
    has_some = followed.any(axis=1)
    looks = followed[has_some]
    shares = looks / looks.sum(axis=1, keepdims=True)
    return nearly_equal(trace.weights[:, has_some], [shares], within=1e-6)


def looks_at_all_so_far_alike(trace: Trace) -> bool:
    """Each token at itself and all before it, as where layer 2 finds nothing."""
    looks = np.tri(trace.scenario.n_q)
    return nearly_equal(trace.weights, [looks / looks.sum(axis=1, keepdims=True)], within=1e-6)
