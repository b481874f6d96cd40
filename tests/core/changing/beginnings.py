"""Scenarios that begin a change: made by name, and of numbers whose origin is unknown."""

from __future__ import annotations

from typing import Any

from mha_core.making.inputs import make_x
from mha_core.making.presets import LayerSizes, make_projections
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from tests.core.strategies import self_attention

WORDS = ("I", "LOVE", "PIZZA")


def by_recipe(x: str = "word_vectors", weights: str = "random", **more: Any) -> Scenario:
    """Three words, d_model 8, two heads, all made by name."""
    made = make_projections(weights, LayerSizes(8, 8, 2, 2, 4, 4, 8), WORDS, 5)
    return Scenario(
        x=make_x(x, WORDS, 8, 3),
        **vars(made),
        n_heads=2,
        tokens=WORDS,
        origin=Origin("", x, 3, weights, 5),
        **more,
    )


def by_numbers(n: int = 3, d_model: int = 6, n_heads: int = 2, **more: Any) -> Scenario:
    """Random numbers of unknown origin."""
    return self_attention(n, d_model, n_heads, **more)
