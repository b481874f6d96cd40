"""A page without editors shows its numbers, labels and heads, and changes none of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from tests.browser.hands import pick, place_of, place_of_cell
from tests.browser.reading import exact_numbers, open_page, plot_named
from tests.browser.test_editing_in_place import COLUMNS, OPEN, PIZZA, X, field
from tests.browser.test_headings import heading
from tests.browser.test_labels import click, middle, name_field, spoken
from tests.browser.test_mask_pen import pen

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_nothing_is_typed_dragged_renamed_switched_or_drawn(page: Page) -> None:
    open_page(page, f"{OPEN}&hide=editors")
    way_in, heads = plot_named(page, "X, the projections"), plot_named(page, "Scores and weights")
    pick(way_in, X, 0, 0, COLUMNS)
    expect(page).to_have_url(re.compile("cell="))
    page.keyboard.type("5")
    expect(field(way_in)).to_be_hidden()
    x, y, width, height = place_of_cell(way_in, X, 0, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=5)
    page.mouse.up()
    assert np.array_equal(exact_numbers(way_in, "x"), PIZZA.x)

    for _ in range(2):
        click(way_in, "LOVE")
    expect(name_field(way_in)).to_be_hidden()
    expect(way_in.locator(".plot-more")).to_be_hidden()
    pick(way_in, X, 1, 0, COLUMNS)
    page.keyboard.press("ArrowLeft")
    expect(spoken(way_in)).to_contain_text("Input, token LOVE, d_model 1")

    page.mouse.move(*middle(place_of(heading(heads, 1))))
    page.mouse.down()
    page.mouse.up()
    expect(heads.locator(".plot-more")).to_be_hidden()
    pick(heads, "masked_scores/0", 0, 0, columns=4)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(spoken(heads)).to_contain_text("query I, key I")

    expect(heads.get_by_role("button", name="Show as table")).to_be_visible()
    expect(pen(heads)).to_be_hidden()
