"""Scenarios for the tests: one of distinct sizes, and Hypothesis strategies for all the others.

Strategies that depend on sizes are kept: making them anew takes as long as drawing from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from typing import Any

import numpy as np
from hypothesis import strategies as st

from mha_core.mask_rules.declared import Alignment, Counted, Documents, Keys, RuleOption
from mha_core.mask_rules.registry import RULES
from mha_core.options.r_places import axes_of_distances
from mha_core.options.registry import OPTIONS
from mha_core.scenario.given_arrays import GIVEN, OF_FACTORS, OPTIONAL
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions

# Those of the layer of distinct sizes that few layers have: they would be beside all else.
RARE = {
    **{"b_s": np.ones((30, 7)), "sinks": np.arange(6.0)},
    **{"w_f": np.linspace(-1, 1, 132).reshape(11, 12), "b_f": np.linspace(-1, 2, 12)},
    "c_f": np.linspace(1, 2, 6),
    **{name: np.linspace(-1, 1, 108).reshape(9, 12) for name in ("r_k", "r_q")},
    **{"w_g": np.linspace(-1, 1, 1122).reshape(11, 102), "b_g": np.linspace(-2, 2, 102)},
}
ALMOST_ALWAYS = [name for name in GIVEN if name not in RARE]
SEEDS = st.integers(0, 2**32 - 1)
SIZES = range(1, 6)
FLOATS = st.sampled_from([np.float32, np.float64])
EITHER = (False, True)
RARELY = (False, False, True)
ALIGNS = st.sampled_from(["end", "start"])
RULE_NAMES = st.sampled_from(sorted(RULES))

# Distinct, so that a swapped axis cannot pass for the right one.
DISTINCT_SIZES = {
    **{"n_q": 5, "n_k": 7, "d_model": 11, "d_model_kv": 13, "d_model_v": 23, "d_out": 19},
    **{"n_heads": 6, "n_kv_heads": 3, "d_k": 2, "d_v": 17, "d_g": 17, "n_distances": 0},
}


def scenario_of_distinct_sizes(**changes: Any) -> Scenario:
    """Cross-attention with grouped queries, all four biases and a source of values of its own.

    Its sizes all differ.
    """
    drawn = random_arrays(DISTINCT_SIZES, ALMOST_ALWAYS, seed=23, dtype=np.float64)
    heads = {"n_heads": 6, "n_kv_heads": 3}
    return Scenario(**{**drawn, **heads, **changes})


def random_arrays(
    sizes: dict[str, int], names: list[str], *, seed: int, dtype: Any, spread: float = 1.0
) -> dict[str, Any]:
    """Normal numbers for the named arrays; a projection keeps the spread of what it projects."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for name in names:
        shape = GIVEN[name].dims.shape(sizes)
        narrow = np.sqrt(shape[0]) if name.startswith("w_") else 1.0
        arrays[name] = (spread * rng.standard_normal(shape) / narrow).astype(dtype)
    return arrays


def self_attention(
    n: int, d_model: int, n_heads: int, *, seed: int = 3, **changes: Any
) -> Scenario:
    """Self-attention whose projections are all d_model wide, as in the textbooks."""
    width = d_model // n_heads
    sizes = {
        **{"n_q": n, "n_k": n, "d_model": d_model, "d_out": d_model},
        **{"d_model_kv": d_model, "d_model_v": d_model},
        **{"n_heads": n_heads, "n_kv_heads": n_heads, "d_k": width, "d_v": width},
    }
    names = ["x", "w_q", "w_k", "w_v", "w_o"]
    drawn = random_arrays(sizes, names, seed=seed, dtype=np.float64)
    return Scenario(**{**drawn, "n_heads": n_heads, **changes})


def one_of_each(**of: Sequence[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """One of each of these, by one draw of a byte for each: as many draws take four times as long.

    A smaller byte is an earlier choice, so what fails becomes as simple as with a draw for each.
    """
    return st.binary(min_size=len(of), max_size=len(of)).map(
        lambda drawn: {
            name: may_be[byte % len(may_be)]
            for (name, may_be), byte in zip(of.items(), drawn, strict=True)
        }
    )


@cache
@st.composite
def rules(draw: st.DrawFn, n_q: int, n_k: int) -> Rule:
    """Any mask by name, with options that fit."""
    name = draw(RULE_NAMES)
    return Rule(name, draw(options_of_a_rule(name, n_q, n_k)))


@cache
def options_of_a_rule(name: str, n_q: int, n_k: int) -> st.SearchStrategy[dict[str, Any]]:
    """Any values that fit for the options of a rule."""
    return st.fixed_dictionaries(
        {each.name: option_of_a_rule(each, n_q, n_k) for each in RULES[name].options}
    )


def option_of_a_rule(option: RuleOption, n_q: int, n_k: int) -> st.SearchStrategy[Any]:
    """Any value that fits for one option."""
    match option:
        case Counted(least=least):
            return st.integers(least, n_k + least)
        case Keys():
            return st.lists(st.integers(0, n_k - 1), max_size=n_k)
        case Documents(of_queries=of_queries):
            count = n_q if of_queries else n_k
            return st.lists(st.integers(0, 2), min_size=count, max_size=count)
        case Alignment():
            return ALIGNS


MATRICES_OF_A_MASK = one_of_each(hides=(0.0, 0.3, 0.9), custom=EITHER, additive=EITHER)


@cache
@st.composite
def masks(draw: st.DrawFn, n_q: int, n_k: int) -> Mask:
    """Rules, a drawn matrix and an additive matrix with -inf here and there, any of them."""
    rng = np.random.default_rng(draw(SEEDS))
    drawn = draw(MATRICES_OF_A_MASK)
    hides, custom, additive = drawn["hides"], None, None
    if drawn["custom"]:
        custom = rng.random((n_q, n_k)) >= hides
    if drawn["additive"]:
        additive = np.where(rng.random((n_q, n_k)) < hides, -np.inf, rng.normal(size=(n_q, n_k)))
    return Mask(tuple(draw(up_to_two_rules(n_q, n_k))), custom, additive)


@cache
def up_to_two_rules(n_q: int, n_k: int) -> st.SearchStrategy[list[Rule]]:
    return st.lists(rules(n_q, n_k), max_size=2)


@cache
def score_options(
    d_k: int, n_heads: int = 1, n_kv_heads: int = 1, d_v: int = 1, n_q: int = 0, n_k: int = 0
) -> st.SearchStrategy[ScoreOptions]:
    """Any of the values that each option declares for random tests, where they fit together.

    Without counts of queries and keys, positions have no places of their own.
    """
    return one_of_each(**{name: option.drawn for name, option in OPTIONS.items()}).map(
        lambda drawn: fitting(ScoreOptions(**drawn), d_k, n_heads, n_kv_heads, d_v, n_q, n_k)
    )


def fitting(
    scores: ScoreOptions,
    d_k: int,
    n_heads: int = 1,
    n_kv_heads: int = 1,
    d_v: int = 1,
    n_q: int = 0,
    n_k: int = 0,
) -> ScoreOptions:
    """Without what RoPE cannot do in heads of this width, and with a gain for each column.

    Where a norm is of each head, an odd number of gains becomes so many for each head. Places are
    as many as there are positions.
    """
    n_positions = max((scores.query_start or 0) + n_q, n_k) if n_q else 0
    places = scores.rope_places and tuple(islice(cycle(scores.rope_places), n_positions))
    of_distances = scores.r_places and tuple(islice(cycle(scores.r_places), n_positions))
    heads = {"q": n_heads, "k": n_kv_heads, "v": n_kv_heads, "concat": n_heads}
    fit: dict[str, Any] = {}
    for of, many in heads.items():
        is_over_all = of == "concat" or (of != "v" and scores.qk_norm == "all")
        width = d_k if of in ("q", "k") else d_v
        for name in (f"{of}_gain", f"{of}_shift"):
            if (few := getattr(scores, name, None)) is not None:
                count = many * width if is_over_all or len(few) % 2 else width
                fit[name] = tuple(islice(cycle(few), count))
    columns = scores.rope_columns if scores.rope_columns in range(d_k + 1) else None
    width = columns or d_k
    frequencies = scores.rope_frequencies
    if frequencies is not None and 2 * len(frequencies) != width:
        frequencies = None
    positions = "none" if scores.positions == "rope" and width % 2 else scores.positions
    n_axes = len(places[0]) if places else 1
    axes = scores.rope_axes
    if axes is not None and (len(axes) != width // 2 or max(axes) >= n_axes):
        axes = None
    if axes is None and width // 2 % n_axes:
        places = None
    return replace(
        scores,
        **fit,
        positions=positions,
        rope_columns=columns,
        rope_frequencies=frequencies,
        rope_places=places or None,
        rope_axes=axes,
        r_places=of_distances or None,
    )


BESIDE_SOURCES = [name for name in OPTIONAL if name not in ("context", "context_v")]


@cache
def what_a_scenario_has(max_heads: int) -> st.SearchStrategy[dict[str, Any]]:
    return one_of_each(
        n_kv_heads=range(1, max(max_heads // 2, 1) + 1),
        more_groups=range(max_heads),
        **dict.fromkeys(("n_q", "n_k", "d_model", "d_model_kv", "d_model_v"), SIZES),
        **dict.fromkeys(("d_out", "d_v"), SIZES),
        d_k=(1, 4, 2, 3, 6),
        n_distances=(1, 3, 5),
        **dict.fromkeys(("cross", "wide_gate", *BESIDE_SOURCES), EITHER),
        own_values=RARELY,
        dtype=(np.float32, np.float64),
    )


@st.composite
def scenarios(draw: st.DrawFn, *, max_heads: int = 6) -> Scenario:
    """Any layer of small sizes, with any of the options, in float32 or float64."""
    drawn = draw(what_a_scenario_has(max_heads))
    n_kv_heads, cross, own_values = drawn["n_kv_heads"], drawn["cross"], drawn["own_values"]
    n_heads = n_kv_heads * (1 + drawn["more_groups"] % (max_heads // n_kv_heads))
    sizes = {name: drawn[name] for name in ("n_q", "d_model", "d_out", "d_v", "d_k")}
    sizes["n_k"] = drawn["n_k"] if cross else sizes["n_q"]
    sizes["d_model_kv"] = drawn["d_model_kv"] if cross else sizes["d_model"]
    sizes["d_model_v"] = drawn["d_model_v"] if own_values else sizes["d_model_kv"]
    sizes |= {"n_heads": n_heads, "n_kv_heads": n_kv_heads}
    sizes["d_g"] = sizes["d_v"] if drawn["wide_gate"] else 1
    sizes["n_distances"] = drawn["n_distances"]
    biases = [name for name in BESIDE_SOURCES if drawn[name]]
    if "w_g" not in biases and "b_g" in biases:
        biases.remove("b_g")
    if "b_s" not in biases or "w_f" not in biases:
        biases = [name for name in biases if name not in OF_FACTORS]
    sources = [*["context"] * cross, *["context_v"] * own_values]
    names = ["x", "w_q", "w_k", "w_v", "w_o", *biases, *sources]
    scores = draw(
        score_options(
            *(sizes["d_k"], n_heads, n_kv_heads, sizes["d_v"], sizes["n_q"], sizes["n_k"])
        )
    )
    sizes["n_distances"] *= axes_of_distances(scores)
    return Scenario(
        **random_arrays(sizes, names, seed=draw(SEEDS), dtype=drawn["dtype"]),
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        mask=draw(masks(sizes["n_q"], sizes["n_k"])),
        scores=scores,
        heads_off=draw(heads_off(n_heads)),
    )


@cache
def heads_off(n_heads: int) -> st.SearchStrategy[frozenset[int]]:
    return st.frozensets(st.integers(0, n_heads - 1), max_size=2)


def with_stable_softmax(scenario: Scenario) -> Scenario:
    return replace(scenario, scores=replace(scenario.scores, softmax="stable"))


def with_larger_epsilons(scores: ScoreOptions) -> ScoreOptions:
    """No norm divides by so little that rounding counts."""
    names = ("qk_norm_eps", "v_norm_eps", "concat_norm_eps")
    return replace(scores, **{name: max(getattr(scores, name), 1e-2) for name in names})


def without_norm_of_concat(scenario: Scenario) -> Scenario:
    return replace(scenario, scores=replace(scenario.scores, concat_norm="none"))


def without_function_before_w_o(scenario: Scenario) -> Scenario:
    return replace(scenario, scores=replace(scenario.scores, concat_function="none"))


def without_growth(scenario: Scenario) -> Scenario:
    return replace(scenario, scores=replace(scenario.scores, growth=0.0))


def without_sinks(scenario: Scenario) -> Scenario:
    return replace(scenario, sinks=None)


def without_distances(scenario: Scenario) -> Scenario:
    return replace(scenario, r_k=None, r_q=None)


def without_gate(scenario: Scenario) -> Scenario:
    return replace(scenario, w_g=None, b_g=None)


def without_mask(scenario: Scenario) -> Scenario:
    return replace(scenario, mask=Mask())
