"""Visitors share the files that were fetched, and nothing that a visitor left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.visitors import forget, visitors_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.serving import AppServer

LEAVE = "localStorage.setItem('left', 'yes'); document.cookie = 'left=yes; max-age=99'"
LEFT = "[localStorage.getItem('left'), document.cookie.includes('left')]"
LOOK = """[innerWidth, innerHeight, ...["color-scheme: dark", "reduced-motion: reduce"]
  .map((look) => matchMedia(`(prefers-${look})`).matches)]"""
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
        plain, other, touching = opened(), opened(), opened(has_touch=True)
        assert plain.context is other.context
        assert plain.context is not touching.context


def test_a_window_and_its_look_are_a_visitors_own(browser: Browser) -> None:
    with visitors_with(browser) as opened:
        plain = opened(viewport={"width": 1280, "height": 720})
        dark = opened(viewport={"width": 390, "height": 844}, color_scheme="dark")
        moving = opened(reduced_motion="no-preference")
        assert plain.context is dark.context is moving.context
        assert [page.evaluate(LOOK) for page in (plain, dark)] == [
            [1280, 720, False, True],
            [390, 844, True, True],
        ]
        assert moving.evaluate(LOOK)[2:] == [False, False]
