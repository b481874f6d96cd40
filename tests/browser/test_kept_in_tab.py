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
KEEPS_NOTHING = """() => {
  const { setItem } = Storage.prototype;
  Storage.prototype.setItem = () => { throw new Error("full"); };
  window.keepAgain = () => {
    Storage.prototype.setItem = setItem;
    delete window.keepAgain;
  };
}"""
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


def wait_until_kept(page: Page) -> None:
    """Wait for both things that a reload needs: what the tab keeps, and an address without more.

    The page's sentence comes with the same run, but may be seen before either is there.
    """
    wait_until(page, f"() => {KEPT} && !location.search.includes('example=')")


def offer_on(page: Page) -> Locator:
    return page.locator(".kept-offer")


def test_numbers_are_offered_after_a_reload_which_undo_survives_and_brought_back_or_forgotten(
    page: Page,
) -> None:
    scenario = too_large()
    open_page(page, "/?example=pizza&open=into")
    tokens, scale = (page.get_by_label(name, exact=True) for name in ("Tokens", "Scale"))
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    scale.fill("1/3")
    scale.press("Enter")
    expect(page).to_have_url(re.compile("scale="))
    open_file(page, scenario)
    wait_until_kept(page)
    kept = page.url
    page.reload()
    expect(offer_on(page)).to_contain_text("This tab has kept numbers")
    page.get_by_role("button", name="Bring them back").click()
    expect(page.get_by_text(IS_KEPT)).to_be_visible()
    expect(offer_on(page)).to_have_count(0)
    wait_for_numbers(plot_named(page, "X, the projections"), "x", scenario.x)
    undo.click()  # as before the reload
    expect(tokens).to_have_value("I LOVE PEPPERONI PIZZA")
    expect(scale).to_have_value("0.3333333333333333")
    expect(page.get_by_text(IS_KEPT)).to_have_count(0)
    wait_until(page, f"() => {KEPT} === null")  # what an address says whole is not kept
    undo.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pizza, a language model")
    expect(undo).to_be_disabled()
    redo.click()
    expect(page).to_have_url(re.compile("scale="))
    redo.click()
    wait_until_kept(page)

    page.goto("/?example=pizza")  # nor is it asked about
    page.get_by_role("button", name="Share", exact=True).wait_for()
    expect(offer_on(page)).to_have_count(0)
    page.goto(kept)
    page.get_by_role("button", name="Forget them").click()
    expect(offer_on(page)).to_have_count(0)
    wait_until(page, f"() => {KEPT} === null")  # so nothing is there to be offered again
    page.evaluate(KEEPS_NOTHING)
    open_file(page, scenario)
    expect(offer_on(page)).to_contain_text("This browser keeps nothing here")
    page.evaluate("window.keepAgain()")  # for the next visitor
