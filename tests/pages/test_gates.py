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


def test_its_function_is_asked_where_there_is_a_gate_alone() -> None:
    assert not Visitor("example=pizza").has("gate_function")
    gated = Visitor(f"{GATED}&open=into").enter("gate_function", "softplus")
    assert gated.errors == []
    assert gated.scenario.scores.gate_function == "softplus"
    np.testing.assert_allclose(
        gated.matrices["gates/0"], np.log(1 + np.exp(gated.matrices["g"][:, :1])), atol=0.01
    )
    said = " ".join(caption.value for caption in gated.at.caption)
    assert "multiplied by that of its gate. The gate is made of G" in said
    assert "from 0 on, without a most" in said


def test_the_walkthrough_has_screens_for_it() -> None:
    page = PageVisitor("walkthrough.py", f"{GATED}&screen=gated")
    (plot,) = page.plots
    assert plot["figure"]["walk"]["results"] == ["gated_outputs/0"]


def test_the_walkthrough_has_screens_for_another_gate_gains_and_the_function_before_w_o() -> None:
    others = "gate_function=softplus&qk_norm=gains&q_gain=1+2+3+4&concat_function=hardswish"
    for screen, result in {
        "gate-of-another-kind": "gates/0",
        "gains-of-queries": "q_normed/0",
        "function-of-heads": "heads_bent/0",
    }.items():
        page = PageVisitor("walkthrough.py", f"{GATED}&{others}&screen={screen}")
        (plot,) = page.plots
        assert result in plot["figure"]["walk"]["results"]
