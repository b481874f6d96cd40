"""Stacks for the tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from mha_core import Layer, Scenario, Stack
from tests.core.strategies import (
    EITHER,
    RARELY,
    SEEDS,
    SIZES,
    masks,
    one_of_each,
    random_arrays,
    scenarios,
    score_options,
    with_larger_epsilons,
    with_stable_softmax,
)

MATRICES = ["w_q", "w_k", "w_v", "w_o"]
BIASES = ["b_q", "b_k", "b_v", "b_o"]
OF_A_LAYER = one_of_each(
    heads=((1, 1), (2, 1), (2, 2), (4, 2)),  # query heads, and those of keys and values
    d_k=(1, 2, 4),
    d_v=(1, 2, 3),
    d_model_v=SIZES,
    own_values=RARELY,
    **dict.fromkeys((*BIASES, "head_off"), EITHER),
)


@st.composite
def stacks(draw: st.DrawFn, *, most_layers: int = 3) -> Stack:
    """Layers of any options on one stream, in float64, with or without what is optional."""
    first = draw(scenarios(max_heads=3).map(with_stable_softmax).map(in_double))
    residual = draw(st.booleans())
    if residual:
        first = as_wide_as_x(first)
    layers: list[Scenario | Layer] = [first]
    width = first.d_out
    for _ in range(draw(st.integers(0, most_layers - 1))):
        d_out = width if residual else draw(st.integers(1, 4))
        layers.append(draw(layers_on(first.n_q, width, d_out)))
        width = d_out
    n_words = draw(st.integers(0, 4))
    w_u = np.random.default_rng(draw(SEEDS)).normal(size=(width, n_words)) if n_words else None
    return Stack(tuple(layers), residual, w_u)


def in_double(s: Scenario) -> Scenario:
    doubled = {name: array.astype(np.float64) for name, array in s.given().items()}
    return replace(s, **doubled)


def as_wide_as_x(s: Scenario) -> Scenario:
    columns = np.arange(s.d_model) % s.d_out
    b_o = None if s.b_o is None else s.b_o[columns]
    return replace(s, w_o=s.w_o[:, columns] * (1 + np.arange(s.d_model)), b_o=b_o)


@st.composite
def layers_on(draw: st.DrawFn, n: int, width: int, d_out: int) -> Layer:
    """A layer for a stream of n rows."""
    of = draw(OF_A_LAYER)
    (n_heads, n_kv_heads), d_k, d_v = of["heads"], of["d_k"], of["d_v"]
    d_model_v = of["d_model_v"] if of["own_values"] else width
    sizes = {
        **{"n_q": n, "n_k": n, "d_model": width, "d_out": d_out},
        **{"d_model_kv": width, "d_model_v": d_model_v},
        **{"n_heads": n_heads, "n_kv_heads": n_kv_heads, "d_k": d_k, "d_v": d_v},
    }
    biases = [name for name in BIASES if of[name]]
    names = [*MATRICES, *["context_v"] * of["own_values"], *biases]
    drawn: dict[str, Any] = random_arrays(sizes, names, seed=draw(SEEDS), dtype=np.float64)
    return Layer(
        **drawn,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        mask=draw(masks(n, n)),
        scores=with_larger_epsilons(
            replace(draw(score_options(d_k, n_heads, n_kv_heads, d_v, n, n)), softmax="stable")
        ),
        heads_off=frozenset({0} if of["head_off"] else ()),
    )
