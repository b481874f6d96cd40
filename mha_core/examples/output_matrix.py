"""What W_O does: the layer of the first example, before W_O has joined its heads."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from mha_core.examples import opening
from mha_core.examples.example import WHAT_W_O_DOES, Example, output_is_concatenation
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.layer.unchanged import without_norm_of_concat
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.x_columns import OF_WORDS


def _build() -> Scenario:
    (first,) = opening.EXAMPLES
    s = first.build()
    return replace(s, w_o=np.eye(s.n_heads * s.d_v), origin=Origin("heads-apart", x=OF_WORDS))


def _each_head_has_its_columns(trace: Trace) -> bool:
    """Each head adds to columns of the output to which no other head adds anything.

    A norm of the concatenation would divide by what all heads found.
    """
    if not without_norm_of_concat(trace.scenario):
        return False
    adds_to_columns = (trace.contributions != 0).any(axis=1)
    return trace.scenario.n_heads > 1 and bool((adds_to_columns.sum(axis=0) == 1).all())


EXAMPLES: Final = (
    Example(
        name="heads-apart",
        title=say("The heads apart"),
        question=WHAT_W_O_DOES,
        sentence=say(
            "W_O is the identity: the output has what the heads find side by side, unmixed."
        ),
        holds=output_is_concatenation,
        build=_build,
        claims=(
            Claim(say("The output is the concatenation of the heads."), output_is_concatenation),
            Claim(
                say("Each column of the output is from one head alone."), _each_head_has_its_columns
            ),
        ),
        notes=(
            Claim(
                say(
                    "Put a 1 into W_O off its diagonal: then two columns of the heads meet in one "
                    "column of the output."
                ),
                lambda trace: nearly_equal(trace.scenario.w_o, np.eye(len(trace.scenario.w_o))),
            ),
        ),
    ),
)
