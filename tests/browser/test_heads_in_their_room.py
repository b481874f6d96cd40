"""Heads fill the room they have evenly, and stay where they are while other scores are shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.hands import place_of
from tests.browser.reading import open_page, plot_named

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

FOUR_HEADS = "/?tokens=A+B+C+D+E&d_model=16&heads=4&x=random&weights=random&scale=0.01"


def rows_of_heads(heads: Locator) -> list[int]:
    """How many heads stand beside each other, row by row."""
    titles = heads.locator("svg text", has_text=re.compile(r"^Head \d")).all()
    heights = [round(place_of(title).y) for title in titles]
    return [heights.count(height) for height in sorted(set(heights))]


@pytest.mark.parametrize(("width", "rows"), [(1280, [4]), (1920, [4])])
def test_four_heads_stand_two_and_two_or_all_beside_each_other(
    page: Page, width: int, rows: list[int]
) -> None:
    page.set_viewport_size({"width": width, "height": 1080})
    open_page(page, FOUR_HEADS)
    heads = plot_named(page, "Scores and weights")
    assert rows_of_heads(heads) == rows
    room, drawn = place_of(heads), place_of(heads.locator(".plot-stage"))
    assert 0.85 * room.width < drawn.width <= room.width


def test_raw_scaled_and_masked_scores_stand_in_one_place(page: Page) -> None:
    places = set()
    for scores in ("raw", "scaled", "masked"):
        open_page(page, f"{FOUR_HEADS}&show={scores}")
        heads = plot_named(page, "Scores and weights")
        first, second = (heads.locator("svg text", has_text=f"Head {i}").first for i in (1, 2))
        stage = place_of(heads.locator(".plot-stage"))
        places.add((stage.width, stage.height, place_of(first).x, place_of(second).x))
    assert len(places) == 1
