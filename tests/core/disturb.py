"""Scenarios with one thing wrong each. A claim that is true of all of them checks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from mha_core.scenario.masks import Mask
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions


def disturbed(s: Scenario) -> Iterator[tuple[str, Scenario]]:
    """The scenario with each part exchanged in turn, and the name of the change."""
    rng = np.random.default_rng(0)
    for name in ("x", "w_q", "w_k", "w_v", "w_o"):
        array = getattr(s, name)
        yield f"another {name}", replace(s, **{name: rng.normal(size=array.shape) * 2})
        yield f"{name} of zeros", replace(s, **{name: np.zeros_like(array)})
    drawn = {name: rng.normal(size=getattr(s, name).shape) for name in ("w_q", "w_k", "w_v", "w_o")}
    yield "another layer", replace(s, **drawn)
    equal_columns = rng.normal(size=(s.n_heads * s.d_v, 1)) * np.ones((1, s.d_out))
    still = replace(s.scores, positions="none") if s.scores.positions == "rope" else s.scores
    alone = {"n_heads": 1, "n_kv_heads": 1, "d_k": 1, "d_v": 1, "scores": still}  # one cannot turn
    yield "one head alone", replace(s, **alone, **one_head(s))
    yield "X of width 1", replace(s, x=s.x[:, :1], **first_rows(s))
    places = s.scores.r_places
    few = {"scores": replace(s.scores, rope_places=None, r_places=places and places[:1])}
    yield "one token alone", replace(s, x=s.x[:1], tokens=s.tokens[:1], mask=Mask(), **few)
    yield "all output columns equal", replace(s, w_o=equal_columns)
    yield "biases", replace(s, b_q=rng.normal(size=s.w_q.shape[1]), b_o=np.ones(s.d_out))
    yield "no mask", replace(s, mask=Mask())
    yield "no words twice", replace(s, tokens=tuple(f"word {i}" for i in range(s.n_q)))
    half = rng.random((s.n_q, s.n_k)) < 0.5
    yield "another mask", replace(s, mask=Mask(custom=half))
    yield "nothing seen", replace(s, mask=Mask(custom=np.zeros_like(half)))
    yield "a head off", replace(s, heads_off=frozenset({0}))
    yield "positions", replace(s, scores=ScoreOptions(positions="sinusoidal", r_places=places))
    yield "scores of zero", replace(s, scores=ScoreOptions(scale=0.0, r_places=places))
    other = {"context": s.keys_from[-1:], "context_tokens": ()}
    yield "a second sequence", replace(s, **other, mask=Mask())


def one_head(s: Scenario) -> dict[str, np.ndarray]:
    """The first column of each projection, as a layer of one head of width 1."""
    first = {"w_q": s.w_q[:, :1], "w_k": s.w_k[:, :1], "w_v": s.w_v[:, :1], "w_o": s.w_o[:1]}
    return first if s.r_k is None else {**first, "r_k": s.r_k[:, :1]}


def first_rows(s: Scenario) -> dict[str, np.ndarray]:
    """What a projection keeps where X has one column."""
    reads_x = ("w_q", "w_k", "w_v") if s.context is None else ("w_q",)
    return {name: getattr(s, name)[:1] for name in reads_x}
