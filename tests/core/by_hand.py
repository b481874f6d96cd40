"""Traces whose weights are made by hand, and heads that are one pattern and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mha_core import attend
from mha_core.checks.shapes import FloatArray
from mha_core.layer.trace import Trace
from mha_core.reading.patterns import Pattern, best_pattern, patterns
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import LATENTS, Origin
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

CAUSAL = Mask((Rule("causal"),))
PIZZA = ("I", "LOVE", "PEPPERONI", "PIZZA")
ALL_BLIND = Mask((Rule("padding", {"hidden": [0, 1, 2]}),))  # for three tokens


def with_weights(*heads: Any, **changes: Any) -> Trace:
    """A trace of self-attention whose heads have these weights: X is one-hot, so that the scores
    are W_Q itself, and W_Q holds the weights' logarithms."""
    with np.errstate(divide="ignore"):
        logarithms = [np.log(np.asarray(weights, float)).clip(min=-700) for weights in heads]
    n = len(logarithms[0])
    given = {
        **{"x": np.eye(n), "w_q": np.hstack(logarithms), "w_k": np.tile(np.eye(n), len(heads))},
        **{"w_v": np.tile(np.eye(n), len(heads)), "w_o": np.tile(np.eye(n), (len(heads), 1))},
        **{"n_heads": len(heads), "scores": ScoreOptions(scale="none")},
    }
    return attend(Scenario(**{**given, **changes}))


def with_latents(s: Scenario, name: str = LATENTS) -> Scenario:
    """Self-attention with the same weights and output, whose keys are made of rows of their own."""
    return replace(
        s,
        context=2 * s.x,
        context_tokens=s.tokens,
        w_k=s.w_k / 2,
        w_v=s.w_v / 2,
        origin=Origin(x=name),
    )


def resembled(trace: Trace, head: int = 0) -> Pattern | None:
    return best_pattern(patterns(trace)[head])


def plain(n: int = 4, n_heads: int = 1, **changes: Any) -> Scenario:
    """X, and so Q, K and V, are one-hot; scores are 0 or 1, or 0 or 1/sqrt(d_k)."""
    eye = np.eye(n)
    given = {"x": eye, "w_q": eye, "w_k": eye, "w_v": eye, "w_o": eye, "n_heads": n_heads}
    return Scenario(**{**given, **changes})


def drawn(rows: list[list[int]]) -> Mask:
    return Mask(custom=np.array(rows, bool))


def evenly(cells: Any) -> FloatArray:
    """Each row's weight spread evenly over its cells."""
    shares: FloatArray = np.asarray(cells, float)
    return shares / shares.sum(axis=1, keepdims=True)


def before(n: int) -> FloatArray:
    """Each of n tokens looks at the one before it; the first has none and looks everywhere."""
    weights = np.eye(n, k=-1)
    weights[0] = 1 / n
    return weights


WORDS = ("the", "cat", "saw", "the", "cat", "run")
PURE = {
    "itself": np.eye(6),
    "previous token": before(6),
    "next token": before(6)[::-1, ::-1],
    "first token": [[1, 0, 0, 0, 0, 0]] * 6,
    "last token": [[0, 0, 0, 0, 0, 1]] * 6,
    "same word": evenly([[a == b for b in WORDS] for a in WORDS]),
    "all before": evenly(np.tri(6)),
    "neighbours": evenly(sum(np.eye(6, k=k) for k in (-1, 0, 1))),
    "global token": evenly([[1] * 6, *(np.eye(6) + np.eye(6)[0]).clip(max=1)[1:]]),
    "block": np.kron(np.eye(2), np.full((3, 3), 1 / 3)),
    "uniform": np.full((6, 6), 1 / 6),
}
