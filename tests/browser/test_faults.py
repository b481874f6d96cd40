"""A bad file and a killed server: what a visitor sees, and what is kept.

Takes long: pages are opened two by two, and a server is killed under one.
"""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.reading import open_page
from tests.serving import free_port, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.conftest import NewPage

BAD_FILES = {
    "empty.json": (b"", "must be text, got nothing"),
    "half.json": (b'{"n_heads": 2, "x": [[1', "The file must be JSON"),
    "half.npz": (b"PK\x03\x04" + bytes(1000), "must be a whole NumPy archive, got a broken one"),
}


def take_tokens(page: Page, words: str) -> None:
    field = page.get_by_label("Number of tokens", exact=True)
    field.fill(str(len(words.split())))
    field.press("Enter")
    expect(page.get_by_label("Tokens", exact=True)).to_have_value(words)
    expect(page).to_have_url(re.compile(f"tokens={words.replace(' ', '[+]')}$"))


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_in_words_while_another_works(new_page: NewPage, name: str) -> None:
    bad, other = new_page(), new_page()
    for page in (bad, other):
        open_page(page, "/?example=pizza")
    bad.get_by_role("button", name="Open", exact=True).click()
    upload = bad.locator('input[type="file"]')
    data, said = BAD_FILES[name]
    upload.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": data})
    take_tokens(other, "I LOVE PEPPERONI")
    expect(bad.get_by_test_id("stAlert").filter(has_text=said)).to_be_visible()
    expect(bad).to_have_url(re.compile(r"example=pizza$"))


def test_a_killed_server_that_is_started_again_shows_what_the_address_says(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page = context.new_page()
    with served("app.py", tmp_path / "first", port=port) as server:
        open_page(page, f"{server.url}/?example=pizza")
        take_tokens(page, "I LOVE PEPPERONI")
        os.kill(server.pid, signal.SIGKILL)
    lost = page.get_by_role("dialog").filter(has_text="Connection error")
    expect(lost).to_be_visible()
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("I LOVE PEPPERONI")
    with served("app.py", tmp_path / "second", port=port) as server:
        page.reload()
        expect(page.get_by_label("Tokens", exact=True)).to_have_value("I LOVE PEPPERONI")
        take_tokens(page, "I LOVE")
        assert "Traceback" not in server.log()
    context.close()
