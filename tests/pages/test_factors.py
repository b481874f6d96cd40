"""A gate of what the heads add to their scores on the page: switched on, seen, and off again.

Takes long: each test runs a whole page without a browser.
"""

from __future__ import annotations

import numpy as np

from mha_core import decode_link
from mha_core.changing.additions import with_gate_of_additions
from tests.pages.page_visitor import PageVisitor
from tests.pages.showing import shows_the_scenario
from tests.pages.visitor import Visitor

ADDING = f"example=pizza&b_s.rows={'+'.join(['1_2_3_4'] * 8)}"
GATED = f"{ADDING}&w_f.rows=0_0_1_0+0_1_0_0{'+0_0_0_0' * 6}&b_f.rows=0_0_-1_2&c_f.rows=4_1"


def test_a_gate_of_additions_is_switched_on_and_off_again() -> None:
    visitor = Visitor(ADDING)
    plain = visitor.scenario
    assert visitor.enter("gate-of-additions", True).scenario == with_gate_of_additions(plain)
    assert shows_the_scenario(visitor)
    assert decode_link(visitor.address) == visitor.scenario
    says = "A gate multiplies what each head adds to its scores: by 1.75 everywhere."
    assert says in visitor.words
    assert visitor.enter("gate-of-additions", False).scenario == plain
    assert says not in visitor.words


def test_nothing_is_asked_of_a_gate_where_no_head_adds_anything() -> None:
    assert not Visitor("example=pizza").has("gate-of-additions")


def test_its_scores_stand_with_the_projections_and_its_factors_with_b_s() -> None:
    page = Visitor(f"{GATED}&open=into")
    assert page.matrices["w_f"].shape == (8, 4)
    assert page.matrices["f"].shape == (4, 4)
    shown = page.open("mask-picture").matrices
    np.testing.assert_array_equal(shown["c_f"], [[4, 1]])
    for head in range(2):
        factors = shown[f"factors/{head}"]
        np.testing.assert_allclose(shown[f"bias/{head}"], factors * [1, 2, 3, 4], atol=0.05)


def test_the_walkthrough_has_screens_for_it() -> None:
    for screen, result in (("factor-scores", "f"), ("gated-additions", "bias/0")):
        (plot,) = PageVisitor("walkthrough.py", f"{GATED}&screen={screen}").plots
        assert plot["figure"]["walk"]["results"] == [result]
