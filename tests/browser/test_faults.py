"""A bad file: what a visitor sees, and what another one is spared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from tests.browser.reading import open_page

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage

BROKEN = b"PK\x03\x04" + bytes(1000)


def take_tokens(page: Page, words: str) -> None:
    field = page.get_by_label("Number of tokens", exact=True)
    field.fill(str(len(words.split())))
    field.press("Enter")
    expect(page.get_by_label("Tokens", exact=True)).to_have_value(words)
    expect(page).to_have_url(re.compile(f"tokens={words.replace(' ', '[+]')}$"))


def test_a_bad_file_is_refused_in_words_while_another_works(new_page: NewPage) -> None:
    bad, other = new_page(), new_page()
    for page in (bad, other):
        open_page(page, "/?example=pizza")
    bad.get_by_role("button", name="Open", exact=True).click()
    half: Any = {"name": "half.npz", "mimeType": "application/octet-stream", "buffer": BROKEN}
    bad.locator('input[type="file"]').set_input_files(half)
    take_tokens(other, "I LOVE")
    said = bad.get_by_test_id("stAlert").filter(has_text="must be a whole NumPy archive")
    expect(said).to_be_visible()
    expect(bad).to_have_url(re.compile(r"example=pizza$"))
