"""Document 004: the general formulas, for two tokens and two heads with mirrored outputs."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.examples.example import (
    OF_DOCUMENTS,
    Example,
    Printed,
    Rows,
    has_sizes,
    output_is_concatenation,
    side_by_side,
)
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.presets import W_O_MIXES
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

X: Final = ((1, 0, 1, 0), (0, 2, 0, 2))
HEAD_1: Final = ((1, 0), (0, 1), (1, 0), (0, 1))
HEAD_2: Final = ((0, 1), (1, 0), (0, 1), (1, 0))
IDENTITY: Final = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
# Rows: two of head 1, two of head 2. Columns: the sum of the heads, then their difference.
SUM_AND_DIFFERENCE: Final = ((1, 0, 1, 0), (0, 1, 0, 1), (1, 0, -1, 0), (0, 1, 0, -1))

SCORES: Final = ((2.82842712, 0), (0, 11.3137085))
WEIGHTS: Final = ((0.94419278, 0.05580722), (0.0000122043, 0.9999877957))
OUTPUT_1: Final = ((1.88838556, 0.22322888), (0.0000244086, 3.9999511827))
OUTPUT_2: Final = ((0.22322888, 1.88838556), (3.9999511827, 0.0000244086))


def _build(name: str, w_o: Rows) -> Scenario:
    both = side_by_side(HEAD_1, HEAD_2)
    return Scenario(
        x=np.array(X),
        w_q=both,
        w_k=both,
        w_v=both,
        w_o=np.array(w_o),
        n_heads=2,
        origin=Origin(name),
    )


def _weights_are_equal(trace: Trace) -> bool:
    return nearly_equal(trace.weights[:1], trace.weights[1:])


def _outputs_are_mirrored(trace: Trace) -> bool:
    return nearly_equal(trace.head_outputs[:1], trace.head_outputs[1:, :, ::-1])


def _is_sum_and_difference(trace: Trace) -> bool:
    if trace.head_outputs.shape[0] != 2:
        return False
    one, two = trace.head_outputs
    return nearly_equal(trace.output, np.hstack([one + two, one - two]))


def _worked_out(says: str, step: str, index: tuple[int, ...], values: Rows, digits: int) -> Printed:
    return Printed(says.format(head=index[0] + 1), step, index, values, digits, in_document=False)


TWINS: Final = (
    Claim(say("Both heads have the same weights."), _weights_are_equal),
    Claim(
        say("Their outputs are mirrored: head 2 has head 1's columns in reverse."),
        _outputs_are_mirrored,
    ),
)

PRINTED: Final = (
    Printed("Q_1", "q_heads", (0,), ((2, 0), (0, 4)), 0),
    Printed("K_1", "k_heads", (0,), ((2, 0), (0, 4)), 0),
    Printed("V_1", "v_heads", (0,), ((2, 0), (0, 4)), 0),
    *(
        Printed(f"{symbol}_2", f"{symbol.lower()}_heads", (1,), ((0, 2), (4, 0)), 0, False)
        for symbol in "QKV"
    ),
    *(
        printed
        for head, output in enumerate((OUTPUT_1, OUTPUT_2))
        for printed in (
            _worked_out(say("Scaled scores, head {head}"), "scaled_scores", (head,), SCORES, 8),
            _worked_out(say("Weights, head {head}"), "weights", (head,), WEIGHTS, 8),
            _worked_out(
                say("Weights of token 2, head {head}"), "weights", (head, 1), WEIGHTS[1], 10
            ),
            _worked_out(say("Output, head {head}"), "head_outputs", (head,), output, 8),
            _worked_out(
                say("Output of token 2, head {head}"), "head_outputs", (head, 1), output[1], 10
            ),
        )
    ),
)


def _are_twins(trace: Trace) -> bool:
    return all(claim.holds(trace) for claim in TWINS)


NOTES: Final = (
    Claim(
        say(
            "d_k and d_v are two sizes: W_Q and W_K of a head are d_model x d_k, its W_V is "
            "d_model x d_v, and W_O is h*d_v x d_model. Here d_k = d_v = 2."
        ),
        lambda trace: has_sizes(trace, d_k=2, d_v=2),
    ),
    Claim(
        say(
            "The document calls its projections random. Those of head 2 are those of head 1 with "
            "swapped columns, so both heads have the same weights."
        ),
        _are_twins,
    ),
)

EXAMPLES: Final = (
    Example(
        name="two-tokens",
        title=say("Two tokens"),
        question=OF_DOCUMENTS,
        sentence=say("Two heads with equal weights and mirrored outputs, side by side."),
        holds=lambda trace: _are_twins(trace) and output_is_concatenation(trace),
        document="004",
        build=partial(_build, "two-tokens", IDENTITY),
        claims=(
            *TWINS,
            Claim(
                say("W_O is the identity: the output is the concatenation of the heads."),
                output_is_concatenation,
            ),
        ),
        printed=PRINTED,
        notes=(
            *NOTES,
            Claim(
                say("The document does not give W_O. Here it is the identity."),
                output_is_concatenation,
            ),
        ),
    ),
    Example(
        name="two-tokens-mixed",
        title=say("Two tokens, mixed by W_O"),
        question=OF_DOCUMENTS,
        sentence=say("The same two heads, and a W_O that gives their sum and their difference."),
        holds=lambda trace: _are_twins(trace) and _is_sum_and_difference(trace),
        document="004",
        build=partial(_build, "two-tokens-mixed", SUM_AND_DIFFERENCE),
        claims=(
            *TWINS,
            Claim(
                say("The output's left half is head 1 + head 2, its right half head 1 - head 2."),
                _is_sum_and_difference,
            ),
            W_O_MIXES,
        ),
        printed=PRINTED,
        notes=(
            *NOTES,
            Claim(
                say("The document does not give W_O. Here it is one that mixes the heads."),
                _is_sum_and_difference,
            ),
        ),
    ),
)
