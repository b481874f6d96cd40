"""What the browser tests must never let pass, planted and caught."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.watching import watch

APP = "http://localhost:8501"


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def watched(browser: Browser, complaints: list[str]) -> Iterator[Page]:
    page = browser.new_page()
    watch(page, APP, complaints)
    yield page
    page.close()


@pytest.mark.parametrize(
    "address",
    ["http://outside.example/a.png", "https://fonts.example/a.css", "ws://outside.example/"],
)
def test_an_address_outside_is_noted(watched: Page, complaints: list[str], address: str) -> None:
    is_socket = address.startswith("ws")
    asking = "new WebSocket(url)" if is_socket else "new Image().src = url"
    with watched.expect_event("websocket" if is_socket else "request"):
        watched.evaluate(f"url => {{ {asking} }}", address)
    assert f"the page asked for {address}" in complaints


def test_nothing_outside_answers(watched: Page) -> None:
    answer = "fetch('http://outside.example/').then(() => 'answered', () => 'nothing')"
    assert watched.evaluate(answer) == "nothing"


def test_an_error_on_the_console_is_noted(watched: Page, complaints: list[str]) -> None:
    watched.evaluate("console.error('planted')")
    assert complaints == ["the browser's console says: planted"]


def test_a_failing_script_is_noted(watched: Page, complaints: list[str]) -> None:
    with watched.expect_event("pageerror"):
        watched.evaluate("setTimeout(() => { throw new Error('planted') })")
    assert complaints == ["a script failed: planted"]


def test_the_apps_own_address_and_a_warning_are_no_complaints(
    watched: Page, complaints: list[str]
) -> None:
    watched.route(f"{APP}/**", lambda route: route.fulfill(body="<p>the app</p>"))
    watched.goto(f"{APP}/")
    with watched.expect_event("console"):
        watched.evaluate("console.warn('fine')")
    assert complaints == []
