"""A person asks a number where it comes from, and goes on asking, down to what was given.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Final
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import (
    LOOK_AGAIN,
    open_page,
    outlined,
    plot_named,
    wait_for_the_end_of_the_run,
    wait_until,
)
from tests.browser.slow_line import SlowLine
from tests.browser.test_accessibility import violations_in_both_themes
from tests.browser.test_slider import press_and_move
from tests.visitors import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

PIZZA: Final = "/?example=pizza"
SIXTY_FOUR_WIDE: Final = "/?tokens=a+b&d_model=64&heads=1&x=random&weights=random"
HEADS, TOGETHER = "Scores and weights", "Concatenation"
WEIGHTS_OF_HEAD_1: Final = "weights/0"
OUTPUT: Final = 2
PLACES: Final = """parts => {
  const tops = parts.map((part) => part.getBoundingClientRect().top);
  return tops.map((top) => top - tops[0]); // the page itself may be scrolled
}"""


def panel(page: Page) -> Locator:
    return page.locator(".plot-where-from:visible")


def heading(page: Page) -> Locator:
    return panel(page).locator("h2")


def operands(page: Page) -> Locator:
    return panel(page).locator(".cells", has_text="Made of").get_by_role("button")


def lit(plot: Locator) -> Locator:
    """The frames around what the number is made of."""
    return plot.locator('.plot-stage > svg:last-of-type rect[stroke-width="4"]')


def test_a_long_sum_shows_all_its_terms_once_they_are_asked_for(page: Page) -> None:
    open_page(page, f"{SIXTY_FOUR_WIDE}&open=into&cell=q:2.3")
    made_of = panel(page).locator(".cells").first
    fold = made_of.locator("details")
    expect(fold.locator("summary")).to_have_text("104 more")
    fold.locator("summary").click()
    expect(fold.get_by_role("button")).to_have_count(104)
    fold.get_by_role("button").last.click()
    expect(heading(page)).to_have_text(re.compile("^WQ"))


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "as=nobody&matrix=weights/0&row=0&column=0",
        "as=nobody&matrix=weights/one&row=0&column=0",
        "as=nobody&matrix=weights/0&row=-1&column=99999999999999999999",
    ],
)
def test_who_is_no_visitor_is_told_nothing(app_url: str, asked: str) -> None:
    with urlopen(f"{app_url}/plot/asked?{asked}") as answer:
        assert json.load(answer) is None


def test_one_goes_on_asking_from_the_output_down_to_what_was_given_and_back(page: Page) -> None:
    open_page(page, f"{PIZZA}&cell=output:4.3")
    expect(heading(page)).to_have_text("output[PIZZA, 3] = 0.25")
    expect(lit(plot_named(page, TOGETHER))).to_have_count(2)
    said = ["output[PIZZA, 3] = 0.25"]
    while operands(page).count():
        address = page.url
        operands(page).first.click()
        expect(heading(page)).not_to_have_text(said[-1])
        # The browser knows first. Until the server has answered, an older answer may come between.
        expect(page).not_to_have_url(address)
        expect(heading(page)).not_to_have_text(said[-1])
        said.append(heading(page).inner_text())
    steps = [re.sub(r"\W.*", "", each) for each in said]
    assert steps[:4] == ["output", "concat", "A1", "E1"]  # concat is head 1 by another name
    expect(panel(page)).to_contain_text("as the input “One-hot words” has it")
    way_back = panel(page).get_by_role("navigation", name="Asked before").get_by_role("button")
    expect(way_back).to_have_count(len(said) - 1)
    way_back.nth(1).click()
    expect(heading(page)).to_have_text(said[1])
    expect(way_back).to_have_count(1)
    expect(page).to_have_url(re.compile("cell=concat"))


SCROLLED: Final = 20  # pixels
SCROLL: Final = f"""async (main) => {{
  main.scrollBy({{ top: {SCROLLED}, behavior: "instant" }});
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}}"""


def scroll_the_page(page: Page) -> None:
    page.get_by_test_id("stMain").evaluate(SCROLL)


def test_by_keyboard_alone_with_the_focus_on_the_new_number_and_boxes_that_scroll_along(
    page: Page,
) -> None:
    open_page(page, PIZZA)
    stage = plot_named(page, HEADS).locator(".plot-stage")
    stage.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("PageDown")  # from X to the scores of head 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(heading(page)).to_contain_text("[LOVE, I]")
    operands(page).first.focus()
    page.keyboard.press("Enter")
    expect(heading(page)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("cell="))
    wait_for_the_end_of_the_run(page)

    cell = place_of_cell(plot_named(page, HEADS), WEIGHTS_OF_HEAD_1, 1, 1, columns=4)
    tip = plot_named(page, HEADS).locator(".plot-tip")
    page.mouse.move(cell.x + 2, cell.y + 2)
    expect(tip).to_be_visible()
    beside = tip.bounding_box()
    scroll_the_page(page)
    assert tip.is_hidden() or tip.bounding_box() != beside  # it may be that of the cell there now
    page.mouse.move(2, 2)
    stage.focus()
    page.keyboard.press("ArrowDown")
    expect(tip).to_be_visible()
    beside = tip.bounding_box()
    scroll_the_page(page)
    moved = tip.bounding_box()
    assert beside
    assert moved
    assert moved["y"] == beside["y"] - SCROLLED


def lit_labels(plot: Locator) -> list[str]:
    """The labels of the rows and columns that are lit, each once."""
    texts = plot.locator(".plot-stage > svg:last-of-type text[font-weight='700']")
    return sorted(set(texts.all_text_contents()))


def wait_for_lit(page: Page, **labels: list[str]) -> None:
    """Wait until these labels are lit: in the way in, the heads, and where they come together."""
    plots = {"way_in": "X, the projections", "heads": HEADS, "together": TOGETHER}
    give_up = time.monotonic() + PATIENCE
    while (now := {name: lit_labels(plot_named(page, plots[name])) for name in labels}) != labels:
        assert time.monotonic() < give_up, f"These are lit: {now}"
        page.wait_for_timeout(LOOK_AGAIN)


NOTHING_LIT: Final[dict[str, list[str]]] = {"way_in": [], "heads": [], "together": []}
OF_THE_WEIGHT: Final = {"way_in": ["PIZZA"], "heads": ["LOVE", "PIZZA"], "together": ["PIZZA"]}


def test_a_click_explains_a_number_and_lights_what_made_it_and_escape_ends_what_is_nearest_first(
    page: Page,
) -> None:
    open_page(page, f"{PIZZA}&open=into")
    wait_for_lit(page, **NOTHING_LIT)
    heads = plot_named(page, HEADS)
    above = page.locator("h1, .st-key-picture-controls, .st-key-heads .plot-stage")
    before = above.evaluate_all(PLACES)
    painted = int(heads.get_attribute("data-painted") or 0)
    pick(heads, WEIGHTS_OF_HEAD_1, 3, 1, columns=4)
    expect(heading(page)).to_have_text("A1[PIZZA, LOVE] = 0.20")
    expect(panel(page)).to_contain_text("Weights: the share of each key")
    expect(panel(page).locator("math mfrac")).to_have_count(2)
    assert above.evaluate_all(PLACES) == before  # nothing moves
    below = heads.bounding_box()
    its = panel(page).bounding_box()
    assert its
    assert below
    assert its["y"] >= below["y"] + below["height"]
    expect(page).to_have_url(re.compile("cell="))  # so the page has run
    wait_for_the_end_of_the_run(page)
    # What the page says again of a pick is not painted again.
    assert int(heads.get_attribute("data-painted") or 0) == painted + 1
    page.mouse.move(2, 2)
    wait_for_lit(page, **OF_THE_WEIGHT)
    cell = place_of_cell(heads, WEIGHTS_OF_HEAD_1, 2, 0, columns=4)
    page.mouse.move(cell.x + cell.width / 2, cell.y + cell.height / 2)
    wait_for_lit(page, way_in=["PEPPERONI"], heads=["I", "PEPPERONI"], together=["PEPPERONI"])
    page.mouse.move(2, 2)
    wait_for_lit(page, **OF_THE_WEIGHT)
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("cell="))
    wait_for_the_end_of_the_run(page)
    wait_for_lit(page, **NOTHING_LIT)
    expect(outlined(heads)).to_have_count(0)
    expect(heads.locator(".plot-stage")).to_be_focused()
    page.keyboard.press("Escape")
    expect(heads.locator(".plot-stage")).not_to_be_focused()

    way_in = plot_named(page, "X, the projections")
    selected = way_in.locator('rect[fill-opacity="0.2"]')
    pick(way_in, "x", 0, 0, columns=8)
    expect(heading(page)).to_be_visible()
    for key in ("ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect(selected).to_have_count(1)
    page.keyboard.type("1")
    page.keyboard.press("Escape")  # leaves the field
    page.keyboard.press("Escape")  # ends the selection
    expect(selected).to_have_count(0)
    expect(heading(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)


def test_numbers_are_explained_and_left_before_the_page_has_heard_of_it(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    open_page(page, f"{PIZZA}&open=into&cell=weights/0:4.2")
    wait_for_lit(page, **OF_THE_WEIGHT)  # a link opens with the light
    line.hold()
    pick(plot_named(page, HEADS), WEIGHTS_OF_HEAD_1, 2, 0, columns=4)
    expect(heading(page)).to_have_text("A1[PEPPERONI, I] = 0.20")
    pick(plot_named(page, TOGETHER), OUTPUT, 3, 2, columns=8, rows=4)
    expect(heading(page)).to_have_text("output[PIZZA, 3] = 0.25")
    expect(lit(plot_named(page, TOGETHER))).not_to_have_count(0)
    line.let_go()
    expect(page).to_have_url(re.compile("cell=output"))
    expect(heading(page)).to_have_text("output[PIZZA, 3] = 0.25")
    wait_for_the_end_of_the_run(page)
    line.hold()
    operands(page).first.click()
    expect(heading(page)).to_have_text("concat[PIZZA, 1.1] = 0.40")
    before = panel(page).get_by_role("navigation", name="Asked before").get_by_role("button")
    expect(before).to_have_text(["output[PIZZA, 3]"])
    before.first.click()
    expect(heading(page)).to_have_text("output[PIZZA, 3] = 0.25")
    line.let_go()
    expect(page).to_have_url(re.compile("cell=output"))
    expect(before).to_have_count(0)
    wait_for_the_end_of_the_run(page)
    line.hold()
    panel(page).get_by_role("button", name="Close").click()
    page.mouse.move(2, 2)
    wait_for_lit(page, **NOTHING_LIT)
    line.let_go()
    expect(page).not_to_have_url(re.compile("cell="))
    wait_for_lit(page, **NOTHING_LIT)


COPIED: Final = {
    "LaTeX": r"A_1[\text{PIZZA}, \text{LOVE}] = \frac{",
    "Python": "weights[0, 3, 1] == exponentials[0, 3, 1] / row_sums[0, 3, 0]",
    "Text": "A_1[PIZZA, LOVE] = E_1[PIZZA, LOVE] / Z_1[PIZZA] = 0.50 / 2.50 = 0.20",
}


def test_a_formula_is_copied_own_numbers_are_checked_and_another_number_takes_the_panel_along(
    page: Page,
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, f"{PIZZA}&cell=weights/0:4.2&influence=x")
    for name, begins in COPIED.items():
        panel(page).get_by_role("button", name=name).click()
        expect(panel(page).get_by_role("button", name="Copied")).to_be_visible()
        copied: str = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith(begins)
        expect(panel(page).get_by_role("button", name="Copied")).to_have_count(0)
    fold = page.get_by_text("Check my numbers", exact=True)
    fold.click()
    box = page.get_by_label("Your numbers for Weights, head 1")
    numbers = "1 0 0 0; 0.69 0.31 0 0; 0.11 0.44 0.44 0; 0.53 0.13 0.3 0.03"
    box.fill(numbers)
    page.get_by_role("button", name="Check", exact=True).click()
    said = page.get_by_text("8 of 16 numbers right at 2 decimals. The scale was forgotten.")
    expect(said).to_be_visible()
    expect(page.locator(".checked .wrong")).to_have_count(8)
    operands(page).first.click()
    expect(page.get_by_label("Your numbers for Exponentials, head 1")).to_have_value("")
    panel(page).get_by_role("navigation").get_by_role("button").click()
    expect(box).to_have_value(numbers)
    expect(said).to_be_visible()

    influences = plot_named(page, "How much the picked number moves")
    expect(influences.locator("visible=true")).to_have_count(1)
    pick(plot_named(page, TOGETHER), OUTPUT, 3, 2, columns=8, rows=4)
    expect(heading(page)).to_have_text("output[PIZZA, 3] = 0.25")
    expect(panel(page)).to_have_count(1)
    expect(influences.locator("visible=true")).to_have_count(1)  # that of the output
    expect(page.get_by_text("output[PIZZA, 3] is most sensitive to")).to_be_visible()
    pick(influences.locator("visible=true"), 0, 0, 3, columns=8)
    expect(heading(page)).to_have_text("X[I, 4] = 0.00")
    expect(influences.locator("visible=true")).to_have_count(0)
    panel(page).get_by_role("button", name="Close").click()
    expect(panel(page)).to_have_count(0)
    expect(fold.locator("visible=true")).to_have_count(0)


def test_a_long_formula_wraps_and_widens_nothing(new_page: NewPage) -> None:
    page = new_page(viewport=LOW)
    open_page(page, "/?example=two-tokens&cell=q:1.1")
    formula = panel(page).locator(".formula")
    expect(formula.locator("> div")).to_have_count(4)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        wait_until(page, "width => document.documentElement.scrollWidth === width", width)
        assert formula.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
        tops = formula.locator("> div").evaluate_all("parts => parts.map((part) => part.offsetTop)")
        assert tops == sorted(tops)
        assert tops[0] < tops[-1]
        assert formula.evaluate("box => box.offsetWidth <= box.parentElement.clientWidth")


def test_it_says_the_new_number_after_a_change_and_while_one_is_dragged(page: Page) -> None:
    open_page(page, f"{PIZZA}&cell=scaled_scores/0:4.2&show=scaled")
    expect(heading(page)).to_have_text("S1[PIZZA, LOVE] = −1.61")
    page.get_by_role("textbox", name="Scale").fill("1")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text("S1[PIZZA, LOVE] = −3.22")
    wait_for_the_end_of_the_run(page)
    press_and_move(page, 0.8)
    expect(heading(page)).not_to_have_text("S1[PIZZA, LOVE] = −3.22")
    shown, moved = numbers_of_formula(page), heading(page).inner_text()
    assert shown[-1] == moved.rpartition(" ")[2]
    waits = panel(page).locator(".waits").first
    expect(waits).to_have_css("opacity", "0.35")  # it waits for the server
    page.mouse.up()
    expect(waits).to_have_css("opacity", "1")
    assert numbers_of_formula(page)[-3:] == shown[-3:]  # a score times the scale, and the result
    expect(heading(page)).to_have_text(moved)


def numbers_of_formula(page: Page) -> list[str]:
    """The numbers that are written for operands, constants, the rest and the result."""
    written = panel(page).locator(".formula mn[data-live]")
    written.first.wait_for()
    return written.all_text_contents()


LOW: Final = {"width": 1280, "height": 720}
BELOW: Final = "/?example=two-tokens&cell=weights/0:1.1"
IN_A_TOUR: Final = f"{BELOW}&tour=000"  # where the page does not scroll by itself


def sign(page: Page) -> Locator:
    return page.locator(".plot-sign:visible")


def test_a_link_to_a_number_leads_to_what_is_said_of_it(new_page: NewPage) -> None:
    page = new_page(viewport=LOW, reduced_motion="no-preference")
    open_page(page, BELOW)
    expect(heading(page)).to_be_in_viewport()
    expect(heading(page)).to_be_focused()
    expect(plot_named(page, HEADS)).to_be_in_viewport()
    expect(sign(page)).to_have_count(0)
    page.mouse.move(640, 300)
    page.mouse.wheel(0, -2000)  # whoever scrolls away is not led back
    expect(page.locator("h1")).to_be_in_viewport()
    expect(sign(page)).to_have_count(0)


def test_a_panel_below_the_window_is_announced_with_its_number_until_it_is_in_view(
    page: Page,
) -> None:
    open_page(page, IN_A_TOUR)
    expect(sign(page)).to_have_text("A1[t1, t1] = 0.94: explained below ↓")
    expect(page.locator(".tour-title")).to_be_in_viewport()  # a stop begins with its sentence
    expect(heading(page)).not_to_be_in_viewport()
    assert violations_in_both_themes(page, {"include": [".plot-sign"]}) == []
    page.emulate_media(media="print")
    expect(sign(page)).to_have_count(0)
    page.emulate_media(media="screen")
    press_and_move(page, 0.3)
    expect(sign(page)).not_to_contain_text("0.94")
    page.mouse.up()
    expect(panel(page).locator(".waits").first).to_have_css("opacity", "1")
    expect(sign(page)).to_have_text(f"{heading(page).inner_text()}: explained below ↓")
    page.get_by_role("button", name="Undo").click()
    expect(sign(page)).to_have_text("A1[t1, t1] = 0.94: explained below ↓")

    sign(page).focus()
    page.keyboard.press("Enter")
    expect(heading(page)).to_be_in_viewport()
    expect(heading(page)).to_be_focused()
    expect(sign(page)).to_have_count(0)
