"""What a control does to the scenario, where the page decides more than `mha_core.changes` does.

The core refuses sizes that do not fit together. The page is kinder: an entry that needs another
size takes that size along, where everybody can see it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mha_core.changes import Recipe, with_changes, with_mask, with_matrix, with_weights
from mha_core.errors import OptionError
from mha_core.inputs import natural_width, tokenize
from mha_core.masks import Rule
from mha_core.presets import PRESETS
from mha_core.scenario import Scenario


def with_text(s: Scenario, text: str) -> Scenario:
    """Tokens as typed. One-hot inputs grow with the words."""
    words = tokenize(text)
    return with_changes(s, tokens=words, sizes=_room_for(s, s.origin.x, words))


def with_token_count(s: Scenario, count: int) -> Scenario:
    """The first `count` tokens, or new ones after them."""
    words = s.tokens[:count] + tuple(f"t{i + 1}" for i in range(len(s.tokens), count))
    return with_changes(s, tokens=words, sizes=_room_for(s, s.origin.x, words))


def with_second_text(s: Scenario, text: str) -> Scenario:
    return with_changes(s, context_tokens=tokenize(text) if text.strip() else ())


def with_d_model(s: Scenario, d_model: int) -> Scenario:
    """Another width. Where the heads do not divide it, they keep their own widths."""
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
    if s.d_model % n_heads:
        return with_changes(s, sizes={"n_heads": n_heads, "d_k": s.d_k, "d_v": s.d_v})
    return with_changes(s, sizes={"n_heads": n_heads})


def with_queries_as_keys(s: Scenario, share: bool) -> Scenario:
    """W_Q = W_K, or W_K as its preset makes it."""
    if share:
        return with_matrix(s, "w_k", s.w_q)
    fresh = with_weights(s, s.origin.weights, s.origin.weights_seed) if s.origin.weights else s
    if (fresh.w_k.shape == s.w_q.shape) and (fresh.w_k == s.w_q).all():
        raise OptionError(
            "W_K",
            "must come from a preset that tells it from W_Q",
            PRESETS[s.origin.weights].title if s.origin.weights else "given numbers",
            "Choose another preset, such as Random, or edit W_K.",
        )
    return with_matrix(s, "w_k", fresh.w_k)


def with_rules(s: Scenario, names: list[str]) -> Scenario:
    """These mask rules; one that is new starts with plain options."""
    now = {rule.name: rule for rule in s.mask.rules}
    rules = tuple(now.get(name) or first_rule(s, name) for name in names)
    return with_mask(s, replace(s.mask, rules=rules))


def with_rule_option(s: Scenario, name: str, option: str, value: Any) -> Scenario:
    rules = tuple(
        Rule(name, {**rule.options, option: value}) if rule.name == name else rule
        for rule in s.mask.rules
    )
    return with_mask(s, replace(s.mask, rules=rules))


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
    least = natural_width(recipe, words) if recipe else None
    if least is None or least <= s.d_model:
        return {}
    return _width(s, -(-least // s.n_heads) * s.n_heads)


def _width(s: Scenario, d_model: int) -> dict[str, int]:
    if d_model % s.n_heads:
        return {"d_model": d_model, "d_k": s.d_k, "d_v": s.d_v}
    return {"d_model": d_model}


def with_size(name: str) -> Callable[[Scenario, int], Scenario]:
    """Another n_heads, n_kv_heads, d_k or d_v, while the other three stay."""

    def change(s: Scenario, size: int) -> Scenario:
        kept = {"n_heads": s.n_heads, "n_kv_heads": s.n_kv_heads, "d_k": s.d_k, "d_v": s.d_v}
        if name == "n_heads":
            del kept["n_kv_heads"]  # as many again
        return with_changes(s, sizes={**kept, name: size})

    return change


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
