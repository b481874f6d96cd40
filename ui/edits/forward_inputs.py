"""What a browser needs to compute the forward pass by itself, while a number is dragged.

Its arithmetic is ui/plot/js/numbers/forward.js. What does not depend on a dragged number is
computed here: masks, positions and slopes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from mha_core.checks.shapes import FloatArray
from mha_core.layer.growth import logs_of_growth
from mha_core.layer.positions import alibi_slopes, distances, sinusoids
from mha_core.layer.trace import STEPS
from mha_core.layer.unchanged import without_rotation_first, without_waves_in_values
from mha_core.mask_rules.places import ALL_ROWS
from mha_core.options.registry import numbers_of
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.norms import NormOf, norm_of, norms_of
from mha_core.scenario.rotation import rotation_of
from mha_core.scenario.scenario import Scenario
from mha_core.stack.trace import StackTrace

AFTER_MASK: Final = ["mask", *(step.name for step in STEPS if step.after_mask)]
MOST_NUMBERS: Final = 2**21  # that are sent when a drag begins: 16 MB


def are_too_many(*layers: Scenario) -> bool:
    """Whether the arrays of these layers are too large to be sent while somebody waits."""
    return sum(int(a.size) for s in layers for a in s.given().values()) > MOST_NUMBERS


def inputs_from(traces: StackTrace, layer: int) -> dict[str, Any]:
    """The inputs of a layer and of all above it, which a change in it moves too."""
    stack = traces.stack
    if stack.is_one_layer:
        return forward_inputs(stack.first)
    shown, *above = (forward_inputs(each.scenario) for each in traces.layers[layer:])
    rest = {"above": above, "residual": stack.residual, "layer": layer + 1, "w_u": stack.w_u}
    return shown | rest


def forward_inputs(s: Scenario) -> dict[str, Any]:
    """The arrays and numbers by their names, None where there is none, and the layer's options."""
    return {
        "arrays": {name: getattr(s, name) for name in GIVEN} | _positions(s) | _masks(s),
        "numbers": numbers_of(s.scores, s.d_k),
        "n_heads": s.n_heads,
        "n_kv_heads": s.n_kv_heads,
        "heads_off": sorted(s.heads_off),
        "after_mask": AFTER_MASK,
        "softmax": s.scores.softmax,
        "gate_function": s.scores.gate_function,
        "concat_function": s.scores.concat_function,
        "norms": {of: _norm(s, of) for of in norms_of(s.scores)},
        "rotation": _rotation(s),
        "query_start": s.query_start,
        "key_start": s.key_start,
        "r_places": s.scores.r_places,
        "values_without_waves": without_waves_in_values(s),
        "is_single": bool(s.dtype == np.float32),
    }


def _norm(s: Scenario, of: NormOf) -> dict[str, Any]:
    """Over which columns a norm is, and with which gains and shifts."""
    norm = norm_of(s, of)
    said = ("is_over_all", "is_centered", "is_divided", "gains", "shifts")
    return {each: getattr(norm, each) for each in said}


def _rotation(s: Scenario) -> dict[str, Any] | None:
    """Which columns turn together, by which place, how fast, and if before their norm.

    Each pair has its share of the columns, which is the base's exponent.
    """
    if s.scores.positions != "rope":
        return None
    rotation = rotation_of(s.scores, s.d_k)
    names = ("columns", "in_halves", "frequencies", "axes", "places", "crossed")
    said = {name: getattr(rotation, name) for name in names}
    shares = [each.share for each in rotation.series]
    return {**said, "shares": shares, "is_first": not without_rotation_first(s)}


def _masks(s: Scenario) -> dict[str, FloatArray | None]:
    """The drawn mask is apart from all else that hides keys: the pen changes only that."""
    others = replace(s.mask, custom=None).allowed(s.n_q, s.n_k)
    drawn = s.mask.custom
    return {
        "mask.others": others.astype(np.float64),
        "mask.drawn": None if drawn is None else drawn.astype(np.float64),
        "mask.additive": s.mask.added(ALL_ROWS),
    }


def _positions(s: Scenario) -> dict[str, FloatArray | None]:
    """What positions add to X and C, or take from the scores."""
    start, key_start = s.query_start, s.key_start
    names = ("query_sinusoids", "key_sinusoids", "slopes", "minus_distances")
    made: dict[str, FloatArray | None] = dict.fromkeys(names)
    made["logs_of_growth"] = logs_of_growth(s)
    match s.scores.positions:
        case "sinusoidal":
            made["query_sinusoids"] = sinusoids(s.n_q, s.x.shape[1], start)
            made["key_sinusoids"] = sinusoids(s.n_k, s.keys_from.shape[1], key_start)
        case "alibi":
            made["slopes"] = alibi_slopes(s.n_heads)
            made["minus_distances"] = -distances(s.n_q, s.n_k, start - key_start).astype(np.float64)
    return made
