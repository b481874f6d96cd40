"""How much a head does one thing, as a number from 0 to 1 that holds for any text.

`patterns.py` names a pattern only where every query follows it. Heads of trained models rarely are
so pure. Here each thing is a share: of all queries that could, how much of their weight goes there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mha_core.checks.shapes import BoolArray, FloatArray
from mha_core.language import say
from mha_core.reading.metrics import among_keys

MOSTLY: Final = 0.5  # from this share on, it is what the head does
LEAST_QUERIES: Final = 2
NEARLY_EVEN: Final = 0.9  # of the largest entropy: the weight is spread evenly


# The tokens of the queries and, for a cross-attention, those of the second sequence: where a key is
# one that the head looks at.
Keys = Callable[[Sequence[str], Sequence[str] | None], BoolArray]


@dataclass(frozen=True)
class Measure:
    """One thing that a head may do. `keys` are those that it looks at then, for each query.

    What a learned sink takes, as in gpt-oss, goes to no key. It counts where `rests`.
    """

    name: str
    title: str
    meaning: str
    keys: Keys
    rests: bool = False


def _at(offset: int) -> Keys:
    def keys(tokens: Sequence[str], context: Sequence[str] | None) -> BoolArray:
        if context is not None:  # places in two sequences are no neighbours
            return np.zeros((len(tokens), len(context)), np.bool_)
        return np.eye(len(tokens), k=offset, dtype=np.bool_)

    return keys


def _one_key(place: int) -> Keys:
    def keys(tokens: Sequence[str], context: Sequence[str] | None) -> BoolArray:
        where = np.zeros((len(tokens), len(context or tokens)), np.bool_)
        where[:, place] = True
        return where

    return keys


def same_word(tokens: Sequence[str], context: Sequence[str] | None = None) -> BoolArray:
    """Other places of the query's own word. Capitals and a blank before it do not count.

    >>> same_word(["The", "cat", " the"]).astype(int)
    array([[0, 0, 1],
           [0, 0, 0],
           [1, 0, 0]])
    >>> same_word(["cat"], ["a", "Cat"]).astype(int)
    array([[0, 1]])
    """
    words, others = (
        np.array([token.strip().lower() for token in each]) for each in (tokens, context or tokens)
    )
    same: BoolArray = words[:, None] == others
    return same if context is not None else same & ~np.eye(len(tokens), dtype=np.bool_)


def after_same_word(tokens: Sequence[str], context: Sequence[str] | None = None) -> BoolArray:
    """Keys right after an earlier place of the query's own word.

    >>> after_same_word(["a", "b", "c", "a"]).astype(int)[3]
    array([0, 1, 0, 0])
    """
    same = same_word(tokens, context)
    earlier = np.tril(same) if context is None else same
    after = np.zeros_like(earlier)
    after[:, 1:] = earlier[:, :-1]
    return after if context is not None else after & ~np.eye(len(tokens), dtype=np.bool_)


MEASURES: Final[Mapping[str, Measure]] = {
    measure.name: measure
    for measure in (
        Measure(
            "induction",
            say("Induction"),
            say("It looks at what came after its own word the last time."),
            after_same_word,
        ),
        Measure(
            "same-word", say("Same word"), say("It looks at its own word elsewhere."), same_word
        ),
        Measure("previous", say("Previous token"), say("It looks at the token before."), _at(-1)),
        Measure("next", say("Next token"), say("It looks at the token after."), _at(1)),
        Measure("itself", say("Itself"), say("It looks at its own place."), _at(0)),
        Measure("first", say("First token"), say("It looks at the first token."), _one_key(0)),
        Measure("last", say("Last token"), say("It looks at the last token."), _one_key(-1)),
        Measure(
            "sink",
            say("Sink"),
            say("It looks at the first token, or at its learned sink, which is no token."),
            _one_key(0),
            rests=True,
        ),
    )
}
# Of the weights among keys, without a sink's share, and as a share of the largest that is possible.
ENTROPY: Final = "entropy"
NAMES: Final = (*MEASURES, ENTROPY)  # the last axis of all scores
EVEN: Final = "even"
MIXED: Final = "mixed"
TITLES: Final[Mapping[str, str]] = {
    **{name: measure.title for name, measure in MEASURES.items()},
    ENTROPY: say("Entropy"),
    EVEN: say("Evenly spread"),
    MIXED: say("Mixed"),
}
LABELS: Final = (*MEASURES, EVEN, MIXED)


def shares(
    weights: FloatArray,
    allowed: BoolArray,
    tokens: Sequence[str],
    context: Sequence[str] | None = None,
    *,
    has_sinks: bool = False,
) -> FloatArray:
    """How much of each query's weight goes where each measure says; NaN where it cannot tell.

    Shapes: (n_heads, n_q, n_k), (n_q, n_k) -> (n_heads, measures, n_q). A query counts if it may
    see such a key and others too. Its entropy counts if it may see two keys or more. A single query
    tells nothing of a head. `context` has the tokens of the keys, where they are others. Where the
    heads have learned sinks, these take what is missing of a row's sum.
    """
    found = np.full((len(weights), len(NAMES), len(tokens)), np.nan, np.float32)
    of_sink = (1 - weights.sum(axis=-1)).clip(min=0)
    for place, measure in enumerate(MEASURES.values()):
        keys = measure.keys(tokens, context) & allowed
        share, goes_there = (weights * keys).sum(axis=-1), keys.any(axis=-1)
        if measure.rests and has_sinks:
            share, goes_there = share + of_sink, allowed.any(axis=-1)
        tells = goes_there & (allowed & ~keys).any(axis=-1)
        if tells.sum() >= LEAST_QUERIES:
            found[:, place, tells] = share[:, tells]
    n_open = allowed.sum(axis=-1)
    chooses = n_open > 1
    shares_of_keys = among_keys(weights)
    logarithms = np.log(shares_of_keys, out=np.zeros_like(weights), where=weights > 0)
    entropy = -(shares_of_keys * logarithms).sum(axis=-1)
    found[:, -1, chooses] = (entropy[:, chooses] / np.log(n_open[chooses])).clip(0, 1)
    return found


def without_first(weights: FloatArray, allowed: BoolArray) -> tuple[FloatArray, BoolArray]:
    """The weights as they are among all keys but the first, and the mask that says so.

    In many trained models the first token takes most weight of a head that has nothing to do.

    >>> weights = np.array([[[1, 0, 0], [0.5, 0.25, 0.25]]])
    >>> without_first(weights, np.ones((2, 3), bool))[0][0]
    array([[0. , 0. , 0. ],
           [0. , 0.5, 0.5]])
    """
    others = allowed.copy()
    others[:, 0] = False
    kept = weights * others
    sums = kept.sum(axis=-1, keepdims=True)
    return np.divide(kept, sums, out=np.zeros_like(kept), where=sums > 0), others


def of_words(
    weights: FloatArray,
    allowed: BoolArray,
    words: Sequence[int],
    of_context: Sequence[int] | None = None,
) -> tuple[FloatArray, BoolArray]:
    """Weights between whole words, of which a tokenizer has made several tokens each.

    A word gets what its tokens get together, and looks as its tokens do on average. `words` has the
    number of each token's word, `of_context` those of the keys, where they are others.

    >>> weights = np.array([[[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]])
    >>> of_words(weights, np.ones((3, 3), bool), [0, 1, 1])[0][0]
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    asks, answers = (
        np.array(each)[:, None] == np.unique(each) for each in (words, of_context or words)
    )
    looked_at = weights @ answers.astype(weights.dtype)
    share = (asks / asks.sum(axis=0)).astype(weights.dtype)
    return share.T @ looked_at, asks.T @ allowed @ answers


def mean_of_known(numbers: FloatArray, axis: int) -> FloatArray:
    """The mean of what is a number; NaN where nothing is.

    >>> mean_of_known(np.array([[1, np.nan, 2], [np.nan] * 3]), axis=-1)
    array([1.5, nan])
    """
    known = ~np.isnan(numbers)
    count = known.sum(axis=axis)
    total = np.where(known, numbers, 0).sum(axis=axis)
    mean: FloatArray = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def label_of(scores: FloatArray) -> str:
    """What a head mostly does, by the scores of NAMES: one of LABELS.

    >>> label_of(np.array([np.nan, 0.1, 0.8, 0, 0, 0.1, 0, 0.1, 0.3]))
    'previous'
    """
    known = np.nan_to_num(scores)
    best = int(known[:-1].argmax())
    if known[best] >= MOSTLY:
        return NAMES[best]
    return EVEN if known[-1] >= NEARLY_EVEN else MIXED
