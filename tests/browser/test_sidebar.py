"""The sidebar in a browser: one screen, and lists that the keyboard can go through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from mha_core.examples import EXAMPLES
from tests.browser.reading import open_page
from tests.browser.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOWEST_EDGE: Final = """() => Math.max(
  ...[...document.querySelectorAll(".stSidebar :is(button, input, p)")]
    .map((part) => part.getBoundingClientRect().bottom),
)"""


def test_the_sidebar_of_the_first_example_fits_one_screen(page: Page) -> None:
    open_page(page)
    expect(page.get_by_role("combobox", name="Positions")).to_be_visible()
    assert page.viewport_size == {"width": 1280, "height": 720}
    assert page.evaluate(LOWEST_EDGE) <= 720


def test_more_opens_over_the_page_and_moves_nothing(page: Page) -> None:
    open_page(page)
    positions = page.get_by_role("combobox", name="Positions")
    expect(positions).to_be_visible()
    before = positions.bounding_box()
    page.get_by_role("button", name="More of Scores").click()
    cap = page.get_by_role("textbox", name="Soft cap")
    expect(cap).to_be_visible()
    assert positions.bounding_box() == before
    assert violations(page) == []
    cap.fill("30")
    cap.press("Enter")
    expect(page.get_by_text("Soft cap 30.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cap).to_be_hidden()
    expect(page.get_by_role("button", name="More of Scores")).to_be_focused()
    expect(page.get_by_text("Soft cap 30.")).to_be_visible()


def test_an_example_is_found_and_opened_by_keyboard_alone(page: Page) -> None:
    open_page(page)
    page.get_by_role("button", name="Example: Two tokens").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Does order matter?")).to_be_visible()
    wanted = page.get_by_role("button", name="The man bites the dog Shuffle")
    expect(page.get_by_role("dialog", name="Example: Two tokens")).to_be_focused()
    for _ in range(len(EXAMPLES)):
        page.keyboard.press("Tab")
        if wanted.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The man bites the dog", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="Does order matter?")).to_be_hidden()


def test_a_refused_preset_is_tried_again_and_its_refusal_goes_with_its_cause(page: Page) -> None:
    open_page(page, "/?example=pizza&d_k=3")
    positions = page.get_by_role("combobox", name="Positions")
    alert = page.locator(".stSidebar").get_by_role("alert")
    for _ in range(2):
        positions.click()
        page.get_by_role("option", name="RoPE").click()
        expect(alert).to_contain_text("d_k")
        expect(positions).to_have_value("None")
    page.get_by_role("button", name="More of Heads").click()
    width = page.get_by_role("spinbutton", name="Width d_k")
    width.fill("4")
    width.press("Enter")
    expect(alert).to_have_count(0)
