"""Document 002: I LOVE PEPPERONI PIZZA, as a language model and as a vision transformer."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.example import (
    CAUSAL,
    OF_DOCUMENTS,
    Erratum,
    Example,
    Printed,
    from_recipes,
    has_sizes,
    side_by_side,
)
from mha_core.examples.looking_ahead import LANGUAGE_MODEL, each_sees_the_past, every_row_moves
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x
from mha_core.making.presets import W_O_MIXES, LayerSizes, make_projections
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

WORDS: Final = ("I", "LOVE", "PEPPERONI", "PIZZA")
PATCHES: Final = ("PATCH 1", "PATCH 2", "PATCH 3", "PATCH 4")

# The weights that the document prints under the causal mask.
MASKED_WEIGHTS: Final = (
    (1.0, 0.0, 0.0, 0.0),
    (0.6, 0.4, 0.0, 0.0),
    (0.2, 0.4, 0.4, 0.0),
    (0.4, 0.2, 0.3, 0.1),
)


def _pizza() -> Scenario:
    """Head 1 gives the weights of the document: its scores are their logarithms. Head 2 is random.

    With one-hot words, W_Q says which query it is, and column i of W_K has the scores of query i
    with each word.
    """
    d_model, d_k = 8, 4
    drawn = make_projections("random", LayerSizes(d_model, d_model, 2, 2, d_k, d_k, d_model))
    one_column_a_word = np.eye(d_model, d_k)
    scores_of_words = np.zeros((d_model, d_k))
    scores_of_words[: len(WORDS)] = _logarithms(np.array(MASKED_WEIGHTS)).T * np.sqrt(d_k)
    return Scenario(
        x=make_x("one_hot", WORDS, d_model),
        w_q=side_by_side(one_column_a_word, drawn.w_q[:, d_k:]),
        w_k=side_by_side(scores_of_words, drawn.w_k[:, d_k:]),
        w_v=side_by_side(one_column_a_word, drawn.w_v[:, d_k:]),
        w_o=drawn.w_o,
        n_heads=2,
        tokens=WORDS,
        mask=CAUSAL,
        origin=Origin("pizza", x="one_hot"),
    )


def _logarithms(weights: FloatArray) -> FloatArray:
    """Scores whose softmax gives these weights; 0 for the cells that the mask hides."""
    return np.log(np.where(weights > 0, weights, 1))


def _everybody_looks_at_everybody(trace: Trace) -> bool:
    return bool((trace.weights > 0).all())


def _has_small_size(trace: Trace) -> bool:
    return has_sizes(trace, d_model=8, n_heads=2, d_k=4, d_v=4)


def _has_real_size(trace: Trace) -> bool:
    return has_sizes(trace, n_q=4, d_model=1024, n_heads=8, d_k=128, d_v=128)


def _is_the_documents_blend(trace: Trace) -> bool:
    return nearly_equal(trace.weights[:1], [MASKED_WEIGHTS])


VISION: Final = (
    Claim(say("Every patch looks at every patch: no weight is 0."), _everybody_looks_at_everybody),
    Claim(
        say("Every output row depends on all patches: if the last one changes, all rows move."),
        every_row_moves,
    ),
)
ERRATA: Final = (
    Erratum(
        say("Step 3, the weights without a mask, row I"),
        "0.1  0.2  0.5  0.3",
        say("These sum to 1.1, but a row of weights sums to 1."),
    ),
    Erratum(
        say("Step 3, row I of the scores and of the weights"),
        "softmax(13.9, 21.1, -100.3, 17.5) = 0.1  0.2  0.5  0.3",
        say("The softmax is 0.00073, 0.97270, 0.00000, 0.02658. The figures are illustrations."),
    ),
    Erratum(
        say("Step 3, row LOVE of the scores and of the weights"),
        "softmax(-5.0, 3.14, 1.2, 75.3) = 0.4  0.1  0.3  0.2",
        say("The softmax is 0.00000, 0.00000, 0.00000, 1.00000. The figures are illustrations."),
    ),
    Erratum(
        say("Steps 1 and 2, the columns of the last head"),
        say("96 ... 1024 and 996 ... 1024"),
        say("The last of 8 heads of width 128 has columns 897 ... 1024."),
    ),
)

WITHOUT_W_O: Final = say(
    "Without W_O each group of {count} columns would come from one head alone."
)
SMALL_NOTES: Final = (
    Claim(say("A small version: width 8, two heads of 4."), _has_small_size),
    Claim(WITHOUT_W_O.format(count=4), _has_small_size),
)
REAL_NOTES: Final = (
    Claim(
        say(
            "The document writes W_q, W_k and W_v as (1024, 8, 128), Q, K and V as "
            "(4, 8, 128) and after the transpose as (8, 4, 128). Here W_Q is "
            "(1024, 1024): head i owns 128 of its columns, and splitting Q into "
            "heads gives the same (8, 4, 128)."
        ),
        _has_real_size,
    ),
    Claim(WITHOUT_W_O.format(count=128), _has_real_size),
)

EXAMPLES: Final = (
    Example(
        name="pizza",
        title=say("Pizza, a language model"),
        question=OF_DOCUMENTS,
        sentence=say("Four words under a causal mask: each sees itself and the words before it."),
        holds=lambda trace: has_sizes(trace, n_q=4) and each_sees_the_past(trace),
        document="002",
        build=_pizza,
        claims=(
            *LANGUAGE_MODEL,
            Claim(say("Head 1 gives the weights of the source document."), _is_the_documents_blend),
            W_O_MIXES,
        ),
        printed=(
            Printed(say("Weights of head 1 under the mask"), "weights", (0,), MASKED_WEIGHTS, 1),
        ),
        errata=ERRATA,
        notes=(
            *SMALL_NOTES,
            Claim(
                say(
                    "The document prints weights, but no vectors that give them. Head 1 was "
                    "built for these weights: its scores are their logarithms. Head 2 is "
                    "random."
                ),
                _is_the_documents_blend,
            ),
        ),
    ),
    Example(
        name="pizza-patches",
        title=say("Pizza, a vision transformer"),
        question=OF_DOCUMENTS,
        sentence=say("Four patches of a picture, without a mask: each sees all the others."),
        holds=lambda trace: has_sizes(trace, n_q=4) and _everybody_looks_at_everybody(trace),
        document="002",
        build=partial(from_recipes, "pizza-patches", PATCHES, d_model=8, n_heads=2),
        claims=(*VISION, W_O_MIXES),
        errata=ERRATA,
        notes=SMALL_NOTES,
    ),
    Example(
        name="pizza-1024",
        title=say("Pizza, a language model at its real size"),
        question=OF_DOCUMENTS,
        sentence=say("The same four words at width 1024, with 8 heads of 128 and the causal mask."),
        holds=lambda trace: _has_real_size(trace) and each_sees_the_past(trace),
        document="002",
        build=partial(from_recipes, "pizza-1024", WORDS, d_model=1024, n_heads=8, mask=CAUSAL),
        claims=(*LANGUAGE_MODEL, W_O_MIXES),
        errata=ERRATA,
        notes=REAL_NOTES,
    ),
    Example(
        name="pizza-patches-1024",
        title=say("Pizza, a vision transformer at its real size"),
        question=OF_DOCUMENTS,
        sentence=say("The same four patches at width 1024, with 8 heads of 128 and no mask."),
        holds=lambda trace: _has_real_size(trace) and _everybody_looks_at_everybody(trace),
        document="002",
        build=partial(from_recipes, "pizza-patches-1024", PATCHES, d_model=1024, n_heads=8),
        claims=(*VISION, W_O_MIXES),
        errata=ERRATA,
        notes=REAL_NOTES,
    ),
)
