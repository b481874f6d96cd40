"""The rules of a mask: add and remove them, give each its first options, change an option."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mha_core.changing.changes import with_mask
from mha_core.mask_rules.registry import MASKS, RULES
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
    """A new rule, with options that show at this size what the rule does."""
    return Rule(name, RULES[name].first_options(s.n_q, s.n_k))
