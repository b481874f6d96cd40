"""Heads with sinks on the page: a column beside the weights, their numbers, words that stay true.

Takes long: each test runs a whole page without a browser.
"""

from __future__ import annotations

import json

import numpy as np

from tests.pages.page_visitor import PageVisitor
from tests.pages.visitor import Visitor
from ui.blocks.first_words import A_ROW, SCORES_AND_SINK, WITH_SINK

WITH_SINKS = "example=pizza&sinks.rows=-1_0.5"


def test_the_share_of_a_sink_is_a_column_with_the_weights_of_its_head() -> None:
    shown = Visitor(WITH_SINKS).matrices
    for head in range(2):
        sums = shown[f"weights/{head}"].sum(axis=1, where=~np.isnan(shown[f"weights/{head}"]))
        np.testing.assert_allclose(sums + shown[f"sink_weights/{head}"][:, 0], 1, atol=0.03)
    assert "sink_weights/0" not in Visitor("example=pizza").matrices


def test_words_say_with_what_a_row_adds_up_to_1() -> None:
    visitor = Visitor(WITH_SINKS)
    assert f"{A_ROW}{WITH_SINK}." in visitor.words
    assert "Its sink takes 0.27 of the weight on average." in visitor.words
    sent = [node.proto for node in visitor.at.get("bidi_component")]
    (closable,) = (json.loads(p.json) for p in sent if p.component_name == "closable")
    assert SCORES_AND_SINK in closable["sentences"].splitlines()


def test_all_hidden_goes_to_the_sink_which_the_words_know() -> None:
    blind = Visitor(WITH_SINKS).mask_by("padding").enter("padding hidden", [*range(4)])
    assert f"{A_ROW}{WITH_SINK}." in blind.words
    assert (blind.matrices["sink_weights/1"] == 1).all()


def test_the_walkthrough_has_a_screen_for_the_share() -> None:
    page = PageVisitor("walkthrough.py", f"{WITH_SINKS}&screen=sink")
    (plot,) = page.plots
    assert plot["figure"]["walk"]["results"] == ["sink_weights/0"]
