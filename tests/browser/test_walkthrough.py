"""The walkthrough in a real browser: by keyboard, by itself, and standing still.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.examples import load_example
from mha_core.guide.screens import SCREENS, screens_of
from mha_core.layer.cells import Cell
from mha_core.layer.derivation import derive_cell
from mha_core.layer.naming import name_of
from tests.browser.hands import pick, place_of_matrix
from tests.browser.reading import open_page, wait_for_the_end_of_the_run, wait_until
from ui.blocks.walkthrough import SHORT_TITLES
from ui.figures.walkthrough import screen_figure
from ui.number_format import format_number

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

PIZZA = attend(load_example("pizza"))
SCORES = "/walkthrough?example=pizza&screen=scores"
TWO_TOKENS = "/walkthrough?example=two-tokens&screen=scores"
SCREEN_OF_MASK = "/walkthrough?example=pizza&screen=mask"
VEIL = ".plot-veil"
# The first heading there, behind a number that only the sidebar shows.
EXPLORER = re.compile("Sentence$")


def title(page: Page) -> Locator:
    return page.locator(".stMain").get_by_role("heading", level=2).first


def said(page: Page) -> Locator:
    return page.locator(".plot-walk-said")


@pytest.fixture
def calm_page(new_page: NewPage) -> Page:
    """Of a person who wants little motion."""
    return new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")


def test_a_page_without_controls_does_not_keep_the_room_of_those_before(page: Page) -> None:
    open_page(page)
    sidebar = page.get_by_test_id("stSidebar")
    for name in ("Walkthrough", "Tours"):
        if name == "Tours":
            page.go_back()
        expect(sidebar).to_be_visible()
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(f"/{name.lower()}"))
        expect(sidebar).to_be_hidden()
        wait_for_the_end_of_the_run(page)


def test_keys_lead_on_and_back_from_a_button_too(calm_page: Page) -> None:
    open_page(calm_page, "/walkthrough?example=pizza")
    titles = [screen.title for screen in screens_of(PIZZA.scenario)]
    expect(title(calm_page)).to_have_text(titles[0])
    for key, place in (
        ("ArrowRight", 1),
        (" ", 2),
        ("PageDown", 3),
        ("ArrowLeft", 2),
        ("PageUp", 1),
    ):
        calm_page.keyboard.press(key)
        expect(title(calm_page)).to_have_text(titles[place])
    expect(calm_page).to_have_url(re.compile("screen=queries"))
    calm_page.go_back()
    expect(title(calm_page)).to_have_text(titles[2])
    wait_for_the_end_of_the_run(calm_page)
    calm_page.get_by_role("button", name="Next", exact=True).click()
    expect(title(calm_page)).to_have_text(titles[3])
    for key, place in (("ArrowLeft", 2), ("ArrowRight", 3), (" ", 4)):  # Space presses it
        calm_page.keyboard.press(key)
        expect(title(calm_page)).to_have_text(titles[place])
    calm_page.locator(".st-key-examples button").click()
    calm_page.locator(".st-key-example-pizza button").focus()
    calm_page.keyboard.press("ArrowRight")  # in the list it leads nowhere
    calm_page.keyboard.press("Escape")
    expect(calm_page.locator(".st-key-example-pizza")).to_have_count(0)
    calm_page.keyboard.press("ArrowLeft")
    expect(title(calm_page)).to_have_text(titles[3])


@pytest.mark.parametrize("name", ["queries", "output"])
def test_every_matrix_is_asked_and_changed_by_keyboard(calm_page: Page, name: str) -> None:
    open_page(calm_page, f"/walkthrough?example=pizza&screen={name}")
    calm_page.get_by_role("application").focus()
    calm_page.keyboard.press("Home")  # the first key shows the cursor
    cursor = calm_page.locator(".plot > .plot-unseen")
    shown = [heatmap.matrix for heatmap in screen_figure(PIZZA, SCREENS[name], 0).heatmaps]
    for matrix in shown:
        expect(cursor).to_contain_text(matrix.title)
        calm_page.keyboard.press(" ")
        found = derive_cell(PIZZA, Cell.of_matrix(matrix.name, 0, 0))
        symbol = re.sub("[_^]", "", name_of(PIZZA, found.cell, "text"))
        expect(calm_page.locator(".plot-where-from h2")).to_contain_text(f"{symbol} = ")
        calm_page.keyboard.press("PageDown")
    for matrix in shown:
        expect(cursor).to_contain_text(matrix.title)
        if matrix.is_given:
            calm_page.keyboard.type("7")
            calm_page.keyboard.press("Enter")
            expect(calm_page).to_have_url(re.compile(rf"{matrix.name}\.cells=\d_0_7"))
            expect(cursor).to_contain_text(", can be edited")  # the cursor has gone on
        calm_page.keyboard.press("PageDown")


def click_a_number(page: Page) -> None:
    pick(page.locator(".plot").first, 0, 1, 1, columns=2, rows=2)
    expect(page.locator(".plot-where-from:visible")).to_be_visible()
    expect(page).to_have_url(re.compile("cell="))  # so the page has run
    expect(page.get_by_role("application")).to_be_focused()


def test_keys_in_a_picture_belong_to_it_until_escape_and_then_it_goes_on_by_keys_or_by_itself(
    calm_page: Page,
) -> None:
    open_page(calm_page, TWO_TOKENS)
    calm_page.get_by_role("application").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        calm_page.keyboard.press(key)
    expect(calm_page.locator(".plot-where-from:visible")).to_be_visible()
    expect(title(calm_page)).to_have_text("Each query meets each key")
    click_a_number(calm_page)
    calm_page.keyboard.press("PageDown")
    expect(calm_page).to_have_url(re.compile("screen=scale"))
    calm_page.keyboard.press("PageUp")
    expect(calm_page).to_have_url(re.compile("screen=scores"))
    wait_for_the_end_of_the_run(calm_page)
    click_a_number(calm_page)
    calm_page.keyboard.press("Escape")
    expect(calm_page.locator(".plot-where-from:visible")).to_have_count(0)
    calm_page.keyboard.press("Escape")
    for key, name in ((" ", "scale"), ("ArrowRight", "maximum"), ("ArrowLeft", "scale")):
        calm_page.keyboard.press(key)
        expect(calm_page).to_have_url(re.compile(f"screen={name}"))

    # It goes on whenever that is ticked, also where nothing moved before.
    calm_page.get_by_label("Speed").select_option("fast")
    expect(said(calm_page)).to_have_text("")
    calm_page.get_by_role("checkbox").check()
    expect(title(calm_page)).to_have_text("W_O mixes the heads")  # the last screen


def test_a_matrix_lights_its_symbol_and_number_after_number_appears_with_what_makes_it(
    calm_page: Page,
) -> None:
    open_page(calm_page, SCORES)
    symbols = calm_page.locator(".formulas .symbol")  # of the scores, Q, K
    for matrix, expected in ((0, [0, 0, 1]), (1, [0, 1, 0]), (2, [1, 0, 0])):
        x, y, width, height = place_of_matrix(calm_page.locator(".plot"), matrix)
        calm_page.mouse.move(x + width / 2, y + height / 2)
        assert is_lit(symbols) == expected
        calm_page.mouse.move(1, 1)
        assert is_lit(symbols) == [0, 0, 0]
        calm_page.mouse.move(x + width / 2, y + height + 10)  # its caption
        assert is_lit(symbols) == expected
    calm_page.mouse.move(1, 1)
    calm_page.get_by_role("application").focus()
    calm_page.keyboard.press("Home")
    assert is_lit(symbols) == [0, 0, 1]
    calm_page.mouse.move(1, 1)
    more = calm_page.get_by_role("button", name="One more")
    more.wait_for()
    expect(calm_page.locator(VEIL)).to_have_count(0)  # of who wants little motion, all are there
    q, k, scores = PIZZA.q_heads[0], PIZZA.k_heads[0], PIZZA.raw_scores[0]
    tokens = PIZZA.scenario.tokens
    for key in range(4):
        more.click()
        terms = [
            f"{in_brackets(format_number(a))}·{in_brackets(format_number(b))}"
            for a, b in zip(q[0], k[key], strict=True)
        ]
        expect(said(calm_page)).to_have_text(
            f"Raw scores, head 1, query {tokens[0]}, key {tokens[key]}: "
            f"{' + '.join(terms)} = {format_number(scores[0, key])}"
        )
        expect(said(calm_page)).to_have_attribute("aria-live", "polite")
    hidden = calm_page.locator(VEIL).get_attribute("d") or ""
    assert hidden.count("M") == 12  # of 16 numbers
    for _ in range(12):
        more.click()
    expect(calm_page.locator(VEIL)).to_have_count(0)


def in_brackets(text: str) -> str:
    return f"({text})" if text.startswith("−") else text


def test_a_number_that_is_changed_is_said_anew_and_one_is_dragged_on_the_way(
    calm_page: Page,
) -> None:
    open_page(calm_page, "/walkthrough?example=pizza&screen=queries")
    calm_page.get_by_role("button", name="One more").click()
    expect(said(calm_page)).to_have_text(re.compile(r"\+ 0\.00·0\.00 = 1\.00$"))
    x, y, width, height = place_of_matrix(calm_page.locator(".plot"), 1)  # X
    calm_page.mouse.click(x + 0.5 * width / 8, y + 0.5 * height / 4)
    calm_page.keyboard.type("7")
    calm_page.keyboard.press("Enter")
    expect(said(calm_page)).to_have_text(re.compile(r": 7\.00·1\.00 \+ .* = 7\.00$"))
    at = (x + 2.5 * width / 8, y + 1.5 * height / 4)
    calm_page.mouse.move(*at)
    calm_page.mouse.down()
    calm_page.mouse.move(at[0] + 40, at[1], steps=2)
    calm_page.mouse.up()
    expect(calm_page).to_have_url(re.compile(r"x\.cells=0_0_7[+]1_2_4"))
    expect(title(calm_page)).to_have_text("W_Q makes a query of each row")


def test_it_plays_announces_one_sentence_after_it_and_then_goes_on(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720}, reduced_motion="no-preference")
    open_page(page, "/walkthrough?example=pizza&screen=queries")
    expect(said(page)).to_have_attribute("aria-live", "off")
    page.get_by_role("button", name="Pause").click()
    expect(said(page)).to_have_attribute("aria-live", "polite")
    expect(said(page)).to_have_text(re.compile(r"^Paused\. Queries, query "))
    page.get_by_label("Speed").select_option("fast")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(said(page)).to_have_text("All numbers are there.")
    expect(said(page)).to_have_attribute("aria-live", "polite")
    page.get_by_label("Advance automatically").check()  # where all has moved: at once
    titles = [screen.title for screen in screens_of(PIZZA.scenario)]
    for number in (2, 3):
        expect(title(page)).to_have_text(titles[number])
    page.get_by_label("Advance automatically").uncheck()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page.locator(VEIL)).to_have_count(0)


def symbol(page: Page, name: str) -> Locator:
    return page.locator(".formulas").get_by_role("button", name=name)


def is_lit(symbols: Locator) -> list[bool]:
    classes: list[str] = symbols.evaluate_all("all => all.map((each) => each.className)")
    return ["is-lit" in each for each in classes]


def frames(page: Page) -> Locator:
    """Those around matrices: each has a line of the paper's color below it."""
    return page.locator("rect.plot-lit-matrix:not([stroke-width='5'])")


def place_in_picture(box: Locator) -> tuple[float, ...]:
    return tuple(float(box.get_attribute(name) or "") for name in ("x", "y", "width"))


def test_a_symbol_lights_its_matrix_while_it_is_pointed_at_or_has_the_focus(
    new_page: NewPage,
) -> None:
    page = new_page(
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    open_page(page, SCORES)
    height = page.locator(".plot").evaluate("plot => plot.clientHeight")
    queries, scores = symbol(page, "Q₁: Queries by head, head 1"), symbol(page, "Raw scores")
    for points in (queries.hover, queries.focus, queries.tap):
        points()
        x, y, width = place_in_picture(page.locator(".plot-stage > svg > svg").nth(1))
        assert place_in_picture(frames(page)) == (x - 3, y - 3, width + 6)
        assert page.locator(".plot").evaluate("plot => plot.clientHeight") == height
        scores.focus()
        page.mouse.move(1, 1)
        expect(frames(page)).to_have_count(1)
        scores.blur()
        expect(frames(page)).to_have_count(0)
    queries.tap()
    expect(frames(page)).to_have_count(1)
    queries.blur()  # a finger that has gone does not point
    expect(frames(page)).to_have_count(0)


def test_a_symbol_that_is_pressed_shows_its_matrix(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 500}, reduced_motion="reduce")
    open_page(page, SCORES)
    symbol(page, "Raw scores").focus()
    expect(frames(page)).not_to_be_in_viewport()
    page.keyboard.press(" ")
    expect(frames(page)).to_be_in_viewport()
    expect(title(page)).to_have_text("Each query meets each key")


def test_each_row_of_a_large_result_appears_at_once(calm_page: Page) -> None:
    open_page(calm_page, "/walkthrough?example=long&screen=weights")
    calm_page.get_by_role("button", name="One more").click()
    tokens = load_example("long").tokens
    expect(said(calm_page)).to_have_text(f"Weights, head 1, query {tokens[0]} (1)")


def screens_pill(page: Page, *, name: str) -> Locator:
    return page.get_by_role("radio", name=name, exact=True)


def test_a_screen_that_goes_gives_way_and_comes_back_with_its_mask(calm_page: Page) -> None:
    open_page(calm_page, SCREEN_OF_MASK)
    expect(screens_pill(calm_page, name="Mask")).to_be_checked()
    calm_page.locator(".st-key-examples button").click()
    calm_page.locator(".st-key-example-two-tokens button").click()  # which has no mask
    expect(title(calm_page)).to_have_text("Scores are scaled")
    expect(screens_pill(calm_page, name="Scale")).to_be_checked()
    expect(screens_pill(calm_page, name="Mask")).to_have_count(0)
    calm_page.get_by_role("button", name="Next", exact=True).click()
    expect(screens_pill(calm_page, name="Maximum")).to_be_checked()
    screens_pill(calm_page, name="Blend").click()
    expect(title(calm_page)).to_have_text("Weights times values")
    calm_page.keyboard.press("Control+z")
    expect(title(calm_page)).to_have_text("Apply the mask")
    expect(screens_pill(calm_page, name="Mask")).to_be_checked()
    screens_pill(calm_page, name="Weights").click()
    expect(title(calm_page)).to_have_text("Each row is divided by its sum")


def test_back_and_forward_lead_through_screens_and_pages_which_keep_the_address(
    calm_page: Page,
) -> None:
    open_page(calm_page, SCREEN_OF_MASK)
    calm_page.get_by_role("button", name="Next", exact=True).click()
    expect(calm_page).to_have_url(re.compile("screen=maximum$"))
    calm_page.get_by_role("link", name="Explore", exact=True).click()
    expect(calm_page).to_have_url(re.compile(r"/\?example=pizza"))
    expect(title(calm_page)).to_have_text(EXPLORER)
    for go, heading in (
        (calm_page.go_back, "The largest score of each row"),
        (calm_page.go_back, "Apply the mask"),
        (calm_page.go_forward, "The largest score of each row"),
        (calm_page.go_forward, EXPLORER),
        (calm_page.go_back, "The largest score of each row"),
    ):
        wait_for_the_end_of_the_run(calm_page)
        go()
        expect(title(calm_page)).to_have_text(heading)
    expect(screens_pill(calm_page, name="Maximum")).to_be_checked()

    for name, address in (
        ("Patterns", "/patterns?p.tokens=THE+CAT+SEES+THE+OTHER+CAT"),
        ("Walkthrough", SCREEN_OF_MASK.replace("mask", "maximum")),
    ):
        wait_for_the_end_of_the_run(calm_page)
        calm_page.get_by_role("link", name=name, exact=True).click()
        expect(calm_page).to_have_url(re.compile(re.escape(address) + "(&p[.].*)?$"))
    expect(title(calm_page)).to_have_text("The largest score of each row")


MANY_SCREENS = "/walkthrough?example=pizza&context=A+B&softcap=5&temperature=2&positions=sinusoidal"


def test_many_screens_stand_in_one_line_with_the_present_one_and_a_phone_shows_all_of_one(
    calm_page: Page,
) -> None:
    page = calm_page
    open_page(page, f"{MANY_SCREENS}&screen=output")
    on = page.get_by_role("button", name="Next", exact=True)
    pill = screens_pill(page, name="Output")  # the last one
    expect(pill).to_be_in_viewport(ratio=0.9)
    tops = [each.evaluate("each => each.getBoundingClientRect().top") for each in (pill, on)]
    assert tops[0] == pytest.approx(tops[1], abs=4)

    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("output", "split"):
        if name != "output":
            screens_pill(page, name=SHORT_TITLES[name]).click()
            expect(page).to_have_url(re.compile(f"screen={name}"))
            expect(title(page)).to_have_text(re.compile(re.escape(SCREENS[name].title)))
            wait_for_the_end_of_the_run(page)
        wait_until(page, "document.documentElement.scrollWidth <= innerWidth")
        expect(page.locator(".plot-goes-on")).to_have_count(0)  # no picture is wider than its room
        for button in ("Next", "Back", "One more", "Show as table"):
            place = page.get_by_role("button", name=button, exact=True)
            place.scroll_into_view_if_needed()
            expect(place).to_be_in_viewport(ratio=1)
