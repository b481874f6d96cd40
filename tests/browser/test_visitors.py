"""Visitors share the files that were fetched, and nothing that a visitor left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.visitors import forget, visitors_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.serving import AppServer

LEAVE = "localStorage.setItem('left', 'yes'); document.cookie = 'left=yes; max-age=99'"
LEFT = "[localStorage.getItem('left'), document.cookie.includes('left')]"
SCRIPT_CAME = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith("/plot.js"))
  .map(({ transferSize }) => transferSize > 0 ? "by network" : "from cache")"""


def test_the_next_visitor_finds_files_and_nothing_else(
    browser: Browser, app_server: AppServer
) -> None:
    with visitors_with(browser) as opened:
        came = []
        for _ in range(2):
            page = opened(viewport={"width": 900, "height": 700})
            page.goto(app_server.url)
            page.locator(".plot[data-painted]").first.wait_for()
            assert page.evaluate(LEFT) == [None, False]
            came += page.evaluate(SCRIPT_CAME)
            page.evaluate(LEAVE)
            assert page.evaluate(LEFT) == ["yes", True]
            forget(page, app_server.url)
        assert came == ["by network", "from cache"]


def test_visitors_with_other_options_have_nothing_in_common(browser: Browser) -> None:
    with visitors_with(browser) as opened:
        plain, other, dark = opened(), opened(), opened(color_scheme="dark")
        assert plain.context is other.context
        assert plain.context is not dark.context
