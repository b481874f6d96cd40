"""Scores that grow with the position, on the page: their fields, their step, their screen.

Takes long: each test runs a whole page without a browser.
"""

from __future__ import annotations

import numpy as np

from mha_core import decode_link, load_example
from mha_core.changing.changes import with_scores
from tests.pages.page_visitor import PageVisitor
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import Visitor

PIZZA = load_example("pizza")
GROWN = "example=pizza&growth=0.5&growth_every=2"


def test_scores_grow_as_one_says() -> None:
    visitor = Visitor("example=pizza")
    assert not visitor.has("growth_every")
    visitor.enter("growth", " 1/2 ").enter("growth_every", 2).enter("growth_kind", "smooth")
    said = {"growth": 0.5, "growth_every": 2, "growth_kind": "smooth"}
    assert visitor.scenario == with_scores(PIZZA, **said)
    assert shows_the_scenario(visitor)
    assert decode_link(visitor.address) == visitor.scenario
    assert "those of the last by 1.347." in visitor.words
    assert visitor.enter("query_start", "7").scenario.query_start == 7
    visitor.enter("growth", "").enter("query_start", "").enter("growth_kind", "steps")
    assert not visitor.has("growth_kind")


def test_a_growth_beyond_its_limits_is_refused() -> None:
    visitor = Visitor(GROWN).enter("growth", "1e5")
    assert visitor.complains("The growth must be a number of at most 1000 in size")


def test_grown_scores_may_be_a_row_of_the_heads() -> None:
    shown = Visitor(f"{GROWN}&rows=raw_scores,grown_scores").matrices
    factors = 1 + 0.5 * np.log([[1], [2], [2], [3]])
    np.testing.assert_allclose(shown["grown_scores/1"], shown["raw_scores/1"] * factors, atol=1e-6)


def test_the_walkthrough_has_a_screen_for_it() -> None:
    (plot,) = PageVisitor("walkthrough.py", f"{GROWN}&screen=growth").plots
    assert plot["figure"]["walk"]["results"] == ["grown_scores/0"]
