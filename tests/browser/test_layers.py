"""Several layers in a real browser: one more, a drag that moves both, the way down, a phone.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from playwright.sync_api import expect

from mha_core import attend, load_example
from mha_core.changing.changes import with_matrix
from mha_core.changing.layers import as_stack, with_layer_count
from tests.browser.hands import pick, place_of_cell, tap
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers
from tests.browser.test_accessibility import OF_PLACES, PHONE, violations, violations_in_both_themes

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

TWO: Final = "/?example=the-cat&layers=2&2.example=the-cat"
COLUMNS: Final = 6
OVERFLOW: Final = "document.documentElement.scrollWidth > innerWidth"
CUT_OFF: Final = """each => {
  for (let around = each; !around.matches(".stSidebar"); around = around.parentElement) {
    if (around.scrollWidth > around.clientWidth + 1) return true;
  }
  return false;
}"""
CAT: Final = load_example("the-cat")
STACK: Final = with_layer_count(as_stack(CAT), 2)


def all_layers(page: Page) -> Locator:
    return plot_named(page, "Weights of all layers")


def panel(page: Page) -> Locator:
    return page.locator(".plot-where-from:visible")


def show_layer(page: Page, number: int) -> None:
    page.get_by_role("radio", name=f"Layer {number}").click()
    expect(page.get_by_role("radio", name=f"Layer {number}")).to_be_checked()


def test_a_layer_is_added_and_the_way_down_leads_through_it(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 900})
    open_page(page, "/")
    page.locator('[data-field="layers"] input').nth(1).click()
    expect(all_layers(page)).to_be_visible()
    show_layer(page, 2)
    expect(
        page.get_by_text("X of layer 2 is X of layer 1 and what that layer added.")
    ).to_be_visible()
    x, y, width, height = place_of_cell(all_layers(page), "x", 1, 0, COLUMNS)
    page.mouse.click(x + width / 2, y + height / 2)
    expect(panel(page)).to_contain_text("Layer 2: X[cat (2), noun] = 1.40")
    panel(page).get_by_role("button", name="Layer 1: output").first.click()
    expect(panel(page)).to_contain_text("Layer 1: output[cat (2), noun] = 0.40")
    expect(page.get_by_role("radio", name="Layer 1")).to_be_checked()
    panel(page).get_by_role("button", name="Layer 2: X").click()
    expect(page.get_by_role("radio", name="Layer 2")).to_be_checked()
    expect(panel(page)).to_contain_text("Layer 2: X[cat (2), noun] = 1.40")

    pick(plot_named(page, "Scores"), "weights/0", 1, 1, COLUMNS)
    page.get_by_text("Why does it look there?").click()
    page.locator(".checked.parts table").wait_for()
    assert violations_in_both_themes(page) == []


def test_a_link_opens_both_layers_a_drag_in_layer_1_moves_layer_2_at_once_and_all_fit_a_phone(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 1280, "height": 900})
    open_page(page, f"{TWO}&layer=2")
    expect(page.get_by_role("radio", name="Layer 2")).to_be_checked()
    show_layer(page, 1)
    expect(page).not_to_have_url(re.compile("layer=2"))
    plot = all_layers(page)
    x, y, width, height = place_of_cell(plot, "x", 1, 1, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 40, y + height / 2, steps=2)
    further = np.zeros_like(CAT.x)
    further[1, 1] = 0.4
    wait_for_numbers(plot, "x", CAT.x + further, 1e-6)
    moved = with_matrix(CAT, "x", exact_numbers(plot, "x"))
    trace = attend(replace(STACK, layers=(moved, *STACK.above)))
    for head in range(CAT.n_heads):
        wait_for_numbers(plot, f"2.weights/{head}", trace.layers[1].weights[head], 1e-9)
    wait_for_numbers(plot, "stream", trace.stream[-1], 1e-9)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"x\.cells="))
    np.testing.assert_allclose(exact_numbers(plot, "stream"), trace.stream[-1], atol=1e-9)

    page.set_viewport_size(PHONE)
    tap(page.get_by_role("radio", name="Layer 2"))
    expect(page.get_by_role("radio", name="Layer 2")).to_be_checked()
    expect(page).to_have_url(re.compile("layer=2"))
    assert not page.evaluate(OVERFLOW)
    assert violations(page, OF_PLACES) == []


def test_each_side_of_a_comparison_says_its_layers_whole(page: Page) -> None:
    layers = ["example=the-cat", "layers=2", "2.example=the-cat"]
    sides = [f"{side}.{param}" for side in "ab" for param in layers]
    open_page(page, f"/compare?{'&'.join(sides)}")
    buttons = page.locator(".stSidebar").get_by_role("radio", name=re.compile(r"^Layer \d$"))
    expect(buttons).to_have_count(2)  # of the side that is changed
    for button in buttons.all():
        button.scroll_into_view_if_needed()
        assert not button.evaluate(CUT_OFF)
