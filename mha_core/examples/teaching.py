"""Examples of our own, each for one thing that the documents do not show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from mha_core.examples.base import Example, from_recipes, side_by_side
from mha_core.layer.attention import naive_softmax
from mha_core.layer.trace import Trace, attend
from mha_core.making.inputs import make_x, tokenize
from mha_core.making.presets import PRESETS, LayerSizes, make_projections
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

# Cross-attention: Spanish asks, English answers.

SPANISH: Final = ("BEBO", "CAFÉ", "NEGRO")
ENGLISH: Final = ("I", "DRINK", "BLACK", "COFFEE")
DICTIONARY: Final = ((1, 1, 0, 0), (0, 0, 0, 1), (0, 0, 1, 0))  # which English word says it
CERTAINTY: Final = 6.0  # of the dictionary, in scaled scores


def _translation() -> Scenario:
    """Head 1 looks words up: a Spanish query row of W_Q holds its line of the dictionary."""
    d_model, d_model_kv, d_k = 6, 5, 4
    drawn = make_projections("random", LayerSizes(d_model, d_model_kv, 2, 2, d_k, d_k, d_model))
    look_up = np.zeros((d_model, d_k))
    look_up[: len(SPANISH)] = np.array(DICTIONARY) * CERTAINTY * np.sqrt(d_k)
    one_column_a_word = np.eye(d_model_kv, d_k)
    return Scenario(
        x=make_x("one_hot", SPANISH, d_model),
        context=make_x("one_hot", ENGLISH, d_model_kv),
        w_q=side_by_side(look_up, drawn.w_q[:, d_k:]),
        w_k=side_by_side(one_column_a_word, drawn.w_k[:, d_k:]),
        w_v=side_by_side(one_column_a_word, drawn.w_v[:, d_k:]),
        w_o=drawn.w_o,
        n_heads=2,
        tokens=SPANISH,
        context_tokens=ENGLISH,
        origin=Origin("translation", x="one_hot"),
    )


def _is_wide(trace: Trace) -> bool:
    return trace.weights.shape[1:] == (len(SPANISH), len(ENGLISH))


def _looks_up_the_dictionary(trace: Trace) -> bool:
    shares = np.array(DICTIONARY) / np.sum(DICTIONARY, axis=1, keepdims=True)
    return nearly_equal(trace.weights[:1], [shares], within=0.01)


def _order_is_crossed(trace: Trace) -> bool:
    """Head 1's favourite keys do not come in the order of the queries."""
    favourites = trace.weights[0].argmax(axis=-1)
    return bool((np.diff(favourites) < 0).any())


# Grouped queries.


def _pairs_share_keys(trace: Trace) -> bool:
    """Each two query heads are scored against one head of keys, worked out again."""
    if 2 * len(trace.k_heads) != len(trace.q_heads):
        return False
    scores = [q @ trace.k_heads[head // 2].T for head, q in enumerate(trace.q_heads)]
    return nearly_equal(trace.raw_scores, scores)


def _no_two_heads_weigh_alike(trace: Trace) -> bool:
    return len({head.tobytes() for head in trace.weights}) == len(trace.weights)


# Saturated softmax: head 2 asks what head 1 asks, but 900 times as loud.

LOUDER: Final = 30


def _saturated() -> Scenario:
    tokens = ("COLD", "MILD", "WARM", "HOT")
    one = np.eye(4)
    loud = side_by_side(one, LOUDER * one)
    return Scenario(
        x=make_x("word_vectors", tokens, 4),
        w_q=loud,
        w_k=loud,
        w_v=side_by_side(one, one),
        w_o=np.vstack([one, one]) / 2,
        n_heads=2,
        tokens=tokens,
        origin=Origin("saturated", x="word_vectors"),
    )


def _head_2_is_louder(trace: Trace) -> bool:
    return nearly_equal(trace.raw_scores[1:], LOUDER**2 * trace.raw_scores[:1])


def _head_2_sees_one_key(trace: Trace) -> bool:
    sharp = trace.weights[1:].max(axis=-1, initial=0.0) > 0.999
    gentle = trace.weights[:1].max(axis=-1) < 0.999
    return bool(sharp.all() and gentle.all()) and len(trace.weights) == 2


def _naive_softmax_breaks(trace: Trace) -> bool:
    naive = naive_softmax(trace.scaled_scores)
    return bool(np.isnan(naive).any()) and bool(np.isfinite(trace.weights).all())


# Permutation: attention without positions is blind to the order.


def _rows_follow_their_tokens(trace: Trace) -> bool:
    s = trace.scenario
    backwards = attend(replace(s, x=s.x[::-1]))
    return s.n_q > 1 and nearly_equal(backwards.output, trace.output[::-1])


def _equal_words_get_equal_rows(trace: Trace) -> bool:
    """Some word stands twice, and wherever one does, its rows of the output are the same."""
    words = trace.scenario.tokens
    first = [words.index(word) for word in words]
    return len(set(words)) < len(words) and nearly_equal(trace.output, trace.output[first])


# A long text.

TEXT: Final = """
    a model reads a text one word at a time and asks of every word which other words it should
    look at some heads look at the word before and some look at the word after one head keeps an
    eye on the first word of the text and one head looks at nothing but the word itself one head
    finds every place where the same word was said and one head takes a plain mean of all so far
    nobody told the heads of a real model to do so they learn it from a great many texts here each
    of them was built by hand so that you can see at a glance what a head may do and what a mask
    takes away from it
"""


EXAMPLES: Final = (
    Example(
        name="translation",
        title="Translation",
        sentence="Cross-attention: three Spanish words ask, four English words answer.",
        build=_translation,
        claims=(
            Claim("Three queries, four keys: each head's weights are 3 × 4.", _is_wide),
            Claim(
                "Head 1 is a dictionary: CAFÉ finds COFFEE, NEGRO finds BLACK, and BEBO takes "
                "half of I and half of DRINK.",
                _looks_up_the_dictionary,
            ),
            Claim(
                "The order is crossed: what comes later in Spanish comes earlier in English.",
                _order_is_crossed,
            ),
        ),
        notes=("Queries are made of the first sequence, keys and values of the second.",),
    ),
    Example(
        name="grouped-query",
        title="Grouped queries",
        sentence="Four heads ask, and each two of them share one head of keys and values.",
        build=partial(
            from_recipes,
            "grouped-query",
            tokenize("MANY ASK AND FEW ANSWER"),
            d_model=8,
            n_heads=4,
            n_kv_heads=2,
        ),
        claims=(
            Claim("Heads 1 and 2 share keys and values, and so do 3 and 4.", _pairs_share_keys),
            Claim(
                "Sharing keys is not sharing questions: no two heads have the same weights.",
                _no_two_heads_weigh_alike,
            ),
        ),
        notes=(
            "A model that generates text keeps K and V of all words before: half as much here.",
        ),
    ),
    Example(
        name="saturated",
        title="Saturated softmax",
        sentence="Scores so large that each query sees one key alone, and a naive softmax breaks.",
        build=_saturated,
        claims=(
            Claim("Head 2's scores are head 1's times 900.", _head_2_is_louder),
            Claim(
                "Every row of head 2 gives one key more than 0.999; no row of head 1 does.",
                _head_2_sees_one_key,
            ),
            Claim(
                "exp(s) / sum(exp(s)) overflows here and is not a number; with each row's largest "
                "score subtracted first, all weights are right.",
                _naive_softmax_breaks,
            ),
        ),
        notes=("Dividing by sqrt(d_k) is there to keep wide heads from this.",),
    ),
    Example(
        name="permutation",
        title="The man bites the dog",
        sentence="Shuffle the words and the rows are shuffled likewise: order plays no part.",
        build=partial(
            from_recipes,
            "permutation",
            tokenize("THE MAN BITES THE DOG"),
            d_model=8,
            n_heads=2,
        ),
        claims=(
            Claim(
                "Read backwards, every token's output row is the same, in the place it moved to.",
                _rows_follow_their_tokens,
            ),
            Claim(
                "Both THE have the same output: nothing tells them apart.",
                _equal_words_get_equal_rows,
            ),
        ),
        notes=("Add positions or a mask, and order counts.",),
    ),
    Example(
        name="long",
        title="A long text",
        sentence="128 tokens, and six heads built by hand that each look another way.",
        build=partial(
            from_recipes,
            "long",
            tokenize(TEXT),
            d_model=216,
            n_heads=6,
            x="one_hot_position",
            weights="all_patterns",
            d_k=128,
        ),
        claims=PRESETS["all_patterns"].claims,
        notes=("d_k is 128, a column a place, and not d_model / n_heads = 36.",),
    ),
)
