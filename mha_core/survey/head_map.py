"""All heads of a model on one text: what each does, and a small picture of its weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple, Protocol

import numpy as np

from mha_core.checks.errors import OptionError
from mha_core.checks.limits import LIMITS
from mha_core.checks.shapes import FloatArray
from mha_core.checks.values import short_repr
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.in_notebook import as_text
from mha_core.scenario.one_text import reads_one_text
from mha_core.scenario.scenario import Scenario
from mha_core.survey.measures import NAMES, mean_of_known, of_words, shares, without_first

Words = tuple[Sequence[int], Sequence[int]]  # the number of each query's word, and of each key's
IN_LAYERS: Final = "layers"  # the order of the model
ORDERS: Final = (IN_LAYERS, *NAMES)
MOST_CELLS: Final = 32  # a side of a small picture


class LayersOnText(Protocol):
    """A trained model that has read a text: each attention layer as a scenario."""

    @property
    def n_layers(self) -> int: ...

    def layer_name(self, layer: int) -> str: ...

    def layer(self, layer: int) -> Scenario: ...

    def words(self, layer: int) -> Words: ...


class HeadsOfLayer(NamedTuple):
    """The heads of one layer on one text. NAMES of `measures.py` is the last axis of `scores`."""

    name: str  # of the layer
    scores: FloatArray  # (n_heads, measures)
    small: FloatArray  # (n_heads, down, across)


@dataclass(frozen=True)
class HeadMap:
    """All heads of a model on one text."""

    painter: ClassVar[Callable[[HeadMap], str]] = staticmethod(as_text)

    title: str
    tokens: tuple[str, ...]
    layers: tuple[HeadsOfLayer, ...]

    @property
    def n_heads(self) -> int:
        return sum(len(layer.scores) for layer in self.layers)

    def __repr__(self) -> str:
        says = say("A map of {heads} heads in {layers} layers on {tokens} tokens")
        counts = {"heads": self.n_heads, "layers": len(self.layers), "tokens": len(self.tokens)}
        return says.format(**counts)

    def _repr_html_(self) -> str:
        return type(self).painter(self)


def head_map(text: LayersOnText, title: str = "") -> HeadMap:
    """What every head of a model does on a text, as `open_model(...).on("...")` gives it.

    >>> from mha_core.models import open_model
    >>> from mha_core.trained.numbers import FILE
    >>> head_map(open_model(FILE).on("Once Mila Stone met Leo Snow at the farm."))
    A map of 8 heads in 2 layers on 10 tokens
    """
    if not all(hasattr(text, name) for name in ("n_layers", "layer_name", "layer", "words")):
        raise OptionError(
            say("What is mapped"),
            say("must be a model that has read a text"),
            short_repr(text),
            say("Write head_map(open_model(file).on('some text'))."),
        )
    return HeadMap(title, text.layer(0).tokens, tuple(heads_on(text)))


def heads_on(
    text: LayersOnText, *, has_first: bool = True, has_words: bool = False
) -> Iterator[HeadsOfLayer]:
    """The heads of each layer in turn. Only one layer is kept at a time.

    With `has_first` false, the first token is left out, and what is left of each row is made 1.
    With `has_words`, heads are seen between whole words.
    """
    for layer in range(text.n_layers):
        words = text.words(layer) if has_words else None
        name = text.layer_name(layer)
        yield _heads_of(name, text.layer(layer), has_first=has_first, words=words)


def _heads_of(name: str, s: Scenario, *, has_first: bool, words: Words | None) -> HeadsOfLayer:
    """The heads of a layer, few at a time: what is made of weights takes several times as much."""
    trace = attend(s)
    tokens, context = tokens_of(s)
    if words:
        of_queries, of_keys = words
        tokens = whole_words(tokens, of_queries)
        context = whole_words(context, of_keys) if context else None
    has_sinks = has_first and s.sinks is not None  # without the first, rows are made 1
    scores, small = [], []
    at_once = max(1, LIMITS.measured_cells // (s.n_q * s.n_k))
    for head in range(0, s.n_heads, at_once):
        weights, allowed = trace.weights[head : head + at_once], trace.mask
        if not has_first:
            weights, allowed = without_first(weights, allowed)
        if words:
            weights, allowed = of_words(weights, allowed, *words)
        found = shares(weights, allowed, tokens, context, has_sinks=has_sinks)
        scores.append(mean_of_known(found, axis=-1))
        small.append(small_pictures(weights))
    return HeadsOfLayer(name, np.concatenate(scores), np.concatenate(small))


def first_share(layers: Sequence[HeadsOfLayer]) -> float:
    """How much weight goes to the first token, in the mean of all heads; NaN if none can tell.

    Only queries count that see other keys too: the first one of a causal mask has no choice.
    """
    of_heads = np.concatenate([layer.scores[:, NAMES.index("first")] for layer in layers])
    return float(mean_of_known(of_heads, axis=-1))


def tokens_of(s: Scenario) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Those of the queries, and those of the keys where they are others."""
    return s.tokens, None if reads_one_text(s) else s.context_tokens


def in_order(layers: Sequence[HeadsOfLayer], order: str) -> list[tuple[int, int]]:
    """The layer and the number of each head, both counted from 0, in one of ORDERS.

    What cannot be told of a head makes it one of the last.
    """
    every = [(n, head) for n, layer in enumerate(layers) for head in range(len(layer.scores))]
    if order == IN_LAYERS:
        return every
    of = NAMES.index(order)
    return sorted(every, key=lambda at: -np.nan_to_num(layers[at[0]].scores[at[1], of], nan=-1))


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
