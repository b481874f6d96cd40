"""Heads that are moved and switched off at their headings, in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.changes import with_heads, with_heads_off
from mha_core.changing.reordering import with_head_moved
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of
from tests.browser.reading import (
    exact_numbers,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.slow_line import SlowLine
from tests.browser.test_accessibility import IN_THE_HEADS, violations
from tests.browser.test_labels import label, middle, name_field, spoken, tokens_are

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from mha_core import Trace
    from tests.conftest import NewPage

PIZZA = with_heads(load_example("pizza"), 4)
OPEN = "/?example=pizza&heads=4"
TOKENS = 4

# The page scrolls, and two frames later a menu has followed.
SCROLL = """async (plot, by) => {
  const main = plot.closest("[data-testid=stMain]");
  const before = main.scrollTop;
  main.scrollBy({ top: by, behavior: "instant" });
  if (main.scrollTop === before) throw new Error("It does not scroll.");
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}"""
BELOW_HEADING = """(heading) => {
  const menu = heading.closest(".plot").querySelector(".plot-label-menu");
  return menu.getBoundingClientRect().top - heading.getBoundingClientRect().top;
}"""


@pytest.fixture
def heads(page: Page) -> Locator:
    open_page(page, OPEN)
    return heads_of(page)


def heads_of(page: Page) -> Locator:
    """The picture of the heads, once its labels can be edited."""
    plot = plot_named(page, "Scores and weights")
    page.get_by_role("button", name="Undo").wait_for()
    return plot


def heading(plot: Locator, head: int) -> Locator:
    return label(plot, f"Head {head}")


def to_heading(plot: Locator, head: int) -> None:
    """The cursor of the keyboard goes to a heading, by way of a cell and the label above it."""
    pick(plot, f"masked_scores/{head - 1}", 0, 0, TOKENS)
    plot.page.keyboard.press("ArrowUp")
    plot.page.keyboard.press("ArrowUp")
    expect(spoken(plot)).to_contain_text(f"Head {head} of 4")


def headings_are(plot: Locator, *texts: str) -> None:
    drawn = plot.locator("svg.plot-ink").first.locator("text", has_text=re.compile("^Head "))
    expect(drawn).to_have_text([*texts])


def wait_for_weights(plot: Locator, head: int, trace: Trace) -> None:
    """Wait until a head, from 0, has these weights."""
    seen = np.where(trace.mask, trace.weights[head], np.nan)
    wait_for_numbers(plot, f"weights/{head}", seen)


def undo(page: Page) -> Locator:
    return page.get_by_role("button", name="Undo")


def test_heads_are_switched_off_in_a_menu_which_moves_nothing_and_moved_and_by_keyboard_alone(
    page: Page, heads: Locator
) -> None:
    parts = [
        page.locator("h1"),
        heads,
        heads.locator(".plot-scroll"),
        page.locator(".st-key-fold-together"),
    ]
    size = "element => [element.scrollWidth, element.scrollHeight]"
    place_of(heading(heads, 4))
    scroll = heads.locator(".plot-scroll")
    before = [each.bounding_box() for each in parts], scroll.evaluate(size)
    for head in (1, 4):
        page.mouse.move(*middle(place_of(heading(heads, head))))
        expect(heads.locator(".plot-more")).to_be_visible()
        assert ([each.bounding_box() for each in parts], scroll.evaluate(size)) == before

    page.mouse.move(*middle(place_of(heading(heads, 2))))
    heads.get_by_role("button", name="Head 2 of 4: switch, move").click()
    items = heads.get_by_role("menuitem")
    expect(items).to_have_text(["Switch off", "Move left", "Move right"])
    assert violations(page, where=IN_THE_HEADS) == []
    items.first.click()
    headings_are(heads, "Head 1", "Head 2, off", "Head 3", "Head 4")
    assert violations(page, where=IN_THE_HEADS) == []
    expect(spoken(heads)).to_have_text("Head 2 of 4, off; can be moved and switched on")
    page.keyboard.press("Space")
    expect(items.first).to_have_text("Switch on")
    page.keyboard.press("Enter")
    headings_are(heads, "Head 1", "Head 2", "Head 3", "Head 4")
    for texts in (("Head 1", "Head 2, off"), ("Head 1", "Head 2")):
        undo(page).click()
        headings_are(heads, *texts, "Head 3", "Head 4")
        is_off = "Head 2, off" in texts
        output = attend(with_heads_off(PIZZA, {1} if is_off else set())).output
        wait_for_numbers(plot_named(page, "Concatenation"), "output", output)
    expect(undo(page)).to_be_disabled()

    menu = heads.locator(".plot-label-menu")
    for head, by in ((3, 20), (4, 5000)):
        page.mouse.move(*middle(place_of(heading(heads, head))))
        heads.locator(".plot-more").click()
        expect(menu).to_be_visible()
        below = heading(heads, head).evaluate(BELOW_HEADING)
        heads.evaluate(SCROLL, by)
        if by == 20:
            assert heading(heads, head).evaluate(BELOW_HEADING) == pytest.approx(below, abs=1)
            menu.get_by_role("menuitem", name="Switch off").click()
            headings_are(heads, "Head 1", "Head 2", "Head 3, off", "Head 4")
    expect(menu).to_be_hidden()  # it went out of the window
    undo(page).click()
    headings_are(heads, "Head 1", "Head 2", "Head 3", "Head 4")

    # They are moved by a drag, and moved and switched off by the keyboard alone.
    parts = [page.locator("h1"), page.locator(".strip"), heads, heads.locator("canvas").first]
    place_of(heading(heads, 1))  # which scrolls there
    before = [each.bounding_box() for each in parts]
    start, to = (middle(place_of(heading(heads, head))) for head in (1, 4))
    for gives_up in (True, False):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(to[0] - 40, to[1] + 60, steps=5)
        expect(heads.locator(".plot-landing")).to_be_attached()
        assert [each.bounding_box() for each in parts] == before
        if gives_up:
            page.keyboard.press("Escape")
        page.mouse.up()
        expect(heads.locator(".plot-landing")).to_have_count(0)
    moved = with_head_moved(PIZZA, 0, 2)
    wait_for_weights(heads, 2, attend(moved))
    np.testing.assert_array_equal(attend(moved).weights[2], attend(PIZZA).weights[0])
    output = exact_numbers(plot_named(page, "Concatenation"), "output")
    np.testing.assert_allclose(output, attend(PIZZA).output, rtol=0, atol=1e-12)
    undo(page).click()
    wait_for_weights(heads, 2, attend(PIZZA))
    expect(undo(page)).to_be_disabled()

    to_heading(heads, 1)
    expect(spoken(heads)).to_have_text("Head 1 of 4; can be moved and switched off")
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("Alt+ArrowRight")  # before the server has answered
    page.keyboard.press("o")
    headings_are(heads, "Head 1", "Head 2", "Head 3, off", "Head 4")
    page.keyboard.press("ArrowLeft")
    expect(spoken(heads)).to_have_text("Head 2 of 4; can be moved and switched off")
    page.keyboard.press("Delete")
    headings_are(heads, "Head 1", "Head 2, off", "Head 3, off", "Head 4")
    page.keyboard.press("ArrowDown")
    expect(spoken(heads)).to_contain_text("Column 1, key I")
    page.keyboard.press("ArrowDown")
    expect(spoken(heads)).to_contain_text("Masked scores, head 2, query I, key I")
    moved = with_head_moved(with_head_moved(PIZZA, 0, 1), 1, 2)
    wait_for_weights(heads, 2, attend(moved))
    tokens_are(page, *PIZZA.tokens)


def test_a_head_that_is_off_is_seen_at_once_and_late_acts_are_for_the_head_that_was_meant(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    open_page(page, f"{OPEN}&off=0")
    heads = heads_of(page)
    off, on = label(heads, "Head 1, off"), label(heads, "Head 2")
    expect(off).to_be_in_viewport(ratio=1)
    weights = [each.get_attribute("font-weight") for each in (off, on)]
    assert weights == ["400", "600"]
    pick(heads, "masked_scores/0", 0, 0, TOKENS)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    wait_for_the_end_of_the_run(page)
    line.hold()
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("o")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("o")
    line.wait_for_runs(1)
    line.let_go()
    headings_are(heads, "Head 1", "Head 2", "Head 3, off", "Head 4")


def test_a_head_that_shares_keys_stays_in_its_group_and_the_page_says_why(page: Page) -> None:
    open_page(page, "/?example=grouped-query")
    heads = heads_of(page)
    page.mouse.click(*middle(place_of(heading(heads, 2))))
    expect(spoken(heads)).to_have_text("Head 2 of 4; can be moved and switched off")
    page.keyboard.press("Alt+ArrowRight")
    said = heads.locator(".plot-refusals")
    expect(said).to_have_text(
        "Head 2 must stay among heads 1 to 2, which share its keys and values, got place 3. "
        "Move it among these, or take 4 key/value heads: one for each head."
    )
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Alt+ArrowLeft")
    expect(said).to_be_empty()
    moved = with_head_moved(load_example("grouped-query"), 1, 0)
    wait_for_weights(heads, 0, attend(moved))


def test_by_touch_a_tap_on_a_heading_or_a_label_shows_its_menu_and_a_second_one_renames(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, "/?example=pizza")
    heads = heads_of(page)
    page.touchscreen.tap(*middle(place_of(heading(heads, 2))))
    heads.locator(".plot-more").tap()
    heads.get_by_role("menuitem", name="Switch off").tap()
    headings_are(heads, "Head 1", "Head 2, off")
    heads.locator(".plot-more").tap()
    heads.get_by_role("menuitem", name="Move up").tap()  # they stand below each other
    headings_are(heads, "Head 1, off", "Head 2")

    page.touchscreen.tap(*middle(place_of(label(heads, "LOVE"))))
    heads.locator(".plot-more").tap()
    heads.get_by_role("menuitem", name="Move down").tap()
    expect(spoken(heads)).to_contain_text("Row 3, token LOVE")
    page.touchscreen.tap(*middle(place_of(label(heads, "LOVE"))))
    expect(name_field(heads)).to_be_focused()
    page.keyboard.type("HATE")
    page.keyboard.press("Enter")
    expect(label(heads, "HATE")).to_be_attached()
