"""Many heads: all of them small, one of them large beside the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from mha_core import attend
from tests.pages.visitor import Visitor
from ui.figures.overview import has_many

EIGHT = "tokens=A+B+C&d_model=16&heads=8&x=random&weights=random"
LONG = "+".join(f"w{number}" for number in range(64))
TWO_LONG = f"tokens={LONG}&d_model=8&heads=2&x=random&weights=random"


def small(visitor: Visitor) -> list[Mapping[str, Any]]:
    """The matrices of the heads' picture, if they are small ones."""
    matrices = visitor.plots["heads"]["figure"]["matrices"]
    return [matrix for matrix in matrices if "whole" in matrix]


def in_the_heads_picture(visitor: Visitor) -> list[str]:
    return [matrix["name"] for matrix in visitor.plots["heads"]["figure"]["matrices"]]


def chosen(visitor: Visitor) -> list[str]:
    return [matrix["name"] for matrix in small(visitor) if matrix["whole"]["is_chosen"]]


@pytest.mark.parametrize("address", [EIGHT, TWO_LONG], ids=["many heads", "many tokens"])
def test_many_heads_are_seen_small_and_each_with_its_weights(address: str) -> None:
    visitor = Visitor(address)
    weights = attend(visitor.scenario).weights
    assert [matrix["name"] for matrix in small(visitor)] == [
        f"weights/{head}" for head in range(len(weights))
    ]
    for matrix, seen in zip(small(visitor), weights, strict=True):
        assert np.array_equal(matrix["values"], seen)


@pytest.mark.parametrize("address", ["", "example=pizza&heads=4", "example=single-head"])
def test_few_heads_have_no_overview(address: str) -> None:
    visitor = Visitor(address)
    assert not has_many(visitor.scenario)
    assert not small(visitor)
    assert not visitor.has("page")


def test_one_click_away_they_are_all_large() -> None:
    visitor = Visitor(EIGHT).enter("page", 1)
    assert not small(visitor)
    assert {"masked_scores/7", "weights/7"} <= set(visitor.matrices)
    assert visitor.address["page"] == "1"
    assert len(small(visitor.enter("page", 0))) == 8
    assert "page" not in visitor.address


def test_a_saved_link_to_a_page_of_large_heads_is_still_one() -> None:
    assert not small(Visitor(f"{EIGHT.replace('heads=8', 'heads=16')}&page=1"))


def test_x_stands_beside_heads_that_are_large_and_else_in_its_own_part() -> None:
    visitor = Visitor(f"{EIGHT}&open=into")
    assert "x" in visitor.matrices
    assert "x" not in in_the_heads_picture(visitor)
    visitor.enter("page", 1)
    assert "x" in in_the_heads_picture(visitor)


def test_the_head_that_was_picked_is_large_beside_the_others_and_a_button_leads_back() -> None:
    visitor = Visitor(f"{EIGHT}&head=3")
    assert chosen(visitor) == ["weights/2"]
    assert len(small(visitor)) == 8
    large = visitor.plots["large head"]["figure"]["matrices"]
    assert [matrix["name"] for matrix in large] == ["weights/2", "masked_scores/2"]
    visitor.press("Back to all heads")
    assert visitor.view.head is None
    assert "large head" not in visitor.plots
    assert chosen(visitor) == []


def test_each_head_says_what_it_looks_at() -> None:
    visitor = Visitor("example=pizza&heads=8&page=0")
    assert visitor.errors
    visitor = Visitor("example=pizza&heads=8")
    assert all(matrix["title"].startswith("Head ") for matrix in small(visitor))
    assert all(any(matrix["notes"]) for matrix in small(visitor))


def test_where_most_weights_are_small_colours_end_sooner_and_the_page_says_so() -> None:
    visitor = Visitor(TWO_LONG)
    (end,) = {matrix["high"] for matrix in small(visitor)}
    beyond = np.mean(attend(visitor.scenario).weights > end)
    assert 0 < end < 0.25
    assert 0 < beyond < 0.006
    assert f"From {end:.2g} on, all have the same colour." in visitor.words
    assert "so their colours are pale" not in visitor.words
    assert {matrix["high"] for matrix in small(Visitor(EIGHT))} == {1.0}


@pytest.mark.parametrize("address", [TWO_LONG, EIGHT], ids=["small weights", "large weights"])
def test_large_heads_have_the_colours_that_they_have_where_all_are_small(address: str) -> None:
    visitor = Visitor(address)
    (end,) = {matrix["high"] for matrix in small(visitor)}
    visitor.enter("page", 1)
    weights = [
        matrix["high"]
        for matrix in visitor.plots["heads"]["figure"]["matrices"]
        if matrix["name"].startswith("weights/")
    ]
    assert {*weights} == {end}
    says = f"From {end:.2g} on, all have the same colour." in visitor.words
    assert says == (end < 1)
    assert "so their colours are pale" not in visitor.words


def test_with_colours_of_its_own_each_head_says_how_far_they_go() -> None:
    for matrix in small(Visitor(f"{EIGHT}&colors=own")):
        assert matrix["high"] == matrix["values"].max()
        assert matrix["title"].endswith(f"colours 0.00 to {matrix['high']:.2f}")
        assert not matrix["caption"]


def test_sorting_stands_where_the_heads_are_and_nowhere_twice() -> None:
    visitor = Visitor(EIGHT).enter("order", "focus")
    names = [matrix["name"] for matrix in small(visitor)]
    assert names != sorted(names)
    assert Visitor(f"{EIGHT}&fold=heads").has("order")
