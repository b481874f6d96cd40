"""Two layers side by side, in a real browser: from page to page, by hand, and live.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.rules import with_rules
from mha_core.examples import load_example
from tests.browser.hands import place_of, place_of_matrix
from tests.browser.reading import (
    exact_numbers,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
    wait_until,
)
from ui.number_format import format_number

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

PIZZA = load_example("pizza")
SIDES = ("A, to compare", "B, to compare", "B minus A")
THE_SAME = "A and B are the same."
WINDOWS = ".plot-stage > svg > svg"  # a picture's matrices
TALL = {"width": 1280, "height": 1600}


def go(page: Page, to: str, title: str) -> None:
    """Back or Forward, until the page with this title is there, and its run has ended.

    While a page runs, Streamlit takes back a step to another one.
    """
    page.go_back() if to == "back" else page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    wait_for_the_end_of_the_run(page)


def explored(page: Page) -> None:
    expect(page).to_have_url(f"{origin(page)}/?example=pizza&scale=0.9")


def origin(page: Page) -> str:
    text: str = page.evaluate("location.origin")
    return text


def sides(page: Page) -> list[Locator]:
    return [plot_named(page, name) for name in SIDES]


def middle_of(plot: Locator, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell of the only matrix, which has four rows and eight columns."""
    x, y, width, height = place_of_matrix(plot, 0)
    return x + (column + 0.5) * width / 8, y + (row + 0.5) * height / 4


def test_from_the_explorer_to_the_comparison_and_back_each_page_keeps_its_state(page: Page) -> None:
    open_page(page, "/?example=pizza&scale=0.9")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("link", name="Keep this as A").click()
    kept = "a.example=pizza&a.scale=0.9&b.example=pizza&b.scale=none"
    expect(page).to_have_url(f"{origin(page)}/compare?{kept}")
    expect(page.get_by_text("Both agree through the raw scores.")).to_be_visible()
    page.get_by_role("button", name="Causal", exact=True).click()
    expect(page).to_have_url(f"{origin(page)}/compare?{kept}&b.mask=none")

    page.go_back()
    causal = page.get_by_role("button", name="Causal", exact=True)
    expect(causal).to_have_attribute("aria-pressed", "true")
    wait_for_the_end_of_the_run(page)  # as `go` says
    go(page, "back", "Pizza, a language model, changed")
    explored(page)
    go(page, "forward", "Compare")
    page.go_forward()
    expect(page).to_have_url(f"{origin(page)}/compare?{kept}&b.mask=none")
    wait_for_the_end_of_the_run(page)
    page.get_by_role("button", name="One head or four?").click()
    expect(page.get_by_text("The weights cannot be compared")).to_be_visible()
    page.get_by_role("link", name="Explore").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Pizza, a language model, changed")
    explored(page)
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("The weights cannot be compared")).to_be_visible()
    asked = "a.example=permutation&a.heads=1&a.step=output&b.example=permutation&b.heads=4"
    expect(page).to_have_url(f"{origin(page)}/compare?{asked}")


def test_while_a_number_of_b_is_dragged_the_difference_follows(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, "/compare?a.example=pizza&b.example=pizza&a.step=x")
    in_a, in_b, difference = sides(page)
    for plot in (in_a, in_b, difference):
        exact_numbers(plot, "x")
    x, y = middle_of(in_b, 1, 2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=10)
    moved = PIZZA.x.copy()
    moved[1, 2] = 0.4
    wait_for_numbers(in_b, "x", moved)
    wait_for_numbers(difference, "x", moved)
    wait_for_numbers(in_a, "x", PIZZA.x)
    page.mouse.up()
    expect(page.get_by_text("The numbers begin to differ at the input.")).to_be_visible()
    expect(page.get_by_text("largest change from A: Input, token LOVE")).to_be_visible()


def test_all_stand_side_by_side_and_a_number_of_either_says_where_it_comes_from(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=TALL)
    open_page(page, "/compare?a.example=pizza&b.example=pizza&b.mask=none&a.step=output")
    assert len({place_of(plot).y for plot in sides(page)}) == 1
    for side, name, scenario in ((0, "a", PIZZA), (1, "b", with_rules(PIZZA, []))):
        output = attend(scenario).output[1, 2]
        page.mouse.click(*middle_of(sides(page)[side], 1, 2))
        panels = page.locator(".plot-where-from:visible")
        panel = panels.filter(has_text=f"{name.upper()}: output[LOVE, 3]")
        expect(panel).to_contain_text(format_number(float(output)))
        panel.get_by_role("button", name="concat[LOVE, 1.1]").first.click()
        asked = panels.filter(has_text=f"{name.upper()}: concat").get_by_role("navigation")
        expect(asked).to_contain_text("output[LOVE, 3]")
        expect(page).to_have_url(re.compile(rf"[&]{name}\.cell=concat%3A2\.1(&|$)"))


def test_change_after_change_is_compared(page: Page) -> None:
    open_page(page, "/compare?a.example=pizza&b.example=pizza")
    causal = page.get_by_role("button", name="Causal", exact=True)
    for words in ("up to 0.79 apart", "the same in A and B"):
        causal.click()
        expect(page.get_by_text(words)).to_be_visible()
    page.get_by_role("combobox", name="Compare at").click()
    page.get_by_role("option", name="Output", exact=True).click()
    expect(page).to_have_url(re.compile("a.step=output"))
    causal.click()
    expect(page.get_by_text(re.compile(r"up to [\d.]+ apart"))).to_be_visible()


def test_a_question_is_asked_by_keyboard_and_links_stand_beside_titles_however_long(
    page: Page,
) -> None:
    open_page(page, "/compare")
    question = page.get_by_role("button", name="Why divide by √d_k?")
    question.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("over 0.9 of its weight to one key on average.")).to_be_visible()
    expect(question).to_be_focused()
    link = page.get_by_test_id("stMain").get_by_role("link", name="Explore").first
    link.focus()
    expect(link).to_have_css("outline-style", "solid")
    wide = attend(load_example("wide-head"))
    wait_for_numbers(sides(page)[0], "weights/0", np.asarray(wide.weights[0]))
    page.get_by_role("button", name="Grouped queries or not?").click()
    expect(page.get_by_text("A Grouped queries, before they are grouped")).to_be_visible()
    wait_until(page, LINKS_STAND_SIDE_BY_SIDE)


# The links to the explorer, except the one in the navigation.
LINKS_STAND_SIDE_BY_SIDE = """() => {
  const links = [...document.querySelectorAll("[data-testid=stMain] a")];
  const tops = links.filter((link) => link.innerText.trim() === "Explore")
    .map((link) => Math.round(link.getBoundingClientRect().top));
  return tops.length === 2 && tops[0] === tops[1];
}"""


def test_all_three_have_one_arrangement_at_any_width(page: Page) -> None:
    other_names = "b.example=pizza&b.mask=none&b.tokens=I+LOVE+BREAD+PIZZA"
    open_page(page, f"/compare?a.example=pizza&{other_names}&a.step=weights")
    narrow = [places_of_matrices(plot) for plot in sides(page)]
    page.set_viewport_size({"width": 1920, "height": 900})
    wait_until(page, "innerWidth === 1920")
    wide = [places_of_matrices(plot) for plot in sides(page)]
    for in_a, in_b, difference in (narrow, wide):
        assert in_a == in_b == difference


def places_of_matrices(plot: Locator) -> list[tuple[float, ...]]:
    """Where each matrix of a picture stands in it, and how large it is."""
    stage = place_of(plot.locator(".plot-stage"))
    windows = [place_of_matrix(plot, i) for i in range(plot.locator(WINDOWS).count())]
    return [(box.x - stage.x, box.y - stage.y, box.width, box.height) for box in windows]


def test_of_a_wide_head_a_and_b_stand_side_by_side_and_the_difference_below(page: Page) -> None:
    open_page(page, "/compare?a.example=wide-head&b.example=wide-head&b.scale=0.9&a.step=output")
    tops = [place_of(plot).y for plot in sides(page)]
    assert [top == tops[0] for top in tops] == [True, True, False]


LINES = """cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return range.getClientRects().length;
}"""


def test_the_pictures_fit_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    open_page(page, "/compare?a.example=long&b.example=long&b.mask=causal")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth")
    mean = page.get_by_role("columnheader", name="Mean")
    assert mean.evaluate(LINES) == 1  # a word is not cut


def test_a_pattern_is_seen_to_break(page: Page) -> None:
    open_page(page, "/patterns")
    page.get_by_role("radio", name="Next token").click()
    expect(page.get_by_text("Every token looks at the one after it")).to_be_visible()
    page.get_by_role("textbox", name="On a sentence of your own").fill("TO BE OR NOT TO BE")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("p.tokens=TO%2BBE|p.tokens=TO\\+BE"))
    page.get_by_role("link", name="Add a causal mask: it hides the token that comes next.").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Compare")
    expect(page.get_by_role("row", name="Mask none causal")).to_be_visible()
    expect(page.get_by_text(re.compile("Most weight moves for .* in head 1"))).to_be_visible()
    go(page, "back", "Patterns of heads")
    expect(page.get_by_role("radio", name="Next token")).to_be_checked()
