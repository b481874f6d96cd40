"""Scenarios with everything that a file or a link must bring back, and a look at every bit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from mha_core.changing import changes, reordering
from mha_core.checks.errors import MhaError
from mha_core.examples import EXAMPLES, load_example
from mha_core.making.inputs import INPUTS
from mha_core.making.presets import PRESETS
from mha_core.options.r_places import axes_of_distances
from mha_core.scenario.given_arrays import GIVEN
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.origin import Origin
from mha_core.scenario.scenario import Scenario
from tests.core.strategies import masks, scenarios, score_options

AWKWARD_LABELS = [
    *("", " ", "  ", "~", "~none", "none", "a b", "a~_b", "~."),
    *("é", "日本", "🍕", "\x00", "\n", "\ud800", "<b>&amp;</b>", "a=b&c#d%20+?"),
]
LABELS = st.one_of(st.sampled_from(AWKWARD_LABELS), st.text(max_size=5))
SEEDS = st.integers(0, 2**32 - 1)
NUMBERS = st.one_of(st.sampled_from([0.0, -0.0, 1.0, 0.1, 1e-300, -1e99]), st.floats(-9, 9))


def assert_same_to_the_last_bit(a: Scenario, b: Scenario) -> None:
    assert a == b
    for name, array in drawn_arrays(a).items():
        assert array.tobytes() == drawn_arrays(b)[name].tobytes(), name


def drawn_arrays(s: Scenario) -> dict[str, Any]:
    masks = {"custom": s.mask.custom, "additive": s.mask.additive}
    return s.given() | {name: mask for name, mask in masks.items() if mask is not None}


@cache
def labels(count: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.tuples(*[LABELS] * count)


@cache
def origins() -> st.SearchStrategy[Origin]:
    """Hints of all kinds: seldom true, mostly false, or with names that nobody knows."""
    return st.builds(
        Origin,
        example=st.sampled_from(["", "two-tokens", "pizza", "no such example"]),
        x=st.sampled_from(["", *INPUTS, "no such input"]),
        x_seed=SEEDS,
        weights=st.sampled_from(["", *PRESETS, "no such preset"]),
        weights_seed=SEEDS,
    )


@st.composite
def any_scenario(draw: st.DrawFn) -> Scenario:
    """Any scenario at all: labels in any script, any origin, -0, an additive mask in float32."""
    s = draw(scenarios())
    x = s.x.copy()
    x[0, 0] = -0.0
    mask = s.mask
    if mask.additive is not None and draw(st.booleans()):
        mask = replace(mask, additive=mask.additive.astype(np.float32))
    return replace(
        s,
        x=x,
        mask=mask,
        tokens=draw(labels(s.n_q)),
        context_tokens=() if s.context is None else draw(labels(s.n_k)),
        origin=draw(origins()),
    )


@st.composite
def changed_example(draw: st.DrawFn) -> Scenario:
    """An example after a few moves of the controls; a move that is refused changes nothing."""
    small = sorted(name for name in EXAMPLES if load_example(name).d_model <= 16)
    s = load_example(draw(st.sampled_from(small)))
    for control in draw(st.lists(st.sampled_from(CONTROLS), max_size=4)):
        try:
            s = control(draw, s)
        except MhaError:
            continue
    return s


def _edit_a_cell(draw: st.DrawFn, s: Scenario) -> Scenario:
    name = draw(st.sampled_from(sorted(GIVEN)))
    rows = s.n_distances or axes_of_distances(s.scores) * draw(st.sampled_from([1, 3, 5]))
    sizes = {**s.sizes, "n_distances": rows}
    array = np.zeros(GIVEN[name].dims.shape(sizes))
    if getattr(s, name) is not None:
        array[...] = getattr(s, name)
    array.flat[draw(st.integers(0, array.size - 1))] = draw(NUMBERS)
    return changes.with_matrix(s, name, array)


def _set_scores(draw: st.DrawFn, s: Scenario) -> Scenario:
    options = draw(score_options(s.d_k, s.n_heads, s.n_kv_heads, s.d_v, s.n_q, s.n_k))
    return changes.with_scores(s, **vars(options))


def _move_a_token(draw: st.DrawFn, s: Scenario) -> Scenario:
    place = st.integers(0, s.n_q - 1)
    return reordering.with_token_moved(s, "tokens", draw(place), draw(place))


def _move_a_column(draw: st.DrawFn, s: Scenario) -> Scenario:
    place = st.integers(0, s.d_model - 1)
    return reordering.with_column_moved(s, "d_model", draw(place), draw(place))


def _move_a_head(draw: st.DrawFn, s: Scenario) -> Scenario:
    place = st.integers(0, s.n_heads - 1)
    return reordering.with_head_moved(s, draw(place), draw(place))


_A_FEW_LABELS = st.lists(LABELS, min_size=1, max_size=6)
_SIZE = st.integers(1, 16)
CONTROLS = [
    _edit_a_cell,
    _set_scores,
    _move_a_token,
    _move_a_column,
    _move_a_head,
    lambda draw, s: reordering.with_token_added(s, "tokens", draw(st.integers(0, s.n_q)), "new"),
    lambda draw, s: reordering.with_token_removed(s, "tokens", draw(st.integers(0, s.n_q - 1))),
    lambda draw, s: changes.with_tokens(s, draw(_A_FEW_LABELS)),
    lambda draw, s: changes.with_context(s, draw(st.none() | _A_FEW_LABELS)),
    lambda draw, s: changes.with_own_values(s, on=draw(st.booleans())),
    lambda draw, s: changes.with_width(s, draw(_SIZE)),
    lambda draw, s: changes.with_heads(s, draw(_SIZE)),
    lambda draw, s: changes.with_heads(s, 2 * draw(_SIZE), 2, draw(_SIZE), draw(_SIZE)),
    lambda draw, s: changes.with_x(s, draw(st.sampled_from(sorted(INPUTS))), draw(SEEDS)),
    lambda draw, s: changes.with_weights(s, draw(st.sampled_from(sorted(PRESETS))), draw(SEEDS)),
    lambda draw, s: changes.with_mask(s, draw(masks(s.n_q, s.n_k))),
    lambda draw, s: changes.with_mask(s, Mask((Rule("causal"),))),
    lambda draw, s: changes.with_heads_off(s, draw(st.sets(st.integers(0, s.n_heads - 1)))),
    lambda draw, s: changes.with_dtype(s, draw(st.sampled_from(["float32", "float64"]))),
]
