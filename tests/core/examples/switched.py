"""A scenario after each switch on the page that may make a sentence about it false."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from mha_core.changing.changes import with_mask, with_scores, with_weights, with_x
from mha_core.checks.errors import MhaError
from mha_core.checks.shapes import FloatArray
from mha_core.options.registry import OPTIONS
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario


def places_that_jump(s: Scenario) -> tuple[tuple[float, ...], ...]:
    return tuple((float(position + 2 * (position > 1)),) for position in range(s.n_positions))


def grid(s: Scenario) -> tuple[tuple[float, ...], ...]:
    """Rows of two, one below the other."""
    return tuple((float(position // 2), float(position % 2)) for position in range(s.n_positions))


# Some values of each option of the scores; a function gives that for a scenario.
VALUES: Final[Mapping[str, Mapping[str, Any]]] = {
    "scale": {"unscaled": "none", "half": 0.5, "scale0": 0.0},
    "softcap": {"capped": 0.5},
    "temperature": {"hot": 3.0},
    "positions": {"none": "none", "waves": "sinusoidal", "rope": "rope", "alibi": "alibi"},
    "sinusoids_for": {"placeless": "queries_and_keys"},
    "query_start": {"later": 2},
    "growth": {"grows": 1.0},
    "growth_every": {"grows_late": 3},
    "growth_kind": {"grows_from_0": "steps_from_0", "grows_smoothly": "smooth"},
    "rope_base": {"fast": 2.0},
    "softmax": {"naive": "naive"},
    "rope_columns": {"part": 2},
    "rope_pairs": {"halves": "halves", "crossed": "crossed"},
    "rope_frequencies": {"own": (0.5,)},
    "rope_places": {"jump": places_that_jump, "grid": grid},
    "rope_axes": {"other_axes": (1, 0)},
    "rope_series": {"all_pairs": "all"},
    "qk_norm": {"normed": "head", "normed_all": "all", "gains": "gains"},
    "qk_norm_eps": {"eps": 1.0},
    "q_gain": {"q_gain": (2.0, 0.5)},
    "k_gain": {"k_gain": (0.5, 2.0)},
    "qk_norm_kind": {"layer": "layer"},
    "qk_norm_place": {"normed_after": "after"},
    "q_shift": {"q_shift": (2.0, 0.5)},
    "k_shift": {"k_shift": (0.5, 2.0)},
    "v_norm": {"normed_values": "rms"},
    "v_norm_eps": {"eps_of_values": 1.0},
    "v_gain": {"v_gain": (2.0, 0.5)},
    "concat_norm": {"normed_concat": "rms", "concat_layer": "layer"},
    "concat_norm_eps": {"eps_of_concat": 1.0},
    "concat_gain": {"concat_gain": (2.0, 0.5, 1.0, 1.5)},
    "concat_shift": {"concat_shift": (2.0, 0.5, 1.0, 1.5)},
    "gate_function": {"softplus": "softplus"},
    "concat_function": {"hardswish": "hardswish"},
    "v_scale": {"smaller_values": 0.25},
    "output_scale": {"smaller_output": -0.25},
}
# What an option changes only together with others.
WITH_OTHERS: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("qk_norm_eps q_gain k_gain q_shift k_shift qk_norm_kind", {"qk_norm": "head"}),
    ("qk_norm_place", {"qk_norm": "head", "positions": "rope", "qk_norm_kind": "layer"}),
    ("growth_every growth_kind", {"growth": 1.0}),
    ("v_norm_eps v_gain", {"v_norm": "rms"}),
    ("concat_norm_eps concat_gain concat_shift", {"concat_norm": "rms"}),
)


def added_by_heads(s: Scenario) -> FloatArray:
    """What each head adds to its own scores: so much that keys and heads change their order."""
    return np.random.default_rng(7).normal(0, 3, (s.n_heads * s.n_q, s.n_k)).astype(s.dtype)


def of_distances(s: Scenario) -> FloatArray:
    """Vectors so long that the distance counts more than the words; as many as there were."""
    shape = s.n_distances or 5, s.n_heads * s.d_k
    return np.random.default_rng(9).normal(0, 5, shape).astype(s.dtype)


def values_from_elsewhere(s: Scenario) -> FloatArray:
    """Rows that values alone are made from, and that say nothing of the tokens."""
    return np.random.default_rng(8).normal(0, 1, (s.n_k, s.d_model_v)).astype(s.dtype)


OTHERS: Final[Mapping[str, Callable[[Scenario], Scenario]]] = {
    "causal": lambda s: with_mask(s, Mask((Rule("causal"),))),
    "unmasked": lambda s: with_mask(s, Mask()),
    "off": lambda s: replace(s, heads_off=frozenset({0})),
    "biases": lambda s: replace(s, b_q=np.arange(1.0, len(s.w_q[0]) + 1), b_o=np.ones(s.d_out)),
    "added": lambda s: replace(s, b_s=added_by_heads(s)),
    "near": lambda s: replace(s, r_k=of_distances(s)),
    "values": lambda s: replace(s, context_v=values_from_elsewhere(s)),
    "weights": lambda s: with_weights(s, "random", 7),
    "split": lambda s: with_weights(s, "split_only", 0),
    "x": lambda s: with_x(s, "random", 7),
}


def switched(s: Scenario) -> Iterator[tuple[str, Scenario]]:
    """The name of each switch that changes this scenario, and the scenario after it.

    A layer may refuse a switch: RoPE needs heads of an even width.
    """
    changes: dict[str, Callable[[Scenario], Scenario]] = dict(OTHERS)
    for option in OPTIONS:
        also = {"positions": "rope"} if option.startswith("rope_") else {}
        also |= {"rope_columns": 2} if option == "rope_frequencies" else {}
        also |= {"rope_places": grid(s)} if option in ("rope_axes", "rope_series") else {}
        for names, others in WITH_OTHERS:
            also |= others if option in names.split() else {}
        for name, value in VALUES[option].items():
            chosen = value(s) if callable(value) else value
            changes[name] = partial(with_scores, **{option: chosen, **also})
    for name, change in changes.items():
        try:
            changed = change(s)
        except MhaError:
            continue
        if changed != s:
            yield name, changed


NAMES: Final = (*(name for option in OPTIONS for name in VALUES[option]), *OTHERS)
