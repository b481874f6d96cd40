"""What moved, in a real browser: while a number is dragged, and after it.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from mha_core import Trace, attend
from mha_core.examples import load_example
from tests.browser.dragging import TALL, drag_live, press_and_drag, trace_with
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers
from tests.browser.slow_line import SlowLine
from tests.browser.test_editing_in_place import COLUMNS, OPEN, X, plot_at, x_with
from ui.figures.moved import format_difference

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

PIZZA = load_example("pizza")
TO = 40  # pixels: 0.4
DRAGGED = trace_with(x_with(r1c2=0.4))


def captions(page: Page) -> list[str]:
    """How far the colours of X, the projections and Q, K and V go."""
    return captions_on(page).all_text_contents()


def captions_on(page: Page) -> Locator:
    texts = plot_at(page).locator(".plot-ranges text")
    return texts.filter(has_text="difference")


def expected_captions(now: Trace, then: Trace) -> list[str]:
    changes = [np.abs(getattr(now, step) - getattr(then, step)).max() for step in ("q", "k", "v")]
    moved = [0, 0, 0, np.abs(now.x - then.x).max(), *changes]
    return [
        f"difference ±{format_difference(c, 2).removeprefix('+')}" if c else "no difference"
        for c in moved
    ]


def range_of_weights(page: Page) -> list[str]:
    """What stands beside the colour bar of the weights."""
    heads = plot_named(page, "Scores and weights")
    texts = heads.locator(".plot-ranges text").all_text_contents()
    return texts[-4:]


def expected_range(now: Trace, then: Trace) -> list[str]:
    reach = np.abs(now.weights - then.weights).max()
    return [*(format_difference(value, 2) for value in (-reach, 0, reach)), "difference"]


def tip(page: Page) -> str:
    return plot_at(page).locator(".plot-tip").inner_text()


def said(page: Page) -> str:
    return plot_named(page, "Scores and weights").locator(".plot-moved").inner_text()


def test_while_a_number_is_dragged_pictures_show_the_difference_from_where_each_drag_began(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=TALL)
    open_page(page, f"{OPEN}&moved=before")
    assert said(page) == "Nothing has moved."
    assert captions(page) == ["no difference"] * 7
    drag_live(page, 1, 2, to=TO)
    assert captions(page) == expected_captions(DRAGGED, attend(PIZZA))
    assert range_of_weights(page) == expected_range(DRAGGED, attend(PIZZA))
    assert tip(page).endswith("0.4\nbefore 0, difference +0.4")
    assert said(page) == ""  # what moved before is not what moves now
    page.mouse.up()
    named = plot_named(page, "Scores and weights").get_by_text("The largest change: ")
    expect(named).to_be_visible()
    assert captions(page) == expected_captions(DRAGGED, attend(PIZZA))  # the server's are the same
    assert range_of_weights(page) == expected_range(DRAGGED, attend(PIZZA))

    drag_live(page, 0, 0, to=20)
    now = trace_with(x_with(r1c2=0.4, r0c0=1.2))
    assert captions(page) == expected_captions(now, DRAGGED)
    assert range_of_weights(page) == expected_range(now, DRAGGED)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(captions_on(page)).to_have_text(expected_captions(DRAGGED, attend(PIZZA)))  # as before


def test_a_second_drag_begins_with_no_difference_before_the_first_is_answered(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    page.set_viewport_size(TALL)
    open_page(page, f"{OPEN}&moved=before")
    drag_live(page, 1, 2, to=TO)
    line.hold()
    page.mouse.up()
    press_and_drag(page, 0, 0, to=(20, 0))
    now = trace_with(x_with(r1c2=0.4, r0c0=1.2))
    expect(captions_on(page)).to_have_text(expected_captions(now, DRAGGED))
    assert range_of_weights(page) == expected_range(now, DRAGGED)
    line.wait_for_runs(1)
    line.let_go()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    expect(captions_on(page)).to_have_text(expected_captions(now, DRAGGED))
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.2"))
    expect(captions_on(page)).to_have_text(expected_captions(now, DRAGGED))


def test_from_the_example_a_drag_goes_on(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, f"{OPEN}&moved=example&scale=1")
    drag_live(page, 1, 2, to=TO)
    assert captions(page) == expected_captions(DRAGGED, attend(PIZZA))
    assert tip(page).endswith("0.4\nin the example 0, difference +0.4")
    page.keyboard.press("Escape")
    page.mouse.up()


def test_once_switched_on_a_typed_number_is_the_number_and_the_table_has_numbers(
    page: Page,
) -> None:
    open_page(page, OPEN)
    page.get_by_role("button", name="Moved").click()
    page.get_by_text("From before the last change").click()
    expect(page.locator(".plot-moved").get_by_text("Nothing has moved").first).to_be_visible()
    page.wait_for_url("**moved=before*")
    page.keyboard.press("Escape")
    plot = plot_at(page)
    for _ in range(2):  # the second one opens the cell
        pick(plot, X, 0, 0, COLUMNS)
    field = plot.locator(".plot-edit")
    expect(field).to_have_value("1")
    field.fill("1.5")
    field.press("Enter")
    wait_for_numbers(plot, "x", x_with(r0c0=1.5))
    assert exact_numbers(plot, "x")[0, 0] == 1.5
    expect(plot.locator("caption")).to_have_text("Input, the numbers as they are now")
    x, y, width, height = place_of_cell(plot, X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    expect(plot.locator(".plot-tip")).to_contain_text("before 1, difference +0.5")
