"""A small layer for your own numbers."""

from __future__ import annotations

from typing import Final

import numpy as np

from mha_core.examples.example import Example, true_of_any_trace
from mha_core.language import say
from mha_core.making.presets import PRESETS, LayerSizes, make_projections, nothing_is_projected
from mha_core.reading.claims import Claim
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario

X: Final = ((1, 0, 0, 1), (0, 1, 1, 0), (1, 1, 0, 0))


def _build() -> Scenario:
    arrays = vars(make_projections("split_only", LayerSizes(4, 4, 2, 2, 2, 2, 4)))
    origin = Origin("own-numbers", weights="split_only")
    return Scenario(x=np.array(X), **arrays, n_heads=2, origin=origin)


NOTHING_IS_PROJECTED, OUTPUT_IS_CONCATENATION = PRESETS["split_only"].claims

EXAMPLES: Final = (
    Example(
        name="own-numbers",
        title=say("My own numbers"),
        question=say("My own numbers"),
        sentence=say("A small X, and projections that change nothing: enter your own numbers."),
        holds=nothing_is_projected,
        build=_build,
        claims=(NOTHING_IS_PROJECTED, OUTPUT_IS_CONCATENATION),
        notes=(
            Claim(
                say(
                    "Type in the grid, paste a matrix as text, or open a file. New tokens "
                    "begin with zeros."
                ),
                true_of_any_trace,
            ),
        ),
    ),
)
