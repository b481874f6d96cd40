"""Document 000: split, attend, combine, on the smallest input that shows anything."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from mha_core.examples.example import (
    OF_DOCUMENTS,
    Erratum,
    Example,
    Printed,
    from_recipes,
    has_sizes,
)
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.presets import PRESETS, nothing_is_projected
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.scenario import Scenario

E_SHARE: Final = math.e / (math.e + 1)


def _build() -> Scenario:
    return from_recipes(
        "split-only", ("t1", "t2"), d_model=2, n_heads=2, x="one_hot", weights="split_only"
    )


def _first_token_takes_e_to_one(trace: Trace) -> bool:
    return nearly_equal(trace.weights[:1, :1], [[[E_SHARE, 1 - E_SHARE]]])


def _zero_query_spreads_evenly(trace: Trace) -> bool:
    """Some query of some head is all zeros, and each of those has equal weights."""
    says_nothing = ~trace.q_heads.any(axis=-1)
    rows = trace.weights[says_nothing]
    return bool(says_nothing.any()) and nearly_equal(rows, np.full(rows.shape, 1 / rows.shape[-1]))


_is_x: Final = PRESETS["split_only"].claims[0].holds


SPLIT_ONLY: Final = Example(
    name="split-only",
    title=say("Split only"),
    question=OF_DOCUMENTS,
    sentence=say(
        "Two tokens, two heads of width 1, no projections: small enough to check by hand."
    ),
    holds=lambda trace: has_sizes(trace, n_q=2, n_heads=2, d_k=1) and nothing_is_projected(trace),
    document="000",
    build=_build,
    claims=(
        *PRESETS["split_only"].claims,
        Claim(
            say(
                "In head 1 the first token takes e / (e + 1) of itself and 1 / (e + 1) "
                "of the other."
            ),
            _first_token_takes_e_to_one,
        ),
        Claim(
            say("A query that is all zeros prefers no key: its weights are equal."),
            _zero_query_spreads_evenly,
        ),
    ),
    printed=(
        Printed(say("Scores of head 1"), "scaled_scores", (0,), ((1, 0), (0, 0)), 0),
        Printed(
            say("Scores of head 2"), "scaled_scores", (1,), ((0, 0), (0, 1)), 0, in_document=False
        ),
        Printed(say("Weights of head 1"), "weights", (0,), ((0.731, 0.269), (0.5, 0.5)), 3),
        Printed(
            say("Weights of head 1"),
            "weights",
            (0,),
            ((0.73105858, 0.26894142), (0.5, 0.5)),
            8,
            in_document=False,
        ),
        Printed(
            say("Weights of head 2"),
            "weights",
            (1,),
            ((0.5, 0.5), (0.26894142, 0.73105858)),
            8,
            in_document=False,
        ),
        Printed(say("Output of head 1"), "head_outputs", (0,), ((0.731,), (0.5,)), 3),
        Printed(say("Output of head 2"), "head_outputs", (1,), ((0.5,), (0.731,)), 3),
        Printed(
            say("Output of head 1"),
            "head_outputs",
            (0,),
            ((0.73105858,), (0.5,)),
            8,
            in_document=False,
        ),
        Printed(
            say("Output of head 2"),
            "head_outputs",
            (1,),
            ((0.5,), (0.73105858,)),
            8,
            in_document=False,
        ),
        Printed(say("Combined output"), "output", (), ((0.73105858, 0.5), (0.5, 0.73105858)), 8),
    ),
    errata=(
        Erratum(
            say("Algorithm 3, lines 9 and 10"),
            say("The weights are exp(scores) / sum(exp(scores))."),
            say(
                "On paper these are the weights. A program fails: from a score of "
                "about 710 on, exp overflows float64 (float32 from about 89), and inf "
                "/ inf is not a number. Subtract the largest score of each row first: "
                "the weights are the same."
            ),
        ),
        Erratum(
            say("Algorithm 1 beside formula (3)"),
            say("X has shape (seq_len, d_k), and scores are divided by sqrt(d_k)."),
            say(
                "The width of X is 2 here and that of one head is 1: d_k cannot name "
                "both. Scores are divided by the square root of the width of one head, "
                "as in algorithm 3: by sqrt(1), not by sqrt(2)."
            ),
        ),
    ),
    notes=(
        Claim(
            say("Q = K = V = X here: the source document splits its input, without projections."),
            _is_x,
        ),
    ),
)

EXAMPLES: Final = (SPLIT_ONLY,)
