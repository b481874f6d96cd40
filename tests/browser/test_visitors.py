"""Visitors share the files that were fetched, and pages, and nothing that a visitor left.

Takes long: pages that have served are compared with new ones, which are opened for that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests import visitors as visited
from tests.browser.reading import open_page, wait_for_first_run
from tests.serving import AppServer
from tests.visitors import PATIENCE, Visitors, come, forget, visitors_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page


LEAVE = "localStorage.setItem('left', 'yes'); document.cookie = 'left=yes; max-age=99'"
LEFT = "[localStorage.getItem('left'), document.cookie.includes('left')]"
LOOK = """[innerWidth, innerHeight, ...["color-scheme: dark", "reduced-motion: reduce"]
  .map((look) => matchMedia(`(prefers-${look})`).matches)]"""
SCRIPT_CAME = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith("/plot.js"))
  .map(({ transferSize }) => transferSize > 0 ? "by network" : "from cache")"""

USUAL: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 720}}
# Where nothing fades, and no letters stand between two pixels.
BELOW_THE_BUTTONS: Final[FloatRect] = {"x": 310, "y": 90, "width": 970, "height": 630}
# All that can be read or heard, and where the window stands. A receipt names its visit.
SHOWN = """() => [
  document.title, document.activeElement.tagName, history.state, sessionStorage.length,
  [...document.querySelectorAll("main, section, div")].filter((part) => part.scrollTop).length,
  [...document.querySelectorAll("input:not([aria-label=Receipt]), textarea")]
    .map(({ value, checked }) => [value, checked]),
  document.querySelector("[data-testid=stMain]").innerText.split(/\\s+/),
]"""


@pytest.fixture
def first_visitors(browser: Browser) -> Iterator[Visitors]:
    """Nothing has been fetched for them, and no page has served."""
    with visitors_with(browser) as visitors:
        yield visitors


@pytest.fixture(scope="module")
def visitors(browser: Browser) -> Iterator[Visitors]:
    with visitors_with(browser) as visitors:
        yield visitors


def test_the_next_visitor_finds_files_and_nothing_else_in_a_page_that_is_used_or_new(
    first_visitors: Visitors, app_server: AppServer
) -> None:
    """After a visitor who left as much as one can."""
    used = first_visitors(base_url=app_server.url, **USUAL)
    live_wildly(used)
    came = used.evaluate(SCRIPT_CAME)
    assert used.evaluate(LEFT) == ["yes", True]
    new = first_visitors(base_url=app_server.url, **USUAL)
    first_visitors.leave(used, app_server)
    assert first_visitors(base_url=app_server.url, **USUAL) is used
    assert used.evaluate(LEFT) == [None, False]
    open_page(used, "/?example=pizza")
    new.goto("/?example=pizza")
    wait_for_first_run(new)
    assert new.evaluate(LEFT) == [None, False]
    assert [*came, *new.evaluate(SCRIPT_CAME)] == ["by network", "from cache"]
    for page in (used, new):
        page.mouse.move(900, 2)
    give_up = time.monotonic() + PATIENCE
    assert used.evaluate(SHOWN) == new.evaluate(SHOWN)
    while used.screenshot(clip=BELOW_THE_BUTTONS) != new.screenshot(clip=BELOW_THE_BUTTONS):
        assert time.monotonic() < give_up, "They look different."


def live_wildly(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    open_page(page, "/?example=pizza&cell=weights/0:2.1&open=into")
    tokens = page.get_by_label("Tokens", exact=True)
    tokens.fill("LEFT BY SOMEBODY ELSE")
    tokens.press("Enter")
    expect(page.locator(".strip")).to_contain_text("2×4×4")
    page.get_by_label("Number of tokens", exact=True).fill("no number")
    page.evaluate(LEAVE)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 900)")
    page.get_by_test_id("stSidebar").hover()
    page.get_by_test_id("stSidebarCollapseButton").click()
    page.get_by_role("button", name="Share").click()
    page.get_by_label("Title of the page").wait_for()


LEAVINGS = (
    "window.left = 1",
    "document.documentElement.className = 'left'",
    "window.setTimeout = () => {}",
    "WebSocket.prototype.close = () => {}",
    "Object.defineProperty(navigator, 'clipboard', { value: null })",
)


@pytest.mark.parametrize("leaving", LEAVINGS)
def test_what_is_left_in_a_page_is_seen(visitors: Visitors, leaving: str) -> None:
    page = visitors()
    as_new = page.evaluate(visited.LEFT)
    assert page.evaluate(visited.LEFT) == as_new
    page.evaluate(leaving)
    assert page.evaluate(visited.LEFT) != as_new


def test_a_page_in_which_something_is_left_or_that_loads_something_else_serves_nobody_else(
    open_visitor: Visitors, app_server: AppServer
) -> None:
    pages = [open_visitor(base_url=app_server.url, **USUAL) for _ in range(2)]
    for page in pages:
        come(page, app_server.url)
    pages[1].evaluate(LEAVINGS[0])
    for page in pages:
        open_visitor.leave(page, app_server)
    assert [page.is_closed() for page in pages] == [False, True]

    page = pages[0]
    assert open_visitor(base_url=app_server.url, **USUAL) is page
    page.add_init_script("window.added = true")
    open_page(page)
    assert page.evaluate("window.added")
    open_visitor.leave(page, app_server)
    assert page.is_closed()


def with_a_note(page: Page) -> None:
    page.add_init_script("window.noted = true")


def test_a_page_that_was_prepared_serves_who_asks_for_just_that(
    open_visitor: Visitors, app_server: AppServer
) -> None:
    noted = open_visitor(prepared=with_a_note, base_url=app_server.url, **USUAL)
    come(noted, app_server.url)
    open_visitor.leave(noted, app_server)
    plain = open_visitor(base_url=app_server.url, **USUAL)
    plain.goto("about:blank")
    assert plain.evaluate("window.noted") is None
    plain.close()
    assert open_visitor(prepared=with_a_note, base_url=app_server.url, **USUAL) is noted
    assert noted.evaluate("window.noted")
    forget(noted, app_server.url)


def test_a_page_serves_so_many_and_no_more(browser: Browser, app_server: AppServer) -> None:
    with visitors_with(browser, most=1) as visitors:
        page = visitors(base_url=app_server.url, **USUAL)
        come(page, app_server.url)
        visitors.leave(page, app_server)
        assert page.is_closed()


def test_visitors_with_other_options_have_nothing_in_common(visitors: Visitors) -> None:
    plain, other, touching = visitors(), visitors(), visitors(has_touch=True)
    assert plain.context is other.context
    assert plain.context is not touching.context


def test_a_window_and_its_look_are_a_visitors_own(visitors: Visitors) -> None:
    plain = visitors(viewport={"width": 1280, "height": 720})
    dark = visitors(viewport={"width": 390, "height": 844}, color_scheme="dark")
    moving = visitors(reduced_motion="no-preference")
    assert plain.context is dark.context is moving.context
    assert [page.evaluate(LOOK) for page in (plain, dark)] == [
        [1280, 720, False, True],
        [390, 844, True, True],
    ]
    assert moving.evaluate(LOOK)[2:] == [False, False]
