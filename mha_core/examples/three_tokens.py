"""Document 001: three tokens, two heads that share one printed projection."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.examples.example import (
    OF_DOCUMENTS,
    Erratum,
    Example,
    Printed,
    Rows,
    has_sizes,
    output_is_concatenation,
    side_by_side,
)
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

X: Final = ((1, 0, 1, 0, 1, 0), (0, 2, 0, 2, 0, 2), (1, 1, 1, 1, 1, 1))
W: Final = ((0.1, 0.2, 0.3), (0.4, 0.5, 0.6), (0.7, 0.8, 0.9)) * 2

PROJECTED: Final = ((1.2, 1.5, 1.8), (2.4, 3.0, 3.6), (2.4, 3.0, 3.6))
SCORES: Final = (
    (4.00103737, 8.00207473, 8.00207473),
    (8.00207473, 16.00414946, 16.00414946),
    (8.00207473, 16.00414946, 16.00414946),
)
WEIGHTS: Final = (
    (0.00906539, 0.4954673, 0.4954673),
    (0.00016736, 0.49991632, 0.49991632),
    (0.00016736, 0.49991632, 0.49991632),
)
OUTPUT: Final = (
    (2.38912153, 2.98640191, 3.5836823),
    (2.39979917, 2.99974897, 3.59969876),
    (2.39979917, 2.99974897, 3.59969876),
)


def _build() -> Scenario:
    both_heads = side_by_side(W, W)
    return Scenario(
        x=np.array(X),
        w_q=both_heads,
        w_k=both_heads,
        w_v=both_heads,
        w_o=np.eye(6),
        n_heads=2,
        origin=Origin("three-tokens"),
    )


def _two_and_three_ask_alike(trace: Trace) -> bool:
    q, x = trace.q, trace.x
    return nearly_equal(q[1:2], q[2:3]) and not nearly_equal(x[1:2], x[2:3])


def _two_and_three_get_alike(trace: Trace) -> bool:
    return trace.weights.shape[2] >= 3 and nearly_equal(
        trace.weights[:, :, 1], trace.weights[:, :, 2]
    )


def _both_heads_are_equal(trace: Trace) -> bool:
    return nearly_equal(trace.head_outputs[:1], trace.head_outputs[1:])


def _printed_of_head(head: int) -> tuple[Printed, ...]:
    """The notebook prints the projections of one head alone."""
    is_in_notebook = head == 0

    def projected(says: str, step: str) -> Printed:
        return Printed(says.format(head=head + 1), step, (head,), PROJECTED, 1, is_in_notebook)

    def worked_out(says: str, step: str, values: Rows) -> Printed:
        what = says.format(head=head + 1)
        return Printed(what, step, (head,), values, 8, in_document=False)

    return (
        projected(say("Queries of head {head}"), "q_heads"),
        projected(say("Keys of head {head}"), "k_heads"),
        projected(say("Values of head {head}"), "v_heads"),
        worked_out(say("Scaled scores of head {head}"), "scaled_scores", SCORES),
        worked_out(say("Weights of head {head}"), "weights", WEIGHTS),
        worked_out(say("Output of head {head}"), "head_outputs", OUTPUT),
    )


THREE_TOKENS: Final = Example(
    name="three-tokens",
    title=say("Three tokens"),
    question=OF_DOCUMENTS,
    sentence=say(
        "Width 6, two heads of width 3, and two tokens that one projection cannot tell apart."
    ),
    holds=lambda trace: (
        has_sizes(trace, d_model=6, n_heads=2, d_k=3) and _two_and_three_ask_alike(trace)
    ),
    document="001",
    build=_build,
    claims=(
        Claim(
            say("Tokens 2 and 3 differ in X, but W_Q maps both to the same query."),
            _two_and_three_ask_alike,
        ),
        Claim(
            say("Tokens 2 and 3 have the same key, so every query gives both the same weight."),
            _two_and_three_get_alike,
        ),
        Claim(
            say(
                "Both heads are equal, because they share the one matrix that the document prints."
            ),
            _both_heads_are_equal,
        ),
    ),
    printed=(*_printed_of_head(0), *_printed_of_head(1)),
    errata=(
        Erratum(
            say("Step 2, the cell with split_heads"),
            "batch_size, seq_length, embed_size = X.shape",
            say(
                "Q has two axes, not three. The cell has no output; when it is run, it stops with "
                "'not enough values to unpack (expected 3, got 2)'."
            ),
        ),
        Erratum(
            say("Step 2, splitting Q into 2 heads"),
            say("Q, of 3 columns, is split into 2 heads."),
            say(
                "2 does not divide 3. Each head of width 3 needs its own 6 x 3 matrix. The "
                "document prints one, and here both heads share it."
            ),
        ),
        Erratum(
            say("Step 3, the cell with scaled_dot_product_attention"),
            "K.transpose(0, 1, 3, 2) / math.sqrt(d_k)",
            say(
                "In this notebook K of one head has at most three axes, so a transpose of four "
                "axes stops with an error. And math is never imported."
            ),
        ),
    ),
    notes=(
        Claim(
            say(
                "Tokens 2 and 3 get the same query. This is not an error: the rows of W repeat, so "
                "X_2 W = X_3 W."
            ),
            _two_and_three_ask_alike,
        ),
        Claim(
            say("W_O is the identity, so the output is both heads side by side."),
            output_is_concatenation,
        ),
    ),
)

EXAMPLES: Final = (THREE_TOKENS,)
