"""Help, as somebody asks for it in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from tests.browser.reading import open_page
from tests.browser.test_accessibility import violations_in_both_themes

if TYPE_CHECKING:
    from tests.conftest import NewPage

FITS: Final = "box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth"
HAS_ROOM: Final = "box => box.scrollWidth <= box.clientWidth && box.offsetWidth < innerWidth"
SCROLL: Final = "main => { main.scrollTop = 300; return main.scrollTop; }"
SCROLLED: Final = "main => main.scrollTop"
# Before the browser has told that what the key closed is closed.
PRESS_IN_ONE_GO: Final = """keys => keys.forEach((key) => {
    const at = document.querySelector("dialog[open]") ?? document.body;
    at.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
})"""


def test_help_opens_by_its_button_and_its_key_but_not_in_a_field_and_leads_to_a_page(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, "/")
    dialog = page.get_by_role("dialog", name="Help")
    button = page.get_by_role("button", name="Help", exact=True)

    button.click()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    assert dialog.evaluate(FITS)
    assert violations_in_both_themes(page, {"include": ["[role=dialog]"]}) == []
    page.keyboard.press("p")  # means nothing while it is open
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()

    before = page.locator(".stMain").evaluate(SCROLL)
    assert before > 0
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    page.keyboard.press("?")
    expect(dialog).to_have_count(0)
    assert page.locator(".stMain").evaluate(SCROLLED) == before
    page.evaluate(PRESS_IN_ONE_GO, ["?", "?", "?"])  # it opens right after it closed
    expect(dialog).to_be_visible()
    page.evaluate(PRESS_IN_ONE_GO, ["?"])
    expect(dialog).to_have_count(0)
    box = page.get_by_label("Tokens", exact=True).first
    box.fill("who looks at whom")
    box.press("?")
    expect(box).to_have_value("who looks at whom?")
    expect(dialog).to_have_count(0)
    box.blur()

    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("?")
    expect(dialog).to_be_visible()
    assert dialog.evaluate(HAS_ROOM)
    dialog.get_by_role("button", name="Exercise").click()
    expect(page.get_by_text("Choose another exercise")).to_be_visible()
    expect(dialog).to_have_count(0)
