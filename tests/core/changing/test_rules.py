"""Rules of a mask begin at every size, and an option changes in its own rule alone."""

from __future__ import annotations

import pytest

from mha_core.changing.changes import with_context, with_mask, with_tokens, with_x
from mha_core.changing.rules import (
    RulePlace,
    first_rule,
    options_of,
    rule_places,
    with_rule_option,
    with_rules,
)
from mha_core.examples import load_example
from mha_core.mask_rules.registry import MASKS
from mha_core.scenario.masks import Mask, Rule

PIZZA = load_example("pizza")
ANY_WIDTH = with_x(PIZZA, "random")


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("tokens", [1, 2, 3])
@pytest.mark.parametrize("others", [0, 1, 3, 5])
def test_every_mask_starts_at_every_size(name: str, tokens: int, others: int) -> None:
    s = with_tokens(ANY_WIDTH, ["a"] * tokens)
    s = with_context(s, ["b"] * others) if others else s
    rule = first_rule(s, name)
    assert rule.allowed(s.n_q, s.n_k).shape == (s.n_q, s.n_k)
    assert with_rules(s, [name]).mask == Mask((rule,))


def test_options_that_are_as_usual_are_there_too() -> None:
    rule = Rule("sliding_window", {"left": 2})
    assert options_of(rule) == {"left": 2, "right": 0, "align": "end"}


def test_an_option_is_changed_in_its_own_rule_only() -> None:
    twins = (Rule("strided", {"stride": 2}), Rule("causal"), Rule("strided", {"stride": 2}))
    s = with_mask(PIZZA, Mask(twins))
    changed = with_rule_option(s, RulePlace("strided", 1), "stride", 3)
    assert [rule.options.get("stride") for rule in changed.mask.rules] == [2, None, 3]


def test_two_changes_of_one_rule_are_both_made() -> None:
    s = with_rules(PIZZA, ["causal", "sliding_window"])
    place = RulePlace("sliding_window")
    wider = with_rule_option(s, place, "left", 2)
    widest = with_rule_option(wider, place, "right", 3)
    assert options_of(widest.mask.rules[1]) == {"left": 2, "right": 3, "align": "end"}


def test_a_rule_keeps_its_place_when_one_before_it_goes() -> None:
    s = with_rules(PIZZA, ["causal", "sliding_window"])
    place = rule_places(s)[1]
    without_causal = with_rules(s, ["sliding_window"])
    changed = with_rule_option(without_causal, place, "left", 3)
    assert changed.mask.rules[0].options["left"] == 3


@pytest.mark.parametrize("place", [RulePlace("strided", 1), RulePlace("prefix_lm")])
def test_an_option_of_a_rule_that_has_gone_changes_nothing(place: RulePlace) -> None:
    s = with_rules(PIZZA, ["strided"])
    assert with_rule_option(s, place, "stride", 3) == s
