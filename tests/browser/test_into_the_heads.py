"""The part above the heads, opened and used in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from mha_core import attend
from mha_core.examples import load_example
from tests.browser.reading import exact_numbers, open_page, plot_named

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page


def way_in(page: Page) -> Locator:
    return plot_named(page, "X, the projections")


def fold(page: Page) -> Locator:
    return page.locator("summary", has_text="Into the heads")


def test_it_opens_shows_the_numbers_and_moves_nothing_above_it(page: Page) -> None:
    open_page(page, "/?example=pizza")
    expect(way_in(page)).to_have_count(0)
    above = [page.locator("h1"), page.locator(".strip"), fold(page)]
    fold(page).scroll_into_view_if_needed()
    before = [each.bounding_box() for each in above]
    fold(page).click()
    way_in(page).locator("canvas").first.wait_for()
    assert [each.bounding_box() for each in above] == before
    trace = attend(load_example("pizza"))
    for name in ("w_q", "q", "v"):
        array = getattr(trace.scenario, name) if name.startswith("w") else getattr(trace, name)
        assert np.array_equal(exact_numbers(way_in(page), name), array)
    expect(page).to_have_url(re.compile(r"\?example=pizza&open=into$"))
    fold(page).click()
    expect(page).to_have_url(re.compile(r"\?example=pizza$"))
    expect(way_in(page)).to_be_hidden()


def test_lines_lead_from_each_of_two_sequences_to_what_is_made_of_it(page: Page) -> None:
    lines = way_in(page).locator(".plot-feeds")
    open_page(page, "/?example=translation&open=into")
    expect(lines).to_have_count(2)
    for line, (first, last) in zip(lines.all(), [("X:", "Q:"), ("C:", "V:")], strict=True):
        box, begins, ends = map(_box, (line, *_headings(page, first, last)))
        assert begins["x"] < box["x"] < ends["x"] < box["x"] + box["width"]
        assert box["y"] + box["height"] <= min(begins["y"], ends["y"]) + 3  # above the letters
    open_page(page, "/?example=pizza&open=into")
    expect(lines).to_have_count(0)


def _box(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def _headings(page: Page, *begins: str) -> list[Locator]:
    return [way_in(page).locator("text", has_text=re.compile(f"^{each}")) for each in begins]
