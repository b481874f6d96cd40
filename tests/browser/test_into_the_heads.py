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
from tests.browser.hands import pick
from tests.browser.reading import exact_numbers, open_page, outlined, plot_named

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

    from tests.conftest import NewPage


def way_in(page: Page) -> Locator:
    return plot_named(page, "X, the projections")


def fold(page: Page) -> Locator:
    return page.locator("summary", has_text="Into the heads")


def test_it_opens_shows_the_numbers_and_stays_open_where_its_link_is_opened(
    page: Page, new_page: NewPage
) -> None:
    open_page(page, "/?example=pizza")
    expect(way_in(page)).to_have_count(0)
    fold(page).click()
    trace = attend(load_example("pizza"))
    for name in ("w_q", "q", "v"):
        array = getattr(trace.scenario, name) if name.startswith("w") else getattr(trace, name)
        assert np.array_equal(exact_numbers(way_in(page), name), array)
    expect(page).to_have_url(re.compile(r"\?example=pizza&open=into$"))
    other = new_page()
    open_page(other, page.url)
    expect(way_in(other)).to_be_visible()
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


def test_nothing_above_it_moves_while_it_opens(page: Page) -> None:
    open_page(page, "/?example=pizza")
    above = [page.locator("h1"), page.locator(".strip"), fold(page)]
    fold(page).scroll_into_view_if_needed()
    before = [each.bounding_box() for each in above]
    fold(page).click()
    way_in(page).locator("canvas").first.wait_for()
    assert [each.bounding_box() for each in above] == before


def test_a_click_on_a_cell_outlines_it_and_is_kept_in_the_address(page: Page) -> None:
    open_page(page, "/?example=pizza&open=into")
    pick(way_in(page), 0, 2, 1, columns=8)
    expect(outlined(way_in(page))).to_have_count(1)
    expect(page).to_have_url(re.compile(r"cell=w_q(:|%3A)3\.2"))


def test_a_click_on_the_input_in_the_strip_goes_there(page: Page) -> None:
    open_page(page, "/?example=pizza&open=into")
    page.locator(".strip a", has_text="Input").focus()
    page.get_by_text("Include heads").scroll_into_view_if_needed()
    expect(fold(page)).not_to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#into-the-heads$"))
    expect(fold(page)).to_be_in_viewport()
