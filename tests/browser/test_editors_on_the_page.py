"""The editors in their place on the page: what is typed and the tab outlive a look elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.reading import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_text_and_tab_outlive_a_look_at_another_matrix(page: Page) -> None:
    open_page(page, "/?example=three-tokens")
    page.get_by_text("Edit the numbers").click()
    page.get_by_role("tab", name="Text").click()
    box = page.get_by_role("textbox", name="X as text")
    expect(box).to_have_value("1,0,1,0,1,0\n0,2,0,2,0,2\n1,1,1,1,1,1")
    box.fill("7 8 9")
    page.get_by_role("radio", name="W_O", exact=True).click()
    other = page.get_by_role("textbox", name="W_O as text")
    other.wait_for()
    expect(page.get_by_role("tab", name="Text")).to_have_attribute("aria-selected", "true")
    page.get_by_role("radio", name="X", exact=True).click()
    expect(box).to_have_value("7 8 9")


def test_a_taller_text_asks_and_then_the_page_has_more_tokens(page: Page) -> None:
    open_page(page, "/?example=three-tokens")
    page.get_by_text("Edit the numbers").click()
    page.get_by_role("tab", name="Text").click()
    box = page.get_by_role("textbox", name="X as text")
    box.fill("1 2 3 4 5 6\n" * 4)
    box.press("Control+Enter")
    page.get_by_role("button", name="Resize X to 4 rows and replace").click()
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("t1 t2 t3 t4")
