"""The page of real layers, as a person works there.

Takes long: a page of its own in a browser, with axe in both themes and at a phone's width.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.hands import pick
from tests.browser.reading import plot_named
from tests.browser.test_accessibility import violations, violations_in_both_themes
from tests.pages.small_model import model_file, odd_file
from tests.visitors import visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

FILE: Any = {"name": "small.npz", "mimeType": "application/zip", "buffer": model_file()}
ODD: bytes = odd_file()
OVERFLOWS: str = "document.documentElement.scrollWidth > innerWidth"


def heads_of(page: Page) -> Locator:
    return page.locator(".head-tiles").first.locator(".row button")


def test_from_a_file_to_the_explorer(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    expect(heads_of(page)).to_have_count(8)
    page.get_by_role("button", name="Open a file").click()
    page.locator("[class*=real-file] input[type=file]").set_input_files(FILE)
    expect(page.get_by_text("2 heads of width 4")).to_be_visible()  # it was read
    page.keyboard.press("Escape")
    text = page.get_by_label("What it reads")
    text.fill("a b c a b")
    text.press("Enter")
    expect(heads_of(page)).to_have_count(4)
    expect(page).to_have_url(re.compile("text=a\\+b\\+c\\+a\\+b"))

    heads_of(page).nth(3).click()
    expect(page.get_by_role("heading", name="small.npz: Layer 2")).to_be_visible()
    expect(page.get_by_text("Head 2", exact=True).first).to_be_visible()
    page.get_by_role("link", name="Real layers").click()
    expect(heads_of(page)).to_have_count(4)  # what was opened is still there


def test_a_score_of_an_opened_head_is_told_in_parts(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers?text=Mila Stone met Leo Snow. Then Mila Stone")
    heads_of(page).nth(5).click()
    heads = plot_named(page, "Scores")
    heads.wait_for()
    pick(heads, "weights/1", 8, 2, columns=9)
    page.get_by_text("Why does it look there?").click()
    table = page.locator(".checked.parts table")
    expect(table.get_by_role("columnheader", name="head 4 of layer 1")).to_be_visible()
    expect(table.get_by_role("rowheader", name="word “Stone”")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)


def test_many_sentences_tell_what_a_head_does(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Read them all").click()
    dots = page.locator(".head-dots .field button")
    expect(dots).to_have_count(8)
    dots.nth(5).dispatch_event("click")
    expect(dots.nth(5)).to_have_attribute("aria-pressed", "true")
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)
    assert violations(page) == []


def test_a_file_that_no_family_knows_is_mapped_by_hand(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers")
    page.get_by_role("button", name="Open a file").click()
    page.locator("[class*=real-file] input[type=file]").set_input_files(
        {"name": "odd.npz", "mimeType": "application/zip", "buffer": ODD}
    )
    expect(page.get_by_role("heading", name="Map a layer by hand")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("The number of heads must be")).to_be_visible()
    assert violations(page) == []
    heads = page.get_by_label("Number of heads")
    heads.fill("2")
    heads.press("Enter")
    expect(page.get_by_text("All shapes fit: X has 16 columns")).to_be_visible()
    expect(page.get_by_text("a forgotten transpose gives other heads")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate(OVERFLOWS)
    page.get_by_role("button", name="Open the layer").click()
    expect(page.get_by_role("heading", name="odd.npz, layer 1, X made from words")).to_be_visible()


def test_a_kind_in_the_legend_leaves_only_its_heads_bright(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    visit(page, "/real_layers?first=off")
    chips = page.locator(".head-tiles .legend button")
    chips.first.click()
    count = int(chips.first.inner_text().split()[-1])
    assert 0 < count < 8
    expect(page.locator(".row button:not(.is-pale)")).to_have_count(count)
    chips.first.click()
    expect(page.locator(".row button.is-pale")).to_have_count(0)
