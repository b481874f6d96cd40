"""What people come to do, from the first click to the numbers they read, in a real browser.

Takes long: a journey is many entries, and each is a run of the whole page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.hands import open_the_menu, place_of, place_of_cell
from tests.browser.reading import (
    exact_numbers,
    heads_to_look_at,
    number_of_heads,
    open_page,
    plot_named,
    wait_for_first_run,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

# The weights that document 002 prints of its first head, under the causal mask.
PRINTED = [[1.0, 0, 0, 0], [0.6, 0.4, 0, 0], [0.2, 0.4, 0.4, 0], [0.4, 0.2, 0.3, 0.1]]


def heads(page: Page) -> Locator:
    return plot_named(page, "Scores")


def tab_to(page: Page, name: str, most: int = 40) -> None:
    """Go on by keyboard until the focus is on something with this name."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(NAME_OF_FOCUS) == name:
            return
    pytest.fail(f"{name} is not reached by {most} presses of Tab")


NAME_OF_FOCUS = """() => {
  const focused = document.activeElement;
  const group = focused.closest("[role=radiogroup], [role=group]");
  const label = focused.getAttribute("aria-label") ?? group?.getAttribute("aria-label");
  return label ?? focused.innerText.split("\\n")[0];
}"""


def test_an_example_is_picked_its_heads_are_changed_by_keyboard_and_a_wrong_number_is_kept(
    page: Page,
) -> None:
    open_page(page)
    open_the_menu(page)
    page.get_by_role("button", name="Pizza, a language model Four words").click()
    expect(page.get_by_role("heading", name="Pizza, a language model")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".claims .yes")).to_have_count(5)
    weights = exact_numbers(heads(page), "weights/0")
    hidden = np.triu(np.ones((4, 4), bool), 1)
    np.testing.assert_array_equal(np.isnan(weights), hidden)
    np.testing.assert_allclose(np.where(hidden, 0, weights), PRINTED, atol=0.05)
    expect(page).to_have_url(re.compile(r"/\?example=pizza$"))

    tab_to(page, "Number of heads")
    page.keyboard.press("ArrowRight")
    expect(number_of_heads(page, 4)).to_be_checked()
    expect(page.get_by_text("4 heads of width 2 (")).to_be_visible()
    expect(heads_to_look_at(page)).to_have_count(4)
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    expect(heads_to_look_at(page)).to_have_count(2)

    count = page.get_by_label("Number of tokens", exact=True)
    for wrong, why in {"9999": "got 9999", "2.5": "got 2.5"}.items():
        count.fill(wrong)
        count.press("Tab")
        expect(page.get_by_role("alert")).to_contain_text(why)
        expect(count).to_have_value(wrong)
    page.keyboard.press("Shift+Tab")
    count.fill("")
    count.press("Tab")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(count).to_have_value("4")
    count.fill("5")
    count.press("Enter")
    expect(page.locator(".strip")).to_contain_text("2×5×5")


def test_back_and_forward_lead_through_what_was_shown(page: Page) -> None:
    open_page(page, "/?example=pizza")
    number_of_heads(page, 4).click()
    expect(page).to_have_url(re.compile("heads=4$"))
    page.get_by_role("radio", name="Head 3", exact=True).click()
    expect(page).to_have_url(re.compile("head=3$"))
    heads = heads_to_look_at(page)
    for go, heads_shown, picked in (
        (page.go_back, 4, None),
        (page.go_back, 2, None),
        (page.go_forward, 4, None),
        (page.go_forward, 4, "Head 3"),
    ):
        go()
        expect(heads).to_have_count(heads_shown)
        expect(plot_named(page, "Head ")).to_have_count(1 if picked else 0)
    page.go_back()
    expect(plot_named(page, "Head ")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(heads).to_have_count(2)
    page.go_back()  # undoing was a step of the browser's, too
    expect(heads).to_have_count(4)


def test_a_link_shows_the_same_page_elsewhere_to_the_last_digit(new_page: NewPage) -> None:
    page = new_page()
    open_page(page, "/?example=pizza&x=random&x_seed=3&weights=random&weights_seed=7&decimals=3")
    scale = page.get_by_label("Scale", exact=True)
    scale.fill("1/3")
    scale.press("Enter")
    expect(page.get_by_role("slider", name="Scale, slider")).to_have_attribute(
        "aria-valuetext", "0.3333"
    )
    page.get_by_role("radio", name="Head 1", exact=True).click()
    one_head = plot_named(page, "Head 1:")
    one_head.wait_for()
    expect(page).to_have_url(re.compile("scale=.*head=1"))
    elsewhere = new_page()
    elsewhere.goto(page.url)  # which loads all, as a stranger does
    wait_for_first_run(elsewhere)
    for name, matrix in {
        "Scores": "weights/1",
        "Concatenation": "output",
        "Head 1:": "q_rotated/0",
    }.items():
        seen = [exact_numbers(plot_named(which, name), matrix) for which in (page, elsewhere)]
        np.testing.assert_array_equal(*seen)
    expect(elsewhere.get_by_label("Scale", exact=True)).to_have_value("0.3333333333333333")
    expect(elsewhere).to_have_url(page.url)


def test_a_hostile_token_is_a_word_like_any_other(page: Page) -> None:
    open_page(page, "/?example=pizza")
    hostile = "<img/src=x/onerror=hacked=1> **b** $x$ :red[x]"
    tokens = page.get_by_label("Tokens", exact=True)
    tokens.fill(hostile)
    tokens.press("Enter")
    expect(page).to_have_url(re.compile("onerror"))
    page.get_by_role("button", name="More of Mask").click()
    page.get_by_role("dialog").get_by_text("Padding", exact=True).click()
    expect(page.get_by_role("button", name="Padding")).to_be_visible()
    page.keyboard.press("Escape")
    words = page.get_by_test_id("stMainBlockContainer")
    note = words.get_by_text("may attend to nothing")
    page.get_by_role("button", name="<img/src=x/on…", exact=True).click()
    expect(note).to_contain_text("Query “<img/src=x/onerror=hacked=1>” may attend")
    page.get_by_role("button", name="**b**", exact=True).click()
    expect(note).to_contain_text("Queries “<img/src=x/onerror=hacked=1>” and “**b**” may attend")
    exact_numbers(heads(page), "weights/1")
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("img[src=x]").count() == 0


def test_a_phone_shows_it_all_without_sideways_scrolling(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, "/?example=long")
    expect(page.get_by_label("Number of tokens", exact=True)).not_to_be_in_viewport()
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_label("Number of tokens", exact=True)).to_be_in_viewport()
    place_of(page.get_by_test_id("stSidebar"))  # it slides in
    assert page.evaluate(SCROLLS_SIDEWAYS) == []


def test_a_tap_shows_the_exact_value_until_the_next_tap_elsewhere(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, "/?example=pizza")
    tip = heads(page).locator(".plot-tip")
    first = place_of_cell(heads(page), "masked_scores/0", 0, 0, columns=4)
    page.touchscreen.tap(first.x + first.width / 2, first.y + first.height / 2)
    expect(tip).to_contain_text("scores, head 1query Ikey I")
    page.get_by_role("heading", level=1).tap()
    expect(tip).to_be_hidden()


def test_on_a_tablet_no_word_is_cut_and_a_tap_on_a_page_takes_what_was_typed_along(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 1180, "height": 820}, has_touch=True, is_mobile=True)
    page.goto("/?example=the-cat")  # a page that waits for visitors is not served by us
    wait_for_first_run(page)
    assert page.evaluate(CUT_WORDS) == []
    page.get_by_label("Tokens", exact=True).fill("one two three")
    page.get_by_role("link", name="Walkthrough", exact=True).tap()
    expect(page).to_have_url(re.compile("/walkthrough.*tokens=one[+]two[+]three"))
    page.get_by_role("link", name="Explore", exact=True).tap()
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("one two three")


CUT_WORDS = """() => [...document.querySelectorAll(".stMain button p")]
  .filter(({ parentElement: { scrollWidth, clientWidth } }) => scrollWidth > clientWidth)
  .map((words) => words.textContent)"""


# The page, what Streamlit scrolls, and the sidebar. A plot may scroll inside its own frame.
SCROLLS_SIDEWAYS = """() => [
  document.scrollingElement, ...document.querySelectorAll(".stMain, .stSidebar, .stSidebar *")
].filter(place => place.scrollWidth > Math.min(innerWidth, place.clientWidth + 1)
  && getComputedStyle(place).overflowX !== "visible" && place.clientWidth > 100
  && place.tagName !== "INPUT")
 .map(place => `${place.className}: ${place.scrollWidth} in ${place.clientWidth}`)"""


def test_a_course_site_gets_a_clean_page_with_what_its_teacher_left(page: Page) -> None:
    open_page(page, "/?example=pizza&hide=example,input,weights&embed=true")
    four = number_of_heads(page, 4)
    expect(four).not_to_be_in_viewport()  # the picture comes first
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(four).to_be_in_viewport()
    expect(page.get_by_label("Tokens", exact=True)).to_have_count(0)
    number_of_heads(page, 4).click()
    expect(heads_to_look_at(page)).to_have_count(4)
    expect(page).to_have_url(re.compile("embed=true.*heads=4|heads=4.*embed=true"))
