"""A gate between the heads and W_O on the page: switched on, seen, and switched off again.

Takes long: each test runs a whole page without a browser.
"""

from __future__ import annotations

import numpy as np

from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import Visitor

GATED = "example=pizza&d_g=1&w_g.rows=1_0+0_1+0_0+0_0+0_0+0_0+0_0+0_0"


def test_a_gate_is_switched_on_half_open_and_off_again() -> None:
    plain = Visitor("example=pizza")
    assert "gates/0" not in plain.matrices
    output = plain.matrices["output"]
    gated = plain.enter("gate", "head")
    assert (gated.matrices["gates/0"] == 0.5).all()
    assert "A gate before W_O multiplies what the heads give: by 0.50 everywhere." in gated.words
    np.testing.assert_allclose(gated.matrices["output"], output / 2, atol=0.01)
    assert "gates/0" not in gated.enter("gate", "none").matrices


def test_its_matrix_stands_with_the_projections_and_what_it_lets_through_before_w_o() -> None:
    shown = Visitor(f"{GATED}&open=into").matrices
    assert shown["w_g"].shape == (8, 2)
    assert shown["g"].shape == (4, 2)
    for head in range(2):
        np.testing.assert_allclose(
            shown[f"gated_outputs/{head}"],
            shown[f"head_outputs/{head}"] * shown[f"gates/{head}"],
            atol=0.01,
        )


def test_the_walkthrough_has_screens_for_it() -> None:
    page = PageVisitor("walkthrough.py", f"{GATED}&screen=gated")
    (plot,) = page.plots
    assert plot["figure"]["walk"]["results"] == ["gated_outputs/0"]
