"""The explorer's masks without a browser: every rule, its options, and what they hide.

Takes long: each test runs a whole page without a browser, a tenth of a second of the processor a
run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mha_core import Scenario, attend
from mha_core.changing.changes import with_mask
from mha_core.examples import load_example
from mha_core.io.scenario.link import encode_link
from mha_core.mask_rules.registry import MASKS, RULES
from mha_core.reading.setting_notes import setting_notes
from mha_core.scenario.masks import Mask, Rule
from tests.form_fields import fields_on
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import Visitor

Change = Callable[[Scenario], Scenario]

PIZZA = "example=pizza"


def test_every_mask_starts_as_one_that_hides_and_shows_something() -> None:
    visitor = Visitor("example=eight-tokens")
    for name in MASKS:
        mask = attend(visitor.mask_by().mask_by(name).scenario).mask
        assert not mask.all(), name
        assert mask.any(axis=1).all(), name
        assert shows_the_scenario(visitor), name
        assert f" hides {mask.size - mask.sum()} of {mask.size} cells." in visitor.words
        assert setting_notes(attend(visitor.scenario))[0] in visitor.words
        assert RULES[name].title.lower() in visitor.words


OPTIONS: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "padding hidden": ("padding hidden", [2, 0], {"hidden": (0, 2)}),
    "window left": ("sliding_window left", 2, {"left": 2, "right": 1}),
    "window right": ("sliding_window right", 0, {"left": 1, "right": 0}),
    "prefix": ("prefix_lm prefix", 3, {"prefix": 3}),
    "documents": ("documents segments", "1, 1 7 7", {"segments": (1, 1, 7, 7)}),
    "global tokens": (
        "global_local global_tokens",
        [3],
        {"global_tokens": (3,), "left": 1, "right": 1},
    ),
    "global left": ("global_local left", 0, {"global_tokens": (0,), "left": 0, "right": 1}),
    "stride": ("strided stride", 3, {"stride": 3}),
    "step": ("dilated step", 3, {"step": 3}),
}


def test_every_option_of_a_mask_can_be_set() -> None:
    visitor = Visitor(PIZZA)
    for name, (key, entered, options) in OPTIONS.items():
        rule = key.split()[0]
        visitor.mask_by().mask_by(rule).enter(key, entered)
        assert visitor.scenario.mask.rules == (Rule(rule, options),), name
        assert shows_the_scenario(visitor), name


ALIGNED = [name for name in MASKS if name not in ("padding", "documents")]


def test_queries_may_stand_at_either_end_of_other_keys() -> None:
    visitor = Visitor("example=translation")
    for name in ALIGNED:
        visitor.mask_by(name)
        assert visitor.shows(f"{name} align") == "end"
        visitor.enter(f"{name} align", "start")
        assert visitor.scenario.mask.rules[0].options["align"] == "start"
        assert shows_the_scenario(visitor), name
    of_one_place = Visitor(PIZZA).mask_by(*ALIGNED)
    assert [rule.name for rule in of_one_place.scenario.mask.rules] == ALIGNED
    assert not any(of_one_place.has(f"{name} align") for name in ALIGNED)


def test_documents_are_given_for_other_queries_too() -> None:
    visitor = Visitor("example=translation").mask_by("documents")
    visitor.enter("documents query_segments", "2 2 1")
    assert visitor.scenario.mask.rules[0].options["query_segments"] == (2, 2, 1)
    visitor.enter("documents query_segments", "")
    assert visitor.complains(
        "documents' query_segments must have one number for each query, 3 in all"
    )


def test_masks_combine_and_leave_again() -> None:
    visitor = Visitor(PIZZA).mask_by("causal", "strided")
    assert [rule.name for rule in visitor.scenario.mask.rules] == ["causal", "strided"]
    visitor.enter("strided stride", 3).mask_by("strided", "padding")
    assert visitor.scenario.mask.rules == (
        Rule("strided", {"stride": 3}),
        Rule("padding", {"hidden": (3,)}),
    )
    assert visitor.mask_by().scenario.mask == Mask()
    assert "Hides nothing." in visitor.words


def test_a_rule_that_a_link_gives_twice_has_both_its_options_on_the_page() -> None:
    rules = (Rule("sliding_window", {"left": 2}), Rule("sliding_window", {"left": 1}))
    visitor = Visitor(encode_link(with_mask(load_example("pizza"), Mask(rules))))
    assert visitor.shows("rules") == ["sliding_window"]
    visitor.enter("sliding_window 2 left", 0)
    assert [rule.options["left"] for rule in visitor.scenario.mask.rules] == [2, 0]
    visitor.mask_by("sliding_window", "causal")
    assert len(visitor.scenario.mask.rules) == 3


def test_all_keys_hidden_is_a_blind_query_and_the_page_says_so() -> None:
    visitor = Visitor(PIZZA).mask_by("padding").enter("padding hidden", [0, 1, 2, 3])
    assert not attend(visitor.scenario).mask.any()
    assert shows_the_scenario(visitor)
    assert "may attend to nothing" in visitor.words


def test_same_words_are_ticked_by_their_place() -> None:
    visitor = Visitor(PIZZA).enter("tokens", "SO SO GOOD").mask_by("padding")
    choices = fields_on(visitor.at)["padding hidden"]["choices"]
    assert choices == [[0, "1 SO"], [1, "2 SO"], [2, "3 GOOD"]]
    assert visitor.enter("padding hidden", [0]).scenario.mask.rules[0].options["hidden"] == (0,)


def test_tokens_of_a_long_text_are_kept_in_their_order() -> None:
    visitor = Visitor(PIZZA).enter("n-tokens", 25).mask_by("padding")
    assert visitor.enter("padding hidden", [24, 3]).scenario.mask.rules[0].options["hidden"] == (
        3,
        24,
    )
