"""Document 002: I LOVE PEPPERONI PIZZA, as a language model and as a vision transformer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.base import CAUSAL, Erratum, Example, Printed, from_recipes, side_by_side
from mha_core.layer.trace import Trace, attend
from mha_core.making.inputs import make_x
from mha_core.making.presets import W_O_MIXES, LayerSizes, make_projections
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

WORDS: Final = ("I", "LOVE", "PEPPERONI", "PIZZA")
PATCHES: Final = ("PATCH 1", "PATCH 2", "PATCH 3", "PATCH 4")

# What the document prints: two rows of scores, the weights it draws below them, and the weights
# under the causal mask.
PRINTED_SCORES: Final = ((13.9, 21.1, -100.3, 17.5), (-5.0, 3.14, 1.2, 75.3))
PRINTED_WEIGHTS: Final = ((0.1, 0.2, 0.5, 0.3), (0.4, 0.1, 0.3, 0.2))
MASKED_WEIGHTS: Final = (
    (1.0, 0.0, 0.0, 0.0),
    (0.6, 0.4, 0.0, 0.0),
    (0.2, 0.4, 0.4, 0.0),
    (0.4, 0.2, 0.3, 0.1),
)


def _pizza() -> Scenario:
    """Head 1 gives the document's weights: its scores are their logarithms. Head 2 is random.

    With one-hot words W_Q names the query, and W_K holds in column i what query i thinks of each
    word.
    """
    d_model, d_k = 8, 4
    drawn = make_projections("random", LayerSizes(d_model, d_model, 2, 2, d_k, d_k, d_model))
    one_column_a_word = np.eye(d_model, d_k)
    thinks = np.zeros((d_model, d_k))
    thinks[: len(WORDS)] = _logarithms(np.array(MASKED_WEIGHTS)).T * np.sqrt(d_k)
    return Scenario(
        x=make_x("one_hot", WORDS, d_model),
        w_q=side_by_side(one_column_a_word, drawn.w_q[:, d_k:]),
        w_k=side_by_side(thinks, drawn.w_k[:, d_k:]),
        w_v=side_by_side(one_column_a_word, drawn.w_v[:, d_k:]),
        w_o=drawn.w_o,
        n_heads=2,
        tokens=WORDS,
        mask=CAUSAL,
        origin=Origin("pizza", x="one_hot"),
    )


def _logarithms(weights: FloatArray) -> FloatArray:
    """Scores whose softmax gives the weights back; 0 where the mask decides anyway."""
    return np.log(np.where(weights > 0, weights, 1))


def _nobody_looks_ahead(trace: Trace) -> bool:
    return not np.triu(trace.weights, k=1).any()


def _rows_blend_the_past(trace: Trace) -> bool:
    """Each head's row t, worked out again from the values of the first t tokens alone."""
    values = np.repeat(trace.v_heads, len(trace.weights) // len(trace.v_heads), axis=0)
    return all(
        nearly_equal(
            trace.head_outputs[:, t],
            (trace.weights[:, t, None, : t + 1] @ values[:, : t + 1])[:, 0],
        )
        for t in range(trace.weights.shape[1])
    )


def _rows_that_move(trace: Trace, changed: int) -> list[bool]:
    """Which rows of the output move when one token of X is another."""
    x = trace.x.copy()
    x[changed] += 1
    other = attend(replace(trace.scenario, x=x))
    return [not nearly_equal(a, b) for a, b in zip(trace.output, other.output, strict=True)]


def _only_the_last_row_moves(trace: Trace) -> bool:
    *before, last = _rows_that_move(trace, changed=-1)
    return last and not any(before)


def _every_row_moves(trace: Trace) -> bool:
    return all(_rows_that_move(trace, changed=-1))


def _everybody_looks_at_everybody(trace: Trace) -> bool:
    return bool((trace.weights > 0).all())


def _is_the_documents_blend(trace: Trace) -> bool:
    return nearly_equal(trace.weights[:1], [MASKED_WEIGHTS])


LANGUAGE_MODEL: Final = (
    Claim(
        "No token looks ahead: row t of the weights is 0 beyond column t.",
        _nobody_looks_ahead,
    ),
    Claim(
        "Row t is a context of tokens 1 to t: a blend of their values and of no others.",
        _rows_blend_the_past,
    ),
    Claim(
        "Change the last word, and of all output rows only the last one moves.",
        _only_the_last_row_moves,
    ),
)
VISION: Final = (
    Claim("Every patch looks at every patch: no weight is 0.", _everybody_looks_at_everybody),
    Claim(
        "Every row is a context of all patches: change the last one, and all rows move.",
        _every_row_moves,
    ),
)
ERRATA: Final = (
    Erratum(
        "Step 3, the weights without a mask, row I",
        "0.1  0.2  0.5  0.3",
        "These sum to 1.1; a row of weights sums to 1.",
    ),
    Erratum(
        "Step 3, row I of the scores and of the weights",
        "softmax(13.9, 21.1, -100.3, 17.5) = 0.1  0.2  0.5  0.3",
        "The softmax is 0.00073, 0.97270, 0.00000, 0.02658. The figures are illustrations.",
    ),
    Erratum(
        "Step 3, row LOVE of the scores and of the weights",
        "softmax(-5.0, 3.14, 1.2, 75.3) = 0.4  0.1  0.3  0.2",
        "The softmax is 0.00000, 0.00000, 0.00000, 1.00000. The figures are illustrations.",
    ),
    Erratum(
        "Steps 1 and 2, the columns of the last head",
        "96 ... 1024 and 996 ... 1024",
        "The last of 8 heads of 128 owns columns 897 ... 1024.",
    ),
)

SHAPES: Final = (
    "The document writes W_q, W_k and W_v as (1024, 8, 128), Q, K and V as (4, 8, 128) and after "
    "the transpose as (8, 4, 128). Here W_Q is (1024, 1024): head i owns 128 of its columns, and "
    "splitting Q into heads gives the same (8, 4, 128).",
    "Without W_O each group of 128 columns would come from one head alone.",
)

EXAMPLES: Final = (
    Example(
        name="pizza",
        title="Pizza, a language model",
        sentence="Four words, each of which sees itself and what came before: the causal mask.",
        document="002",
        build=_pizza,
        claims=(
            *LANGUAGE_MODEL,
            Claim(
                "Head 1 gives the weights that the source document prints under its mask.",
                _is_the_documents_blend,
            ),
            W_O_MIXES,
        ),
        printed=(Printed("Weights of head 1 under the mask", "weights", (0,), MASKED_WEIGHTS, 1),),
        errata=ERRATA,
        notes=(
            "A small version: width 8, two heads of 4. The document prints weights and no vectors "
            "that lead to them, so head 1 was built to: its scores are the logarithms of those "
            "weights. Head 2 is random.",
            SHAPES[1].replace("128", "4"),
        ),
    ),
    Example(
        name="pizza-patches",
        title="Pizza, a vision transformer",
        sentence="Four patches of a picture, each of which sees all the others: no mask.",
        document="002",
        build=partial(from_recipes, "pizza-patches", PATCHES, d_model=8, n_heads=2),
        claims=(*VISION, W_O_MIXES),
        errata=ERRATA,
        notes=("A small version: width 8, two heads of 4.", SHAPES[1].replace("128", "4")),
    ),
    Example(
        name="pizza-1024",
        title="Pizza, a language model at its real size",
        sentence="The same four words at width 1024, with 8 heads of 128 and the causal mask.",
        document="002",
        build=partial(from_recipes, "pizza-1024", WORDS, d_model=1024, n_heads=8, mask=CAUSAL),
        claims=(*LANGUAGE_MODEL, W_O_MIXES),
        errata=ERRATA,
        notes=SHAPES,
    ),
    Example(
        name="pizza-patches-1024",
        title="Pizza, a vision transformer at its real size",
        sentence="The same four patches at width 1024, with 8 heads of 128 and no mask.",
        document="002",
        build=partial(from_recipes, "pizza-patches-1024", PATCHES, d_model=1024, n_heads=8),
        claims=(*VISION, W_O_MIXES),
        errata=ERRATA,
        notes=SHAPES,
    ),
)
