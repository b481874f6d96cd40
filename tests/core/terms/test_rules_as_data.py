"""The rules of a layer as data: whole, plain, and the same in every scenario of a kind."""

from __future__ import annotations

import json

from hypothesis import given

from mha_core.layer.trace import STEPS
from mha_core.scenario.scenario import Scenario
from mha_core.terms.counts import ROW, OneOf, Unsigned, count_as_data, count_of
from mha_core.terms.terms import as_data
from tests.core.strategies import scenarios

GIVEN_OR_SEEN = {"x", "context", "context_v", "mask", "blind_queries"}  # nothing is computed there


@given(scenario=scenarios())
def test_every_step_that_is_computed_has_a_rule_that_travels(scenario: Scenario) -> None:
    terms = {step.name: step.made_of.term(scenario) for step in STEPS}
    assert {name for name, term in terms.items() if term is None} == GIVEN_OR_SEEN
    for name, term in terms.items():
        if term is not None:
            rule = as_data(term)
            assert json.loads(json.dumps(rule)) == rule, name


def test_counts_travel_as_they_are_computed() -> None:
    count = OneOf((5.0, 7.0), Unsigned(ROW - 3))
    assert count_of(count, lambda _: 2) == 7.0
    assert count_as_data(count) == ["one of", [5.0, 7.0], ["unsigned", ["-", "row", 3]]]
