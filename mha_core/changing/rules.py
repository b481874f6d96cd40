"""The rules of a mask: add and remove them, give each its first options, change an option."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mha_core.changing.changes import with_mask
from mha_core.scenario.mask_functions import MASKS
from mha_core.scenario.masks import Rule
from mha_core.scenario.scenario import Scenario


def with_rules(s: Scenario, names: Sequence[str]) -> Scenario:
    """Only the mask rules with these names. A new one gets the options of `first_rule`."""
    kept = tuple(rule for rule in s.mask.rules if rule.name in names)
    there = {rule.name for rule in kept}
    new = tuple(first_rule(s, name) for name in names if name not in there)
    return with_mask(s, replace(s.mask, rules=kept + new))


class RulePlace(NamedTuple):
    """One rule of a mask: number `number`, from 0, among the rules with this name.

    A rule object cannot stand for its place. Each change puts a new object there, so a second
    change that still names the first object would be lost.
    """

    name: str
    number: int = 0


def rule_places(s: Scenario) -> list[RulePlace]:
    """The places of the mask's rules, in their order."""
    names = [rule.name for rule in s.mask.rules]
    return [RulePlace(name, names[:index].count(name)) for index, name in enumerate(names)]


def with_rule_option(s: Scenario, place: RulePlace, option: str, value: Any) -> Scenario:
    """The scenario with another option value at this place; unchanged if no rule is there."""
    rules = tuple(
        Rule(rule.name, {**rule.options, option: value}) if each == place else rule
        for each, rule in zip(rule_places(s), s.mask.rules, strict=True)
    )
    return with_mask(s, replace(s.mask, rules=rules))


def options_of(rule: Rule) -> dict[str, Any]:
    """Every option of a rule with its value, also those that have their default."""
    known = inspect.signature(MASKS[rule.name]).parameters
    return {
        name: rule.options.get(name, option.default)
        for name, option in known.items()
        if name not in ("n_q", "n_k", "rows")
    }


def first_rule(s: Scenario, name: str) -> Rule:
    """A new rule, with options that show at this size what the rule does.

    A mask without an entry here gets a plain value for each option that it cannot do without.
    """
    half = (s.n_k + 1) // 2
    options: dict[str, dict[str, Any]] = {
        "padding": {"hidden": (s.n_k - 1,)},
        "sliding_window": {"left": 1, "right": 1},
        "prefix_lm": {"prefix": half},
        "documents": _documents(s, half),
        "global_local": {"global_tokens": (0,), "left": 1, "right": 1},
        "strided": {"stride": 2},
    }
    return Rule(name, options[name] if name in options else _plain_options(name))


def _plain_options(name: str) -> dict[str, Any]:
    """2 for each whole number that a mask needs, and the first token for each list of them."""
    plain: dict[Any, Any] = {int: 2, Sequence[int]: (0,)}
    known = inspect.signature(MASKS[name], eval_str=True).parameters
    return {
        option: plain[parameter.annotation]
        for option, parameter in known.items()
        if option not in ("n_q", "n_k", "rows")
        and parameter.default is inspect.Parameter.empty
        and parameter.annotation in plain
    }


def _documents(s: Scenario, half: int) -> dict[str, Any]:
    segments = tuple(1 if i < half else 2 for i in range(s.n_k))
    if s.n_q == s.n_k:
        return {"segments": segments}
    return {
        "segments": segments,
        "query_segments": tuple(segments[i % s.n_k] for i in range(s.n_q)),
    }
