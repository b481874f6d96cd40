"""Something is seen before Streamlit's script has come, and the live page takes its place unseen.

Takes long: pages are opened as a newcomer opens them, with a cold browser, at four widths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.reading import wait_for_first_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page, Route

    from tests.conftest import NewPage

STREAMLIT = "**/static/js/index.*.js"
NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  window.shifts.push(...list.getEntries().map(({ value }) => value));
}).observe({ type: "layout-shift", buffered: true });
"""
# Of the title, the sentence, what a row is, and the picture: left, top and width.
PLACES = """(selectors) => selectors.flatMap((selector) => {
  const { left, top, width } = document.querySelector(selector).getBoundingClientRect();
  return [left, top, width];
})"""
SEEN = [
    "#first-sight .title",
    "#first-sight .sentence",
    "#first-sight .a-row",
    "#first-sight svg.ink",
]
LIVE = [".stMain h1", ".st-key-sentence-form input", ".stMain .a-row", ".st-key-heads .plot-stage"]


@pytest.fixture
def held(new_page: NewPage) -> Callable[..., tuple[Page, list[Route]]]:
    """A page whose script of Streamlit waits until somebody lets it go."""

    def held_page(**options: Any) -> tuple[Page, list[Route]]:
        page = new_page(**options)
        waiting: list[Route] = []
        page.add_init_script(NOTE_SHIFTS)
        page.route(STREAMLIT, lambda route: waiting.append(route))
        return page, waiting

    return held_page


# Where there is room for the first sentences, they may have been closed, and are not seen at first.
@pytest.mark.parametrize(
    ("width", "height", "has_words", "were_closed"),
    [
        (1280, 720, True, False),
        (1920, 1080, False, True),
        (820, 1180, False, False),
        (390, 844, False, False),
    ],
)
def test_the_live_page_takes_its_place_without_a_jump(
    held: Callable[..., tuple[Page, list[Route]]],
    width: int,
    height: int,
    has_words: bool,
    were_closed: bool,
) -> None:
    page, waiting = held(viewport={"width": width, "height": height})
    if were_closed:
        page.add_init_script("localStorage.setItem('closed: first words', '1')")
    page.goto("/", wait_until="commit")
    sight = page.locator("#first-sight")
    expect(sight.locator("svg.ink")).to_contain_text("Head 4")
    expect(sight).to_have_attribute("aria-hidden", "true")
    page.evaluate("document.fonts.ready")
    with_words = ["#first-sight .words", ".closable.is-beside"] if has_words else []
    seen = page.evaluate(PLACES, SEEN + with_words[:1])
    assert page.locator("#first-sight .words").is_visible() is has_words
    for route in waiting:
        route.continue_()
    wait_for_first_run(page)
    expect(sight).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert page.evaluate(PLACES, LIVE + with_words[1:]) == pytest.approx(seen, abs=1)
    assert page.evaluate("getComputedStyle(document.querySelector('#root')).opacity") == "1"
    assert sum(page.evaluate("window.shifts")) < 0.02
    assert page.locator(".closable").is_hidden() is were_closed
    page.evaluate("localStorage.clear()")


def test_without_javascript_it_stays_and_says_so(browser: Browser, app_url: str) -> None:
    with browser.new_context(base_url=app_url, java_script_enabled=False) as visitor:
        page = visitor.new_page()
        page.goto("/?example=pizza")
        sentence = page.locator("#first-sight noscript p")  # get_by_text does not look in there
        expect(sentence).to_be_visible()
        assert "needs JavaScript" in (sentence.text_content() or "")
        expect(page.locator("#first-sight img")).to_be_visible()
        expect(page.locator("#first-sight .title")).to_be_visible()


def test_a_refused_address_shows_the_live_page_too(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/?heads=3")
    wait_for_first_run(page)
    expect(page.locator("#first-sight")).to_have_count(0)
    expect(page.get_by_role("alert").first).to_be_visible()
