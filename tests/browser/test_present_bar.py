"""The bar of a presented page, its keys, touch, and the link as a QR code.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import segno
from playwright.sync_api import expect

from tests.browser.hands import place_of
from tests.browser.presenting import (
    IS_FITTED,
    PIZZA,
    bar,
    headings,
    present,
    presentation,
    show_bar,
    title,
)
from tests.browser.reading import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage


def test_the_bar_comes_with_the_pointer_and_goes_when_it_rests_and_keys_are_told_on_top(
    page: Page,
) -> None:
    present(page)
    expect(bar(page)).to_be_hidden()
    page.mouse.move(200, 300)
    page.mouse.move(220, 320)
    expect(bar(page)).to_be_visible()
    expect(bar(page)).to_be_hidden()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_focused()
    expect(keys.get_by_role("row")).to_have_count(15)
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(presentation(page)).to_be_focused()


def test_bar_and_words_cover_no_cell(page: Page) -> None:
    present(page, f"{PIZZA}&part=weights")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 720})
        wait_until(page, f"width => innerWidth === width && ({IS_FITTED})()", width)
        windows = page.locator(".present .plot-stage > svg > svg").all()
        top = min(place_of(each).y for each in windows)
        show_bar(page)
        page.keyboard.press("m")
        words = page.locator(".present-words.is-shown")
        for each in (words, bar(page)):
            box: Any = each.bounding_box()
            assert box["y"] + box["height"] <= top


def test_every_key_has_a_button(page: Page) -> None:
    present(page, f"{PIZZA}&part=raw_scores&tour=000")
    show_bar(page)
    named = [each.get_attribute("aria-label") for each in bar(page).get_by_role("button").all()]
    assert named == [  # all heads are in sight: there are no others to step to
        *("The part before", "Next part", "More heads at once", "Fewer, larger heads"),
        *("Next mask", "Spotlight", "Sliders of scale and temperature"),
        *("The stop before", "Next stop", "The link as a QR code", "Full screen"),
        *("Keys", "Leave"),
    ]
    bar(page).get_by_role("button", name="Next part").click()
    expect(title(page)).to_have_text("Scaled scores")
    bar(page).get_by_label("Part", exact=True).select_option("weights")
    expect(title(page)).to_have_text("Weights")
    show_bar(page)
    bar(page).get_by_label("Head", exact=True).select_option("1")
    expect(headings(page)).to_have_text(["Head 2"])
    show_bar(page)
    bar(page).get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Present")).to_be_focused()


def test_a_finger_swipes_on_and_back_and_taps_for_the_bar(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    present(page)
    swipe(page, 300, 100)
    expect(title(page)).to_have_text("W_Q makes a query of each row")
    swipe(page, 100, 300)
    expect(title(page)).to_have_text("Into the heads")
    page.touchscreen.tap(20, 820)
    expect(bar(page)).to_be_visible()


def swipe(page: Page, start: int, end: int) -> None:
    touch = page.context.new_cdp_session(page)
    for kind, x in (("touchStart", start), ("touchMove", (start + end) / 2), ("touchMove", end)):
        points = [{"x": x, "y": 60}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def modules_shown(page: Page) -> list[list[int]]:
    """The dark and light modules of the code that is drawn, read off its path."""
    code = page.locator(".present-code")
    side = int((code.get_attribute("viewBox") or "").split()[2]) - 8
    modules = [[0] * side for _ in range(side)]
    path = code.locator("path").get_attribute("d") or ""
    for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1", path):
        for column in range(int(x), int(x) + int(length)):
            modules[int(y) - 4][column - 4] = 1
    return modules


def test_q_shows_the_link_of_what_is_on_screen_as_a_code(page: Page) -> None:
    present(page, f"{PIZZA}&part=weights&decimals=3")
    page.keyboard.press("q")
    page.locator(".present-code").wait_for()
    shown = urlsplit(page.url)
    link = f"{shown.scheme}://{shown.netloc}?example=pizza&decimals=3"
    assert modules_shown(page) == [list(row) for row in segno.make_qr(link, error="l").matrix]
    expect(page.locator(".present-host")).to_have_text(shown.netloc)
    box = page.locator(".present-code").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) > 360  # of 720
    page.keyboard.press("q")
    expect(page.locator(".present-code")).to_have_count(0)
    expect(presentation(page)).to_be_focused()


def test_a_link_that_is_too_long_for_a_code_says_so_with_a_way_out(page: Page) -> None:
    long = "+".join(f"incomprehensibility{i}" for i in range(128))
    long += "&title=" + "x" * 80
    present(page, f"/?tokens={long}&d_model=4&heads=2&x=random&weights=random&present=1")
    page.keyboard.press("q")
    over = page.get_by_role("dialog", name="The link to what is on screen")
    expect(over).to_contain_text("and a QR code holds 2,953. Send the link")
    expect(page.locator(".present-code")).to_have_count(0)
