"""A layer that is not the first: it gets its X from the layers below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from mha_core.checks.shapes import ComparedByValue, FloatArray
from mha_core.scenario.masks import Mask
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions


@dataclass(frozen=True, eq=False)
class Layer(ComparedByValue):
    """What a Scenario is, without X, tokens and second sequence.

    Where its values are made from rows of their own (`context_v`), these stay as given: only what
    queries and keys are made from comes from below. Its fields are those of a Scenario. A Stack
    checks them, as only there the width of X is known.
    """

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray
    n_heads: int
    n_kv_heads: int = 0
    d_k: int = 0
    d_v: int = 0
    context_v: FloatArray | None = None
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None
    b_s: FloatArray | None = None
    w_f: FloatArray | None = None
    b_f: FloatArray | None = None
    c_f: FloatArray | None = None
    sinks: FloatArray | None = None
    r_k: FloatArray | None = None
    r_q: FloatArray | None = None
    w_g: FloatArray | None = None
    b_g: FloatArray | None = None
    mask: Mask = field(default_factory=Mask)
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    heads_off: frozenset[int] = frozenset()
    origin: Origin = field(default_factory=Origin)

    @classmethod
    def of(cls, scenario: Scenario) -> Layer:
        """The layer of a scenario, to be put on another X."""
        return cls(**{each.name: getattr(scenario, each.name) for each in fields(cls)})

    def on(self, x: FloatArray, tokens: Sequence[str]) -> Scenario:
        """The layer with this X.

        >>> import numpy as np
        >>> I = np.eye(2)
        >>> Layer(w_q=I, w_k=I, w_v=I, w_o=I, n_heads=1).on(np.ones((3, 2)), ("a", "b", "c")).n_q
        3
        """
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        return Scenario(x=x, tokens=tuple(tokens), **given)
