"""What masks keep when tokens come and go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from mha_core import attend
from mha_core.changing.changes import with_changes, with_context, with_mask, with_tokens
from mha_core.scenario.masks import Mask, Rule
from mha_core.scenario.scenario import Scenario
from mha_core.scenario.score_options import ScoreOptions
from tests.core.strategies import scenarios, self_attention


@pytest.mark.parametrize(
    ("rule", "fewer", "more"),
    [
        (Rule("causal"), Rule("causal"), Rule("causal")),
        (
            Rule("padding", {"hidden": [0, 2]}),
            Rule("padding", {"hidden": [0]}),
            Rule("padding", {"hidden": [0, 2]}),
        ),
        (
            Rule("global_local", {"global_tokens": [2], "left": 1}),
            Rule("global_local", {"global_tokens": [], "left": 1}),
            Rule("global_local", {"global_tokens": [2], "left": 1}),
        ),
        (
            Rule("documents", {"segments": [1, 2, 3]}),
            Rule("documents", {"segments": [1, 2]}),
            Rule("documents", {"segments": [1, 2, 3, 3, 3]}),
        ),
        (
            Rule("documents", {"segments": [1, 2, 3], "query_segments": [3, 2, 1]}),
            Rule("documents", {"segments": [1, 2], "query_segments": [3, 2]}),
            Rule("documents", {"segments": [1, 2, 3, 3, 3], "query_segments": [3, 2, 1, 1, 1]}),
        ),
    ],
    ids=lambda rule: repr(rule.options),
)
def test_rules_keep_what_still_has_a_place(rule: Rule, fewer: Rule, more: Rule) -> None:
    s = self_attention(3, 6, 2, mask=Mask((rule,)))
    assert with_tokens(s, ["A", "B"]).mask.rules == (fewer,)
    assert with_tokens(s, list("ABCDE")).mask.rules == (more,)


def test_documents_of_another_sequence_keep_the_queries_documents() -> None:
    s = self_attention(3, 6, 2, mask=Mask((Rule("documents", {"segments": [1, 2, 2]}),)))
    cross = with_context(s, ["A", "B"])
    assert cross.mask.rules[0].options == {"segments": (1, 2), "query_segments": (1, 2, 2)}


def test_drawn_masks_keep_their_corner_and_are_open_beyond() -> None:
    custom = np.eye(2, dtype=np.bool_)
    additive = np.array([[0.0, -np.inf], [1.0, -2.0]], np.float32)
    s = self_attention(2, 6, 2, mask=Mask(custom=custom, additive=additive))
    more = with_tokens(s, ["A", "B", "C"]).mask
    assert more.custom is not None
    assert more.custom.astype(int).tolist() == [[1, 0, 1], [0, 1, 1], [1, 1, 1]]
    assert more.additive is not None
    assert more.additive.tolist() == [[0, -np.inf, 0], [1, -2, 0], [0, 0, 0]]
    assert more.additive.dtype == np.float32
    fewer = with_tokens(s, ["A"]).mask
    assert fewer == Mask(custom=custom[:1, :1], additive=additive[:1, :1])


# What belongs to a second sequence goes with it.


def crossed(*rules: Rule, **mask: Any) -> Scenario:
    """Three tokens ask four others, of which the first is the same as theirs."""
    s = self_attention(3, 6, 2, tokens=("A", "B", "C"))
    cross = with_context(s, ["A", "X", "Y", "Z"])
    return with_mask(cross, Mask(rules, **mask))


@pytest.mark.parametrize(
    ("rule", "alone"),
    [
        (Rule("causal", {"align": "start"}), Rule("causal")),
        (
            Rule("sliding_window", {"left": 1, "align": "start"}),
            Rule("sliding_window", {"left": 1}),
        ),
        (Rule("padding", {"hidden": [0, 1, 3]}), Rule("padding", {"hidden": [0]})),
        (
            Rule("global_local", {"global_tokens": [0, 2], "left": 1, "align": "start"}),
            Rule("global_local", {"global_tokens": [0], "left": 1}),
        ),
        (
            Rule("documents", {"segments": [1, 1, 2, 2], "query_segments": [3, 3, 4]}),
            Rule("documents", {"segments": [3, 3, 4]}),
        ),
    ],
    ids=lambda rule: repr(rule.options),
)
def test_what_a_rule_says_of_a_second_sequence_goes_with_it(rule: Rule, alone: Rule) -> None:
    assert with_context(crossed(rule), None).mask.rules == (alone,)


def test_documents_that_both_sequences_share_stay() -> None:
    rule = Rule("documents", {"segments": [1, 2, 2]})
    cross = with_mask(with_context(self_attention(3, 6, 2), ["A", "B", "C"]), Mask((rule,)))
    assert with_context(cross, None).mask.rules == (rule,)


def test_drawn_columns_of_the_second_sequence_go_with_it() -> None:
    hides_all = np.zeros((3, 4), np.bool_)
    additive = np.full((3, 4), -np.inf, np.float32)
    alone = with_context(crossed(custom=hides_all, additive=additive), None).mask
    assert alone.custom is not None
    assert alone.custom.astype(int).tolist() == [[0, 1, 1]] * 3
    assert alone.additive is not None
    assert alone.additive.tolist() == [[-np.inf, 0, 0]] * 3
    assert alone.additive.dtype == np.float32


def test_a_drawn_mask_that_says_nothing_any_more_goes_too() -> None:
    custom, additive = np.ones((3, 4), np.bool_), np.zeros((3, 4))
    custom[0, 1], additive[0, 1] = False, 5
    assert with_context(crossed(custom=custom, additive=additive), None).mask == Mask()


def test_the_first_query_s_position_goes_with_the_second_sequence() -> None:
    scores = ScoreOptions(scale="none", positions="rope", query_start=5)
    cross = with_changes(crossed(), scores=scores, sizes={"d_k": 4, "d_v": 3})
    assert with_context(cross, ["P", "Q"]).scores == scores
    alone = ScoreOptions(scale="none", positions="rope")
    assert with_context(cross, None).scores == alone
    assert with_changes(cross, context_tokens=(), scores=scores).scores == scores


def test_in_self_attention_the_first_position_stays() -> None:
    scores = ScoreOptions(positions="alibi", query_start=5)
    s = self_attention(3, 6, 2, scores=scores)
    assert with_tokens(s, ["A", "B"]).scores == scores


@given(scenario=scenarios())
def test_a_scenario_without_its_second_sequence_says_nothing_of_it(scenario: Scenario) -> None:
    if scenario.context is None:
        scenario = with_context(scenario, ["A"])
    alone = with_context(scenario, None)
    said = {option for rule in alone.mask.rules for option in rule.options}
    assert not said & {"align", "query_segments"}
    assert alone.query_start == 0
    again = with_context(with_context(alone, alone.tokens), None)
    assert attend(again).mask.tolist() == attend(alone).mask.tolist()


@given(scenario=scenarios())
def test_no_query_is_blind_for_a_key_that_is_gone(scenario: Scenario) -> None:
    """The labels of the two sequences differ, so that no key stays."""
    if scenario.context is not None:
        assert not attend(with_context(scenario, None)).blind_queries.any()
