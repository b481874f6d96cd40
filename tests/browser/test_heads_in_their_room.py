"""Heads fill the room they have evenly."""

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


@pytest.mark.parametrize("width", [1280, 1920])
def test_four_heads_stand_beside_each_other_and_fill_their_room(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1080})
    open_page(page, FOUR_HEADS)
    heads = plot_named(page, "Scores and weights")
    assert rows_of_heads(heads) == [4]
    room, drawn = place_of(heads), place_of(heads.locator(".plot-stage"))
    assert 0.85 * room.width < drawn.width <= room.width
