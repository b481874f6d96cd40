"""What people change by hand on the page, and all that follows from it, in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.changes import with_mask_cells_toggled, with_matrix
from mha_core.examples import load_example
from mha_core.layer.written import in_six_digits
from tests.browser.editing.conftest import EDITOR_IS_FETCHED
from tests.browser.hands import click_cell, paste, pick, place_of_matrix, zoom
from tests.browser.reading import (
    exact_numbers,
    open_page,
    outlined,
    plot_named,
    wait_for_numbers,
    wait_until,
)
from ui.number_format import format_number

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from mha_core import Scenario
    from tests.conftest import NewPage

PIZZA, TWO = load_example("pizza"), load_example("two-tokens")
CONCAT = 1  # among the matrices of the heads together
WIDE = {"width": 1920, "height": 1080}  # all columns of the grid are in sight


def shows(page: Page, scenario: Scenario) -> None:
    """The pictures hold this scenario's weights and output, to the last digit."""
    trace = attend(scenario)
    weights = np.where(trace.mask, trace.weights[0], np.nan)
    together = plot_named(page, "Concatenation")
    wait_for_numbers(plot_named(page, "Scores"), "weights/0", weights)
    wait_for_numbers(together, "output", trace.output)


def written_into(plot: Locator) -> list[str]:
    """The texts of a plot, as a picture of it has them."""
    plot.get_by_role("button", name="Copy or save").click()
    with plot.page.expect_download() as saved:
        plot.get_by_role("button", name="Save as SVG").click()
    plot.page.keyboard.press("Escape")  # the menu may lie over the cells
    expect(plot.locator(".plot-menu")).to_be_hidden()
    return re.findall(r"<text[^>]*>([^<]+)</text>", saved.value.path().read_text("utf-8"))


def test_a_block_is_pasted_from_a_spreadsheet_and_undone(new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, "/?example=two-tokens")
    page.get_by_text("Edit the numbers").click()
    page.get_by_test_id("stDataFrame").wait_for()
    wait_until(page, EDITOR_IS_FETCHED)
    click_cell(page, 0, 2)
    paste(page, "1,5\t1e-3\r\n-4\t1/4\r\n")
    expect(page).to_have_url(re.compile(r"x\.(cells|rows)="))
    x = TWO.x.copy()
    x[:, 2:] = [[1.5, 1e-3], [-4, 0.25]]
    shows(page, with_matrix(TWO, "x", x))
    page.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile(r"\?example=two-tokens$"))
    shows(page, TWO)


def test_the_mask_is_drawn_by_keyboard_and_read_aloud_and_by_clicking_its_cells(page: Page) -> None:
    open_page(page, "/?example=pizza")
    page.get_by_text("Draw the mask").click()
    mask = plot_named(page, "The mask")
    mask.locator(".plot-stage").focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    heard = mask.locator(".plot-unseen")
    expect(heard).to_have_text("Mask, query LOVE, key LOVE: 1")
    page.keyboard.press("Space")
    expect(heard).to_have_text("Mask, query LOVE, key LOVE: masked")
    page.keyboard.press("Space")
    expect(heard).to_have_text("Mask, query LOVE, key LOVE: 1")
    hides_one_more = page.get_by_text("The causal and drawn masks hide 7 of 16 cells.")
    expect(hides_one_more).to_have_count(0)
    pick(mask, 0, 2, 1, columns=4)
    expect(hides_one_more.first).to_be_visible()
    shows(page, with_mask_cells_toggled(PIZZA, [(2, 1)]))
    pick(mask, 0, 2, 1, columns=4)
    expect(hides_one_more).to_have_count(0)
    shows(page, PIZZA)


def test_a_picked_cell_is_outlined_wherever_it_stands_and_kept_in_the_address(page: Page) -> None:
    open_page(page, "/?example=pizza&head=1")
    heads, one = plot_named(page, "Scores"), plot_named(page, "Head 1:")
    together = plot_named(page, "Concatenation")
    together.wait_for()
    pick(heads, "weights/0", 3, 1, columns=4)  # the weights of head 1
    expect(page).to_have_url(re.compile(r"cell=weights%2F0%3A4.2"))
    for plot, count in ((heads, 1), (one, 1), (together, 0)):
        expect(outlined(plot)).to_have_count(count)
    pick(together, 2, 1, 7, columns=8, rows=4)  # the output
    expect(page).to_have_url(re.compile(r"cell=output%3A2.8"))
    for plot, count in ((heads, 1), (one, 0), (together, 1)):  # it stands beside the heads too
        expect(outlined(plot)).to_have_count(count)
    pick(heads, "weights/0", 3, 1, columns=4)  # the first again: the heads send nothing new of it
    for plot, count in ((heads, 1), (one, 1), (together, 0)):
        expect(outlined(plot)).to_have_count(count)


def test_numbers_narrower_than_a_pixel_come_apart_by_zooming_in(page: Page) -> None:
    concat = attend(load_example("pizza-1024")).concat
    open_page(page, "/?example=pizza-1024")
    together = plot_named(page, "Concatenation")
    together.get_by_text("A dot is the mean of up to 9 cells").wait_for()
    together.get_by_role("button", name="Show as table").click()
    np.testing.assert_array_equal(exact_numbers(together, "concat"), concat[:, :128])
    height = place_of_matrix(together, CONCAT).height
    headers = together.locator("thead th")
    zoom(together, CONCAT, (300, 2), (320, height - 2))
    expect(headers.first).not_to_have_text("1.1")
    first_before = headers.first.inner_text()
    zoom(together, CONCAT, (100, 2), (200, height - 2))
    expect(headers.first).not_to_have_text(first_before)
    names = [f"{head}.{column}" for head in range(1, 9) for column in range(1, 129)]
    labels = headers.all_inner_texts()
    first = names.index(labels[0])
    assert 5 < len(labels) < 20
    assert labels == names[first : first + len(labels)]
    in_view = concat[:, first : first + len(labels)]
    np.testing.assert_array_equal(exact_numbers(together, "concat"), in_view)
    assert set(map(format_number, in_view.ravel())) <= set(written_into(together))
    pick(together, CONCAT, 2, 5, columns=len(labels), rows=4)
    tip = together.locator(".plot-tip div")
    expect(tip.nth(1)).to_have_text("query PEPPERONI")
    column = names.index(tip.nth(2).inner_text().removeprefix("concat "))
    value = together.locator(".plot-tip-value").inner_text().removeprefix("≈ ")
    assert value == in_six_digits(concat[2, column])
    expect(page).to_have_url(re.compile(rf"cell=concat%3A3\.{column + 1}"))
    together.get_by_role("button", name="Reset zoom").click()
    expect(headers.first).to_have_text("1.1")
