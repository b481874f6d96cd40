"""Every page finds its server at once, and nothing that it asks for is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.reading import wait_for_the_end_of_the_run

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_it_asks_and_connects_beside_the_page(page: Page, app_url: str) -> None:
    missing: list[str] = []
    lines: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if not answer.ok else None)
    page.on("websocket", lambda line: lines.append(line.url))
    page.goto("/walkthrough?example=pizza")  # below the first page, where Streamlit asks as well
    wait_for_the_end_of_the_run(page)
    assert missing == []
    assert set(lines) == {f"{app_url.replace('http', 'ws', 1)}/_stcore/stream"}
