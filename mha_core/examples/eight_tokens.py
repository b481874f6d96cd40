"""Document 003: eight tokens, first split, then projected."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.examples.example import (
    OF_DOCUMENTS,
    Erratum,
    Example,
    Printed,
    from_recipes,
    has_sizes,
    true_of_any_trace,
)
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.presets import OWN_SLICE_ALONE, W_O_MIXES, LayerSizes, make_projections
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

TOKENS: Final = tuple(f"token {i}" for i in range(1, 9))
X: Final = (
    (0.2, 0.5, 0.1, 0.8),
    (0.3, 0.7, 0.4, 0.2),
    (0.6, 0.1, 0.9, 0.5),
    (0.4, 0.8, 0.3, 0.7),
    (0.7, 0.2, 0.6, 0.4),
    (0.5, 0.6, 0.2, 0.9),
    (0.8, 0.3, 0.5, 0.1),
    (0.1, 0.9, 0.7, 0.6),
)


def _build() -> Scenario:
    arrays = vars(make_projections("split_only", LayerSizes(4, 4, 2, 2, 2, 2, 4)))
    origin = Origin("eight-tokens", weights="split_only")
    return Scenario(x=np.array(X), **arrays, n_heads=2, tokens=TOKENS, origin=origin)


def _slices_projected_are_enough(trace: Trace) -> bool:
    """Split X by columns, project each slice by its own block: the queries are the same."""
    s = trace.scenario
    if s.d_model % s.n_heads:
        return False
    part = s.d_model // s.n_heads
    return all(
        nearly_equal(queries, trace.x[:, head * part :][:, :part] @ _block(s, head, part))
        for head, queries in enumerate(trace.q_heads)
    )


def _block(s: Scenario, head: int, part: int) -> FloatArray:
    return s.w_q[head * part : (head + 1) * part, head * s.d_k : (head + 1) * s.d_k]


def _every_weight_is_near_an_eighth(trace: Trace) -> bool:
    n_k = trace.weights.shape[-1]
    return bool((np.abs(trace.weights * n_k - 1) < 0.5).all())


def _every_block_is_the_identity(trace: Trace) -> bool:
    s = trace.scenario
    projections = (s.w_q, s.w_k, s.w_v, s.w_o)
    return all(nearly_equal(w, np.eye(*w.shape)) for w in projections)


SPLIT_FIRST: Final = Claim(
    say("Split X, then project each slice by its block: the queries are those of X W_Q."),
    _slices_projected_are_enough,
)
ERRATA: Final = (
    Erratum(
        say("Weight matrices (per head), beside step 2"),
        say("W_Q, W_K and W_V have shape (4, 2); then (8, 2) is multiplied by (2, 2)."),
        say(
            "Two versions are mixed. A (4, 2) matrix for each head projects all of X, "
            "which is then split. A (2, 2) matrix for each head projects its slice, as the "
            "document computes."
        ),
    ),
)

EXAMPLES: Final = (
    Example(
        name="eight-tokens",
        title=say("Eight tokens, split first"),
        question=OF_DOCUMENTS,
        sentence=say("Two heads, and each reads only its own half of the columns of X."),
        holds=lambda trace: has_sizes(trace, n_heads=2) and OWN_SLICE_ALONE.holds(trace),
        document="003",
        build=_build,
        claims=(
            OWN_SLICE_ALONE,
            SPLIT_FIRST,
            Claim(
                say("Small numbers make weights nearly equal: each is between 1/16 and 3/16."),
                _every_weight_is_near_an_eighth,
            ),
        ),
        printed=(
            Printed("X", "x", (), X, 1),
            Printed(
                say("Weights of head 1, token 1"),
                "weights",
                (0, 0),
                (0.119802, 0.130411, 0.110056, 0.137028, 0.11564, 0.129492, 0.121508, 0.136063),
                6,
                in_document=False,
            ),
            Printed(
                say("Weights of head 2, token 1"),
                "weights",
                (1, 0),
                (0.140946, 0.102532, 0.125869, 0.135091, 0.11645, 0.150207, 0.097581, 0.131324),
                6,
                in_document=False,
            ),
            Printed(
                say("Output of head 1, token 1"),
                "head_outputs",
                (0, 0),
                (0.44043525, 0.53154925),
                8,
                in_document=False,
            ),
            Printed(
                say("Output of head 2, token 1"),
                "head_outputs",
                (1, 0),
                (0.44954513, 0.56108035),
                8,
                in_document=False,
            ),
        ),
        errata=ERRATA,
        notes=(
            Claim(
                say("The document prints X, but no projections. Here every block is the identity."),
                _every_block_is_the_identity,
            ),
            Claim(
                say(
                    "Splitting first is the same formula with a block-diagonal W_Q: zeros "
                    "outside each head's block."
                ),
                OWN_SLICE_ALONE.holds,
            ),
        ),
    ),
    Example(
        name="eight-tokens-512",
        title=say("Eight tokens at width 512"),
        question=OF_DOCUMENTS,
        sentence=say(
            "The document's other sizes: 8 heads of 64, each of which reads only its slice."
        ),
        holds=lambda trace: has_sizes(trace, n_heads=8, d_k=64) and OWN_SLICE_ALONE.holds(trace),
        document="003",
        build=partial(
            from_recipes,
            "eight-tokens-512",
            TOKENS,
            d_model=512,
            n_heads=8,
            x="random",
            weights="split_then_project",
        ),
        claims=(OWN_SLICE_ALONE, SPLIT_FIRST, W_O_MIXES),
        errata=ERRATA,
        notes=(
            Claim(
                say("For this example the document gives sizes, but no numbers to compare with."),
                true_of_any_trace,
            ),
        ),
    ),
)
