"""Why scores are divided by sqrt(d_k): what large scores do to a softmax."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from mha_core.examples.example import (
    WHY_DIVIDE,
    Example,
    from_recipes,
    has_sizes,
    side_by_side,
    true_of_any_trace,
)
from mha_core.language import say
from mha_core.layer.attending import attend
from mha_core.layer.attention import naive_softmax
from mha_core.layer.trace import Trace
from mha_core.making.inputs import make_x, tokenize
from mha_core.options.scale import BY_ROOT_D_K, NONE
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

DIVIDED: Final = {"scale": (BY_ROOT_D_K,)}  # claims on the division suppose it

# A head of width 64.


def _raw_scores_are_wide(trace: Trace) -> bool:
    """Scores of random vectors spread by about sqrt(d_k), and by about 1 after the scale."""
    root = math.sqrt(trace.scenario.d_k)
    raw, scaled = trace.raw_scores.std() / root, trace.scaled_scores.std()
    return bool(0.75 < raw < 1.25 and 0.75 < scaled < 1.25) and trace.scenario.d_k > 1


def _scaled_weights_are_shared(trace: Trace) -> bool:
    return bool((trace.weights.max(axis=-1) < 0.5).all()) and bool(trace.weights.any())


def _raw_scores_would_choose_one_key(trace: Trace) -> bool:
    s = trace.scenario
    largest = attend(replace(s, scores=replace(s.scores, scale=NONE))).weights.max(axis=-1)
    return s.n_k > 1 and bool((largest > 0.95).mean() > 0.5)


# Head 2 has the same queries and keys as head 1, each 30 times as large.

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
    scores = trace.tempered_scores[:, ~trace.blind_queries]
    breaks = scores.size > 0 and bool(np.isnan(naive_softmax(scores)).any())
    return breaks and bool(np.isfinite(trace.weights).all())


EXAMPLES: Final = (
    Example(
        name="wide-head",
        title=say("A head of width 64"),
        question=WHY_DIVIDE,
        sentence=say(
            "One wide head: its raw scores are large, and the division by 8 makes them small."
        ),
        holds=lambda trace: has_sizes(trace, d_k=64, n_heads=1) and _raw_scores_are_wide(trace),
        build=partial(
            from_recipes,
            "wide-head",
            tokenize("THE QUICK BROWN FOX JUMPS OVER A DOG"),
            d_model=64,
            n_heads=1,
            seed=3,
        ),
        claims=(
            Claim(
                say("Raw scores spread by about sqrt(d_k) = 8, scaled scores by about 1."),
                _raw_scores_are_wide,
            ),
            Claim(
                say("With the division, no query gives half of its weight to one key."),
                _scaled_weights_are_shared,
                DIVIDED,
            ),
            Claim(
                say("Without it, most queries would give more than 0.95 to one key."),
                _raw_scores_would_choose_one_key,
                DIVIDED,
            ),
        ),
        notes=(
            Claim(
                say(
                    "A score is a sum of d_k products. Its size grows with sqrt(d_k). Set the "
                    "scale to none to see what this does to the weights."
                ),
                true_of_any_trace,
                DIVIDED,
            ),
        ),
    ),
    Example(
        name="saturated",
        title=say("Saturated softmax"),
        question=WHY_DIVIDE,
        sentence=say(
            "With scores this large, each query sees one key only, and a naive softmax fails."
        ),
        holds=lambda trace: _head_2_sees_one_key(trace) and _naive_softmax_breaks(trace),
        build=_saturated,
        claims=(
            Claim(say("Head 2's raw scores are head 1's times 900."), _head_2_is_louder),
            Claim(
                say("Every row of head 2 gives one key more than 0.999; no row of head 1 does."),
                _head_2_sees_one_key,
            ),
            Claim(
                say(
                    "exp(s) / sum(exp(s)) overflows here and is not a number. If the largest "
                    "score of each row is subtracted first, all weights are right."
                ),
                _naive_softmax_breaks,
            ),
        ),
        notes=(
            Claim(say("The division by sqrt(d_k) prevents this in wide heads."), true_of_any_trace),
        ),
    ),
)
