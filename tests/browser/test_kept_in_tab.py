"""What a reload does not lose: numbers too many for an address, which the tab keeps, and undo.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from playwright.sync_api import expect

from mha_core import Scenario
from mha_core.changing.changes import with_matrix
from mha_core.io.scenario.files import write_scenario
from mha_core.io.scenario.link import decode_link
from tests.browser.hands import open_the_menu
from tests.browser.reading import open_page, plot_named, wait_for_numbers, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

FITS = "tokens=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p&d_model=64&heads=2&x=random&weights=random"
IS_KEPT = "This tab keeps the numbers"
KEPT = "sessionStorage.getItem('attention explorer ')"


def too_large() -> Scenario:
    s = decode_link(FITS)
    return with_matrix(s, "x", np.random.default_rng(5).standard_normal(s.x.shape))


def open_file(page: Page, scenario: Scenario) -> None:
    open_the_menu(page)
    data = write_scenario(scenario, "large.npz")
    file: Any = {"name": "large.npz", "mimeType": "application/zip", "buffer": data}
    page.locator("[class*=open-file] input[type=file]").set_input_files(file)
    expect(page.get_by_text(IS_KEPT)).to_be_visible()
    page.keyboard.press("Escape")


def open_and_keep(page: Page, scenario: Scenario) -> None:
    open_file(page, scenario)
    wait_until_kept(page)


def wait_until_kept(page: Page) -> None:
    """Wait for both things that a reload needs: what the tab keeps, and an address without more.

    The page's sentence comes with the same run, but may be seen before either is there.
    """
    wait_until(page, f"() => {KEPT} && !location.search.includes('example=')")


def offer_on(page: Page) -> Locator:
    return page.locator(".kept-offer")


def test_after_a_reload_the_numbers_are_offered_and_brought_back_or_forgotten(page: Page) -> None:
    scenario = too_large()
    open_page(page, "/?example=pizza&open=into")
    open_and_keep(page, scenario)
    page.reload()
    expect(offer_on(page)).to_contain_text("This tab has kept numbers")
    page.get_by_role("button", name="Bring them back").click()
    expect(page.get_by_text(IS_KEPT)).to_be_visible()
    expect(offer_on(page)).to_have_count(0)
    wait_for_numbers(plot_named(page, "X, the projections"), "x", scenario.x)
    page.get_by_role("button", name="Undo").click()  # as before the reload
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("I LOVE PEPPERONI PIZZA")
    page.get_by_role("button", name="Redo").click()
    wait_until_kept(page)
    page.reload()
    page.get_by_role("button", name="Forget them").click()
    expect(offer_on(page)).to_have_count(0)
    wait_until(page, f"() => {KEPT} === null")  # so nothing is there to be offered again


def test_what_an_address_says_whole_is_neither_kept_nor_asked_about(page: Page) -> None:
    open_page(page, "/?example=pizza")
    open_and_keep(page, too_large())
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text(IS_KEPT)).to_have_count(0)
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("I LOVE PEPPERONI PIZZA")
    wait_until(page, f"() => {KEPT} === null")
    page.get_by_role("button", name="Redo").click()
    wait_until_kept(page)
    open_page(page, "/?example=pizza")
    page.get_by_role("button", name="Share", exact=True).wait_for()
    expect(offer_on(page)).to_have_count(0)


def test_a_browser_that_keeps_nothing_says_so(page: Page) -> None:
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    open_page(page, "/")
    open_file(page, too_large())
    expect(offer_on(page)).to_contain_text("This browser keeps nothing here")


def test_undo_leads_on_after_a_reload(page: Page) -> None:
    open_page(page, "/?example=pizza")
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    for scale in ("0.25", "0.75"):
        page.get_by_label("Scale", exact=True).fill(scale)
        page.get_by_label("Scale", exact=True).press("Enter")
        expect(page).to_have_url(re.compile(f"scale={scale}"))
    page.reload()
    expect(undo).to_be_enabled()
    undo.click()
    expect(page).to_have_url(re.compile("scale=0.25"))
    undo.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pizza, a language model")
    expect(undo).to_be_disabled()
    redo.click()
    expect(page).to_have_url(re.compile("scale=0.25"))
