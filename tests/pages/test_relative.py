"""Relative positions on the page: their switch, their vectors, the steps that they make.

Takes long: each test runs a whole page without a browser.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mha_core import decode_link, load_example
from mha_core.changing.distances import with_reach
from tests.pages.page_visitor import PageVisitor
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import Visitor

PIZZA = load_example("pizza")
NEAR = "example=pizza&distances=3&r_k.rows=1_0_0_0_0_0_0_0+0_0_0_0_0_0_0_0+0_0_0_0_2_0_0_0"


def test_a_switch_gives_each_distance_a_vector_and_takes_it_away() -> None:
    visitor = Visitor("example=pizza")
    assert not visitor.has("reach")
    visitor.enter("relative", True)
    assert visitor.scenario == with_reach(PIZZA, 2)
    assert shows_the_scenario(visitor)
    assert "By R_K, a score counts the distance of the key too." in visitor.words
    visitor.enter("reach", "4")
    assert visitor.scenario.n_distances == 9
    assert decode_link(visitor.address) == visitor.scenario
    visitor.enter("relative", False)
    assert visitor.scenario == PIZZA


def test_a_distance_too_far_is_refused_with_what_may_be() -> None:
    visitor = Visitor("example=pizza").enter("relative", True).enter("reach", "-1")
    assert visitor.complains("reach must be a whole number from 0")


def test_places_on_axes_are_typed_and_give_each_axis_its_rows() -> None:
    visitor = Visitor("example=pizza")
    assert not visitor.has("r_places")
    visitor.enter("relative", True).enter("r_places", "2 x 2")
    assert visitor.errors == []
    assert visitor.shows("r_places") == "2 x 2"
    assert visitor.scenario.scores.r_places == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert visitor.scenario.n_distances == 10
    assert visitor.shows("reach") == 2
    assert shows_the_scenario(visitor)
    assert "By R_K, a score counts the distance of the key too, on each of 2 axes." in visitor.words
    assert decode_link(visitor.address) == visitor.scenario
    visitor.enter("reach", "1")
    assert visitor.scenario.n_distances == 6
    visitor.enter("r_places", "2 x 3")
    assert visitor.complains("The places of distances must be 4: one for each position")
    visitor.enter("r_places", "0; 1; 2; 2.5")
    assert visitor.complains("The places of distances must be a whole number")
    visitor.enter("r_places", "")
    assert visitor.scenario == with_reach(with_reach(PIZZA, 2), 1)


def test_a_score_tells_what_each_axis_gives() -> None:
    visitor = Visitor("example=near-patches&cell=weights/0:5.2").open("parts-heads")
    told = " ".join(html.proto.body for html in visitor.at.get("html"))
    for axis in (0, 1):
        assert f"the distance on axis {axis}, counted from 0" in told


def test_both_scores_and_their_sum_may_be_rows_of_the_heads() -> None:
    shown = Visitor(f"{NEAR}&rows=raw_scores,relative_scores,summed_scores").matrices
    both = shown["raw_scores/1"] + shown["relative_scores/1"]
    np.testing.assert_allclose(shown["summed_scores/1"], both, atol=1e-6)


def test_the_vectors_stand_beside_the_mask() -> None:
    visitor = Visitor(NEAR).open("mask-picture")
    np.testing.assert_array_equal(visitor.matrices["r_k"], visitor.scenario.r_k)
    with_both = replace(visitor.scenario, r_q=np.ones((3, 8)))
    assert decode_link(f"{NEAR}&r_q.rows={'+'.join(['1_1_1_1_1_1_1_1'] * 3)}") == with_both


def test_the_walkthrough_has_screens_for_distances() -> None:
    for screen, result in (("distances", "relative_scores/0"), ("both", "summed_scores/0")):
        (plot,) = PageVisitor("walkthrough.py", f"{NEAR}&screen={screen}").plots
        assert plot["figure"]["walk"]["results"] == [result]
