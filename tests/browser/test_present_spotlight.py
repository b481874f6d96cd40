"""The light of a presented page, and what is pressed and typed in it.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.hands import place_of
from tests.browser.presenting import PIZZA, headings, present, says, title

if TYPE_CHECKING:
    from playwright.sync_api import Page


def lit_boxes(page: Page) -> int:
    """How many holes the dark has that are cells, rows or columns: headings are holes too."""
    path = page.locator(".present .plot-dark").get_attribute("d") or ""
    return path.count("M") - 1 - headings(page).count()


def test_s_goes_through_the_kinds_of_light_and_arrows_move_it(page: Page) -> None:
    present(page, f"{PIZZA}&part=weights")
    dark = page.locator(".present .plot-dark")
    page.keyboard.press("s")
    says(page, "Spotlight on a cell")
    expect(dark).to_have_count(1)
    assert lit_boxes(page) == 2  # the same cell of both heads
    before = dark.get_attribute("d")
    page.keyboard.press("ArrowDown")
    expect(dark).not_to_have_attribute("d", before or "")
    expect(title(page)).to_have_text("Weights")
    expect(page.locator(".present-words")).to_be_hidden()
    for words in ("Spotlight on a row", "Spotlight on a column", "Spotlight off"):
        page.keyboard.press("s")
        says(page, words)
    expect(dark).to_have_count(0)


def test_the_light_follows_the_pointer_and_stays_on_its_token_in_the_next_part(page: Page) -> None:
    present(page, f"{PIZZA}&part=masked_scores")
    page.keyboard.press("s")
    page.keyboard.press("s")
    says(page, "Spotlight on a row")
    window = page.locator(".present .plot-stage > svg > svg").first
    box = place_of(window)
    page.mouse.move(box.x + box.width / 8, box.y + box.height * 7 / 8)
    row_label = page.locator(".present .plot-stage > svg:last-of-type > text")
    expect(row_label.first).to_have_text("PIZZA")
    page.keyboard.press("PageDown")
    expect(title(page)).to_have_text("Largest score of the row")
    expect(row_label.first).to_have_text("PIZZA")


def test_a_press_hits_the_cell_below_the_pointer(page: Page) -> None:
    present(page, f"{PIZZA}&part=weights&mask=none")
    box = place_of(page.locator(".present .plot-stage > svg > svg").nth(1))
    page.mouse.click(box.x + box.width * 5 / 8, box.y + box.height * 3 / 8)
    expect(page).to_have_url(re.compile(r"cell=weights(/|%2F)1(:|%3A)2\.3"))


def test_a_number_is_typed_into_its_cell(page: Page) -> None:
    present(page, f"{PIZZA}&part=queries")
    box = place_of(page.locator(".present .plot-stage > svg > svg").first)
    for _ in range(2):
        page.mouse.click(box.x + 2, box.y + 2)
    field = page.locator(".present .plot-edit")
    expect(field).to_be_focused()
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"=.*9"))
    expect(title(page)).to_have_text("W_Q makes a query of each row")
