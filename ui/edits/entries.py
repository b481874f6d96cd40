"""What a control does to the scenario, where the page decides more than the core does.

The core refuses sizes that do not fit together. The page is kinder: an entry that needs another
size takes that size along, where everybody can see it. The core takes far larger sizes than a page
can show: here are the page's own limits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from mha_core.changing.changes import (
    with_changes,
    with_mask,
    with_matrix,
    with_scores,
    with_weights,
)
from mha_core.changing.recipes import Recipe
from mha_core.checks.errors import OptionError
from mha_core.checks.limits import PAGE_LIMITS
from mha_core.checks.values import check_limit, check_whole
from mha_core.making.inputs import INPUTS, Input, natural_width
from mha_core.making.presets import PRESETS, Preset
from mha_core.scenario.mask_functions import MASKS
from mha_core.scenario.masks import Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import BY_ROOT_D_K
from ui.edits.expression import read_expression
from ui.edits.token_text import read_tokens

SPELLINGS_OF_THE_RULE: Final = (BY_ROOT_D_K, "1/√d_k", "1/√(d_k)")


def with_text(s: Scenario, text: str) -> Scenario:
    """Tokens as typed. One-hot inputs grow with the words."""
    words = _words(text)
    return with_changes(s, tokens=words, sizes=_room_for(s, s.origin.x, words))


def with_token_count(s: Scenario, count: int) -> Scenario:
    """The first `count` tokens, or new ones after them."""
    check_whole("The number of tokens", count, 1, PAGE_LIMITS.tokens)
    words = s.tokens[:count] + tuple(f"t{i + 1}" for i in range(len(s.tokens), count))
    return with_changes(s, tokens=words, sizes=_room_for(s, s.origin.x, words))


def with_second_text(s: Scenario, text: str) -> Scenario:
    """Keys and values from these words, as wide as X's recipe needs for them; none, from X."""
    if not text.strip():
        return with_changes(s, context_tokens=())
    words = _words(text)
    least = natural_width(s.origin.x, words) if s.origin.x in INPUTS else None
    sizes = {"d_model_kv": least} if least and least > s.d_model_kv else {}
    return with_changes(s, context_tokens=words, sizes=sizes)


def with_d_model(s: Scenario, d_model: int) -> Scenario:
    """Another width. Where the heads do not divide it, they keep their own widths."""
    check_whole("d_model", d_model, 1, PAGE_LIMITS.width)
    return with_changes(s, sizes=_width(s, d_model))


def with_input(s: Scenario, name: str, seed: int) -> Scenario:
    """X made by a recipe, and as wide as the recipe needs."""
    return with_changes(s, x=Recipe(name, seed), sizes=_room_for(s, name, s.tokens))


def with_preset(s: Scenario, name: str, seed: int) -> Scenario:
    """A weight preset, and the input that it is built for, where it is built for one."""
    needs = PRESETS[name].needs_input
    if not needs or needs == s.origin.x:
        return with_weights(s, name, seed)
    return with_changes(
        s,
        x=Recipe(needs, s.origin.x_seed),
        weights=Recipe(name, seed),
        sizes=_room_for(s, needs, s.tokens),
    )


def with_head_count(s: Scenario, n_heads: int) -> Scenario:
    """Another number of heads, of width d_model / n_heads where that is whole."""
    check_whole("The number of heads", n_heads, 1, PAGE_LIMITS.heads)
    if s.d_model % n_heads:
        return with_changes(s, sizes={"n_heads": n_heads, "d_k": s.d_k, "d_v": s.d_v})
    return with_changes(s, sizes={"n_heads": n_heads})


def with_size(name: str) -> Callable[[Scenario, int], Scenario]:
    """Another n_kv_heads, d_k or d_v, while the others and n_heads stay."""

    def change(s: Scenario, size: int) -> Scenario:
        check_whole(name, size, 1, PAGE_LIMITS.heads if name == "n_kv_heads" else PAGE_LIMITS.width)
        kept = {"n_heads": s.n_heads, "n_kv_heads": s.n_kv_heads, "d_k": s.d_k, "d_v": s.d_v}
        return with_changes(s, sizes={**kept, name: size})

    return change


def with_queries_as_keys(s: Scenario, share: bool) -> Scenario:
    """W_Q = W_K, or W_K as its preset makes it."""
    if share:
        return with_matrix(s, "w_k", s.w_q)
    preset = preset_of(s)
    fresh = with_weights(s, preset.name, s.origin.weights_seed) if preset else s
    if shares_queries_and_keys(fresh):
        raise OptionError(
            "W_K",
            "must come from a preset that tells it from W_Q",
            preset.title if preset else "given numbers",
            "Choose another preset, such as Random, or edit W_K.",
        )
    return with_matrix(s, "w_k", fresh.w_k)


def shares_queries_and_keys(s: Scenario) -> bool:
    """True where W_Q and W_K are the same numbers."""
    return s.w_q.shape == s.w_k.shape and bool((s.w_q == s.w_k).all())


def with_rules(s: Scenario, names: Sequence[str]) -> Scenario:
    """Mask rules of these names alone; one that is new starts with plain options."""
    kept = tuple(rule for rule in s.mask.rules if rule.name in names)
    there = {rule.name for rule in kept}
    new = tuple(first_rule(s, name) for name in names if name not in there)
    return with_mask(s, replace(s.mask, rules=kept + new))


class RulePlace(NamedTuple):
    """One rule of a mask: the rule number `number`, from 0, of those with this name.

    A rule object would not do: after one change there is another in its place, and a second change
    that was on its way to the first would be lost.
    """

    name: str
    number: int = 0


def rule_places(s: Scenario) -> list[RulePlace]:
    """The places of the mask's rules, in their order."""
    names = [rule.name for rule in s.mask.rules]
    return [RulePlace(name, names[:index].count(name)) for index, name in enumerate(names)]


def with_rule_option(s: Scenario, place: RulePlace, option: str, value: Any) -> Scenario:
    """The rule at this place with another value of one option; nothing where the rule has gone."""
    rules = tuple(
        Rule(rule.name, {**rule.options, option: value}) if each == place else rule
        for each, rule in zip(rule_places(s), s.mask.rules, strict=True)
    )
    return with_mask(s, replace(s.mask, rules=rules))


def options_of(rule: Rule) -> dict[str, Any]:
    """Every option of a rule, also those that are as usual."""
    known = inspect.signature(MASKS[rule.name]).parameters
    return {
        name: rule.options.get(name, option.default)
        for name, option in known.items()
        if name not in ("n_q", "n_k", "rows")
    }


def first_rule(s: Scenario, name: str) -> Rule:
    """A rule as it starts: options that show what it does at this size."""
    half = (s.n_k + 1) // 2
    options: dict[str, dict[str, Any]] = {
        "padding": {"hidden": (s.n_k - 1,)},
        "sliding_window": {"left": 1, "right": 1},
        "prefix_lm": {"prefix": half},
        "documents": _documents(s, half),
        "global_local": {"global_tokens": (0,), "left": 1, "right": 1},
        "strided": {"stride": 2},
    }
    return Rule(name, options.get(name, {}))


def with_scale(s: Scenario, text: str) -> Scenario:
    """The scale as typed: its rule, none, or an expression such as 0.5, 1/3 or 1/sqrt(64)."""
    word = "".join(text.split())
    if word in ("", *SPELLINGS_OF_THE_RULE):
        return with_scores(s, scale=BY_ROOT_D_K)
    if word.lower() in ("none", "off"):
        return with_scores(s, scale="none")
    return with_scores(s, scale=read_expression(text, "The scale", _names(s)))


def with_softcap(s: Scenario, text: str) -> Scenario:
    """The soft cap as typed; nothing, or none, takes it away."""
    if text.strip().lower() in ("", "none", "off"):
        return with_scores(s, softcap=None)
    return with_scores(s, softcap=read_expression(text, "The soft cap", _names(s)))


def input_of(s: Scenario) -> Input | None:
    """The way X was made; None where it was given as numbers."""
    return INPUTS.get(s.origin.x)


def preset_of(s: Scenario) -> Preset | None:
    """The preset of the projections; None where they were given as numbers."""
    return PRESETS.get(s.origin.weights)


def whole_numbers(text: str) -> tuple[int, ...]:
    """Whole numbers with blanks or commas between, as in `1 1 2`."""
    words = text.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise OptionError(
                "The list",
                "must hold whole numbers",
                repr(word[:40]),
                "Write one number a token, as in 1 1 2.",
            )
    return tuple(int(word) for word in words)


def _names(s: Scenario) -> dict[str, float]:
    """The sizes that an expression may name."""
    return {"d_k": s.d_k, "d_v": s.d_v, "d_model": s.d_model}


def _words(text: str) -> tuple[str, ...]:
    words = read_tokens(text)
    check_limit(
        "The number of tokens on this page", len(words), PAGE_LIMITS.tokens, "Take a part of it."
    )
    return words


def _documents(s: Scenario, half: int) -> dict[str, Any]:
    segments = tuple(1 if i < half else 2 for i in range(s.n_k))
    if s.n_q == s.n_k:
        return {"segments": segments}
    return {
        "segments": segments,
        "query_segments": tuple(segments[i % s.n_k] for i in range(s.n_q)),
    }


def _room_for(s: Scenario, recipe: str, words: tuple[str, ...]) -> dict[str, int]:
    """The sizes to change, if any, so that a recipe has a column for each thing it tells apart."""
    least = natural_width(recipe, words) if recipe in INPUTS else None
    if least is None or least <= s.d_model:
        return {}
    share = 2 * s.n_heads if s.scores.positions == "rope" else s.n_heads  # RoPE: an even d_k each
    return _width(s, -(-least // share) * share)


def _width(s: Scenario, d_model: int) -> dict[str, int]:
    """Another d_model. The heads share it; where they cannot, each keeps its widths."""
    if d_model % s.n_heads:
        return {"d_model": d_model, "d_k": s.d_k, "d_v": s.d_v}
    if s.d_model % s.n_heads:  # they could not share the last one
        return {"d_model": d_model, "d_k": d_model // s.n_heads, "d_v": d_model // s.n_heads}
    return {"d_model": d_model}
