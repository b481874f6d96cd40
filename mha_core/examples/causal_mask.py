"""What a causal mask does, on a sentence."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from mha_core.examples.example import CAUSAL, WHAT_THE_MASK_DOES, Example, from_recipes
from mha_core.examples.looking_ahead import LANGUAGE_MODEL, each_sees_the_past, nobody_looks_ahead
from mha_core.language import say
from mha_core.layer.trace import Trace
from mha_core.making.inputs import tokenize
from mha_core.reading.claims import Claim
from mha_core.reading.nearly_equal import nearly_equal


def _the_first_sees_itself(trace: Trace) -> bool:
    """The first token gives all of its weight to itself, in every head."""
    itself = np.zeros((trace.scenario.n_heads, trace.scenario.n_k))
    itself[:, 0] = 1
    return trace.scenario.n_k > 1 and nearly_equal(trace.weights[:, 0], itself)


EXAMPLES: Final = (
    Example(
        name="causal",
        title=say("No looking ahead"),
        question=WHAT_THE_MASK_DOES,
        sentence=say(
            "Each word sees itself and the words before it, and no word that comes later."
        ),
        holds=each_sees_the_past,
        build=partial(
            from_recipes,
            "causal",
            tokenize("SHE READS THE NEXT WORD"),
            d_model=8,
            n_heads=2,
            mask=CAUSAL,
        ),
        claims=(
            Claim(say("The first word sees only itself: its weight is 1."), _the_first_sees_itself),
            *LANGUAGE_MODEL,
        ),
        notes=(
            Claim(
                say(
                    "A model that writes text needs this mask, because it has to guess the "
                    "next word. Remove the mask: then the upper right of the weights is no "
                    "longer 0."
                ),
                nobody_looks_ahead,
            ),
        ),
    ),
)
