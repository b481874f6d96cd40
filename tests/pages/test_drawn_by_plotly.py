"""The switch between the live picture and Plotly: for one board, and for all of the page."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from mha_core.layer.written import in_six_digits
from tests.pages.visitor import Visitor

EVERYTHING = "example=causal&open=into&head=1&drawn=plotly"


def charts(visitor: Visitor) -> list[Any]:
    """The figures that Plotly is given."""
    return [json.loads(node.proto.spec) for node in visitor.at.get("plotly_chart")]


def switch(visitor: Visitor, board: str, way: str) -> Visitor:
    visitor.at.button_group(key=f"view-drawn-{board}").set_value(way)
    return visitor.run()


def test_a_link_has_every_board_drawn_by_plotly_and_no_live_one() -> None:
    visitor = Visitor(EVERYTHING)
    assert not visitor.errors
    assert visitor.sent == []
    titles = {trace["name"] for chart in charts(visitor) for trace in chart["data"]}
    assert {"Weights, head 1", "Output", "Concatenation", "Values"} <= titles
    assert visitor.address["drawn"] == "plotly"


def test_one_board_is_drawn_by_plotly_while_the_others_are_live() -> None:
    visitor = Visitor("example=causal&drawn=heads")
    assert len(charts(visitor)) == 1
    assert "heads" not in visitor.plots
    assert "together" in visitor.plots


def test_a_plotly_figure_follows_what_is_changed_in_the_sidebar() -> None:
    visitor = Visitor("example=causal&drawn=heads")
    before = charts(visitor)
    visitor.enter("scale", "2")
    (after,) = charts(visitor)
    assert after != before[0]
    weights = next(trace for trace in after["data"] if trace["name"] == "Weights, head 1")
    first = attend(visitor.scenario).weights[0]
    assert weights["hovertext"][1][1] == in_six_digits(first[1, 1])
    visitor.mask_by()
    (without_mask,) = charts(visitor)
    assert not [each for each in without_mask["data"] if "masked" in each.get("hovertemplate", "")]


def test_the_switch_below_a_plotly_figure_leads_back_to_the_live_picture() -> None:
    visitor = switch(Visitor("example=causal&drawn=heads"), "heads", "Live")
    assert charts(visitor) == []
    assert "heads" in visitor.plots
    assert "drawn" not in visitor.address


def test_of_all_boards_one_may_be_live_again() -> None:
    visitor = switch(Visitor(EVERYTHING), "heads", "Live")
    assert [*visitor.plots] == ["heads"]
    assert "heads" not in visitor.address["drawn"].split(",")
    assert "together" in visitor.address["drawn"].split(",")
    visitor.enter("drawn", "by Plotly")
    assert visitor.address["drawn"] == "plotly"


def test_the_view_has_the_switch_for_all() -> None:
    visitor = Visitor("example=causal").enter("drawn", "by Plotly")
    assert visitor.sent == []
    visitor.enter("drawn", "live")
    assert charts(visitor) == []
    assert "drawn" not in visitor.address


@pytest.mark.parametrize("page", ["walkthrough", "patterns"])
def test_the_other_pages_draw_by_plotly_too(page: str) -> None:
    visitor = Visitor("drawn=plotly", f"{page}.py")
    assert not visitor.errors
    assert charts(visitor)
    assert visitor.sent == []


def test_an_address_that_names_no_board_says_which_there_are() -> None:
    visitor = Visitor("example=causal&drawn=nothing")
    assert visitor.complains("drawn in the address must be some of plotly, heads, ")
    assert np.size(visitor.matrices["weights/0"])
