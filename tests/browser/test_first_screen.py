"""The first screen: the whole computation of a sentence, and the ways from there.

Takes long: what a first visitor sees is looked at in pages that are opened for it, in many sizes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.hands import place_of, place_of_cell
from tests.browser.reading import open_page, plot_named, wait_for_first_run, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

IS_WIDE = """() => {
  const width = (selector) => document.querySelector(selector).getBoundingClientRect().width;
  const stage = ".plot[aria-label^='Scores and weights'] .plot-stage";
  return width(stage) > width(".stMainBlockContainer") * 2 / 3;
}"""


def test_the_computation_and_sentences_that_may_be_closed_for_good_are_in_sight_and_keys_scroll(
    page: Page,
) -> None:
    open_page(page, "/")
    heads = plot_named(page, "Scores and weights")
    words = page.locator(".closable")
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, IS_WIDE)
        stage = place_of(heads.locator(".plot-stage"))
        assert stage.y + stage.height <= height
        wait_until(page, IS_BESIDE)
        for part in (*words.locator("li").all(), words.get_by_role("button")):
            expect(part).to_be_in_viewport(ratio=1)
        assert page.evaluate(COVERED) == []
    expect(page.get_by_role("textbox", name="Tokens")).to_have_value("the cat sees the other cat")
    expect(page.get_by_text("a row adds up to 1")).to_be_visible()
    cell = place_of_cell(heads, "weights/0", 1, 0, columns=6)
    page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2)
    expect(heads.locator(".plot-tip-title")).to_have_text(
        "Head 1: “cat (2)” looks at “the (1)” with 0.86"
    )
    main, below = page.locator(".stMain"), page.locator(".st-key-way")
    main.evaluate("main => main.scrollTo({ top: 0, behavior: 'instant' })")
    before = below.evaluate(TOP)
    main.evaluate("main => main.scrollTo({ top: 150, behavior: 'instant' })")
    wait_until(page, IS_BESIDE)  # they go along with the picture
    words.get_by_role("button", name="Close these sentences").click()
    expect(words).to_be_hidden()
    assert below.evaluate(TOP) == before - 150  # nothing moves
    page.reload()
    wait_for_first_run(page)
    expect(words).to_be_attached()
    expect(words).to_be_hidden()

    # A page that waits for a visitor may lack the script in the HTML; this one was loaded.
    for link in ("Exercise", "Explore"):  # on a page without pictures, too
        page.get_by_test_id("stTopNavLink").filter(has_text=link).click()
        expect(page.get_by_role("heading", level=1)).not_to_have_text("")
        expect(main).to_have_attribute("tabindex", "-1")  # no stop of the Tab key
        expect(page.get_by_role("link", name="Skip to the numbers")).to_have_count(
            0 if link == "Exercise" else 1
        )
    page.get_by_role("link", name="Skip to main content").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("PageDown")
    expect(page.locator("h1")).not_to_be_in_viewport()


# Within the free place, which is in the picture.
IS_BESIDE = """() => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect();
  const [words, free] = [box(".closable.is-beside"), box(".plot-free")];
  return Boolean(words && free) && words.left >= free.left && words.right <= free.right
    && words.top >= free.top && words.bottom <= free.bottom + 0.5;
}"""
# The words of the picture that they lie on.
COVERED = """() => {
  const words = document.querySelector(".closable").getBoundingClientRect();
  const meets = ({ left, right, top, bottom }) =>
    left < words.right && right > words.left && top < words.bottom && bottom > words.top;
  return [...document.querySelectorAll(".st-key-heads .plot-stage :is(text, [data-matrix])")]
    .filter((part) => meets(part.getBoundingClientRect())).map((part) => part.textContent);
}"""
TOP = "element => element.getBoundingClientRect().top"


@pytest.mark.parametrize(
    ("width", "address"),
    [
        (390, "/"),
        (1280, "/?example=translation"),
        (1280, "/?example=pizza&heads=8"),
        (1280, "/?example=the-cat&rows=weights"),
    ],
    ids=["a phone", "a second sequence", "many heads", "one row"],
)
def test_else_they_stand_below_the_picture(page: Page, width: int, address: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    open_page(page, address)
    words = page.locator(".closable")
    expect(words.locator("li")).to_have_count(3)
    expect(words).not_to_have_class("closable is-beside")
    expect(words).to_be_visible()
    assert words.evaluate("words => getComputedStyle(words).position") == "static"
    above = page.locator(".st-key-fold-heads")
    assert words.evaluate(TOP) >= above.evaluate("box => box.getBoundingClientRect().bottom")


def test_they_come_back_below_when_the_picture_folds_and_on_paper_and_are_not_presented(
    page: Page,
) -> None:
    open_page(page, "/")
    wait_until(page, IS_BESIDE)
    page.emulate_media(media="print")
    words = page.locator(".closable")
    assert words.evaluate("words => getComputedStyle(words).position") == "static"
    expect(words).to_be_visible()
    page.emulate_media(media="screen")
    wait_until(page, IS_BESIDE)
    page.locator(".st-key-fold-heads summary").click()
    expect(words).to_have_class("closable")
    expect(words).to_be_visible()
    above = page.locator(".st-key-fold-heads")
    assert words.evaluate(TOP) >= above.evaluate("box => box.getBoundingClientRect().bottom")
    page.locator(".st-key-fold-heads summary").click()
    wait_until(page, IS_BESIDE)
    page.keyboard.press("p")
    expect(page.locator(".present")).to_be_visible()
    expect(page.locator(".closable:visible")).to_have_count(0)


def test_three_keys_lead_to_the_numbers_that_can_be_edited(page: Page) -> None:
    open_page(page, "/?example=pizza")
    for key in ("Tab", "Tab"):
        page.keyboard.press(key)
    expect(page.get_by_role("link", name="Skip to the numbers")).to_be_focused()
    page.keyboard.press("Enter")
    heads = plot_named(page, "Scores and weights")
    expect(heads.locator(".plot-stage")).to_be_focused()
    cursor = heads.locator(".plot-unseen")
    expect(cursor).to_have_text("Input, token I, d_model 1: 1.00, can be edited")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"x\.cells=0_0_7"))
