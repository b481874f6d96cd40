"""The mask is drawn in the pictures of scores and weights, in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend, decode_link
from mha_core.changing.changes import with_mask_cells_toggled
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import (
    exact_numbers,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.slow_line import SlowLine

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from mha_core import Scenario

PIZZA = load_example("pizza")  # causal
SCORES, WEIGHTS = "masked_scores/0", "weights/0"
KEYS = 4


@pytest.fixture
def heads(page: Page) -> Locator:
    open_page(page, "/?example=pizza")
    plot = plot_named(page, "Scores")
    pen(plot).wait_for()
    return plot


def pen(plot: Locator) -> Locator:
    return plot.get_by_role("button", name="Mask pen")


def drag_over(plot: Locator, matrix: int | str, *cells: tuple[int, int]) -> None:
    """Press the first cell and move over the others. The button stays pressed."""
    mouse = plot.page.mouse
    for count, cell in enumerate(cells):
        x, y, width, height = place_of_cell(plot, matrix, *cell, KEYS)
        mouse.move(x + width / 2, y + height / 2)
        if count == 0:
            mouse.down()


def wait_for_mask(heads: Locator, *cells: tuple[int, int]) -> None:
    """Wait until these cells are hidden beside those of the causal mask."""
    wait_for_weights(heads, with_mask_cells_toggled(PIZZA, cells) if cells else PIZZA)


def wait_for_weights(heads: Locator, scenario: Scenario) -> None:
    trace = attend(scenario)
    wait_for_numbers(heads, "weights/0", np.where(trace.mask, trace.weights[0], np.nan))


def test_a_stroke_of_the_pen_or_with_a_key_is_one_step_and_escape_ends_or_a_rule_refuses_one(
    heads: Locator, page: Page
) -> None:
    before = exact_numbers(heads, "weights/0")
    pen(heads).click()
    expect(pen(heads)).to_have_attribute("aria-pressed", "true")
    drag_over(heads, WEIGHTS, (3, 0), (3, 1))
    wait_until_about(heads, (3, 0), (3, 1))
    page.keyboard.press("Escape")
    wait_for_numbers(heads, "weights/0", before)
    page.mouse.up()
    drag_over(heads, WEIGHTS, (2, 0), (3, 1), (3, 2))
    page.mouse.up()
    wait_for_mask(heads, (2, 0), (3, 1), (3, 2))  # and nothing of the stroke before
    page.get_by_role("button", name="Undo").click()
    wait_for_mask(heads)
    pick(heads, WEIGHTS, 0, 3, KEYS)
    refusals = heads.locator(".plot-refusals")
    expect(refusals).to_contain_text("query I, key PIZZA, which a rule hides. Remove that rule")
    pick(heads, SCORES, 1, 0, KEYS)  # a press is a stroke of one cell
    wait_for_mask(heads, (1, 0))
    expect(refusals).to_be_empty()
    page.keyboard.press("Escape")
    expect(pen(heads)).to_have_attribute("aria-pressed", "false")
    for is_in_hand in ("true", "false", "true"):
        pen(heads).click()
        expect(pen(heads)).to_have_attribute("aria-pressed", is_in_hand)
    page.keyboard.press("Escape")
    expect(pen(heads)).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Undo").click()
    wait_for_mask(heads)

    # Ctrl draws without the pen, and M does so by keyboard.
    page.keyboard.down("Control")
    drag_over(heads, WEIGHTS, (3, 0), (3, 2))
    page.mouse.up()
    page.keyboard.up("Control")
    wait_for_mask(heads, (3, 0), (3, 1), (3, 2))  # also the cell that it jumped over
    page.get_by_role("button", name="Undo").click()
    wait_for_mask(heads)
    pick(heads, WEIGHTS, 3, 1, KEYS)
    page.keyboard.press("m")
    wait_for_mask(heads, (3, 1))
    heard = heads.locator(".plot-unseen")
    expect(heard).to_have_text("Weights, head 1, query PIZZA, key LOVE: masked")
    page.keyboard.press("m")
    wait_for_mask(heads)


def test_the_weights_follow_while_one_draws_and_are_the_servers_after_it(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    open_page(page, "/?example=pizza")
    heads = plot_named(page, "Scores")
    pen(heads).click()
    drag_over(heads, WEIGHTS, (3, 0), (3, 1))
    wait_until_about(heads, (3, 0), (3, 1))
    x, y, width, height = place_of_cell(heads, WEIGHTS, 2, 1, KEYS)
    page.mouse.move(x + width / 2, y + height / 2)
    wait_until_about(heads, (3, 0), (3, 1), (2, 1))
    line.hold()
    page.mouse.up()
    line.wait_for_runs(1)
    wait_until_about(heads, (3, 0), (3, 1), (2, 1))  # it stays
    drag_over(heads, WEIGHTS, (3, 1))  # which is hidden: it is shown again
    wait_until_about(heads, (3, 0), (2, 1))
    line.let_go()
    page.mouse.up()
    wait_for_mask(heads, (3, 0), (2, 1))
    assert "".join(page.locator(".plot-live-note").all_inner_texts()) == ""


def wait_until_about(heads: Locator, *cells: tuple[int, int]) -> None:
    """Wait until the weights, up to rounding, are those of a mask where these cells are hidden."""
    trace = attend(with_mask_cells_toggled(PIZZA, cells))
    wait_for_numbers(heads, "weights/0", np.where(trace.mask, trace.weights[0], np.nan), 1e-12)


def test_in_the_mask_itself_every_press_draws_and_the_additive_one_is_typed_and_dragged(
    page: Page,
) -> None:
    open_page(page, "/?example=two-tokens")
    page.get_by_text("Draw the mask").click()
    mask = plot_named(page, "The mask")
    mask.wait_for()
    x, y, width, height = place_of_cell(mask, 0, 0, 0, 2)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width * 1.5, y + height / 2)
    page.mouse.up()
    wait_for_numbers(mask, "mask", [[np.nan, np.nan], [1, 1]])
    expect(page).to_have_url(re.compile("custom.rows="))
    wait_for_the_end_of_the_run(page)  # it says more of the mask, above the picture below

    additive = plot_named(page, "The additive mask")
    additive.wait_for()
    pick(additive, 0, 0, 1, 2)
    page.keyboard.type("-inf")
    page.keyboard.press("Enter")
    wait_for_numbers(additive, "mask.additive", [[0, np.nan], [0, 0]])
    pick(additive, 0, 0, 1, 2)
    page.keyboard.press("F2")
    expect(additive.locator(".plot-edit")).to_have_value("-inf")
    page.keyboard.press("Escape")
    x, y, width, height = place_of_cell(additive, 0, 1, 0, 2)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 50, y + height / 2, steps=5)
    page.mouse.up()
    wait_for_numbers(additive, "mask.additive", [[0, np.nan], [0.5, 0]])


def test_vectors_sinks_additions_and_their_gate_are_typed_and_dragged_and_their_heads_follow(
    page: Page,
) -> None:
    vectors_of_0 = "distances=3&r_k.rows=0_0_0_0+0_0_0_0+0_0_0_0"
    gate = "b_s.rows=0_1+2_0+0_1+2_0&w_f.rows=1_0_0_0+0_1_0_0+0_0_1_0+0_0_0_1&c_f.rows=1_1"
    link = f"example=two-tokens&heads=2&{vectors_of_0}&{gate}&sinks.rows=-1_0.5"
    s = decode_link(link)
    plain = attend(s)
    page.set_viewport_size({"width": 1280, "height": 1280})
    open_page(page, f"/?{link}")
    page.get_by_text("Draw the mask").click()
    sinks, vectors, added, gated, heads = (
        plot_named(page, name)
        for name in (
            "The score of the sink",
            "The vectors of distances",
            "What each head adds to its scores",
            "The shares, the factors and what is added",
            "Scores",
        )
    )
    wait_for_numbers(gated, "factors/1", plain.factors[1])

    r_k = np.zeros((3, 4))
    r_k[0, 1] = 2
    type_into(vectors, 0, 0, 1, 4, "2")
    wait_for_numbers(vectors, "r_k", r_k)
    s = replace(s, r_k=r_k)
    wait_for_numbers(heads, "weights/0", attend(s).weights[0])
    wait_for_numbers(heads, "weights/1", plain.weights[1])
    press_and_drag(vectors, 0, 0, 1, 4)
    r_k = r_k.copy()
    r_k[0, 1] = 3
    wait_for_numbers(vectors, "r_k", r_k)
    s = replace(s, r_k=r_k)
    np.testing.assert_allclose(exact_numbers(heads, "weights/0"), attend(s).weights[0])
    page.mouse.up()
    wait_for_numbers(heads, "weights/0", attend(s).weights[0])

    b_s = s.b_s.copy()
    b_s[3, 0] = 5
    type_into(added, "b_s", 3, 0, 2, "5")
    wait_for_numbers(added, "b_s", b_s)
    s, before = replace(s, b_s=b_s), attend(s)
    wait_for_numbers(heads, "weights/1", attend(s).weights[1])
    wait_for_numbers(heads, "weights/0", before.weights[0])

    type_into(added, "c_f", 0, 1, 2, "3")
    typed = attend(replace(s, c_f=np.array([1.0, 3])))
    wait_for_numbers(gated, "bias/1", typed.bias[1])
    press_and_drag(added, "c_f", 0, 1, 2)
    wait_for_numbers(added, "c_f", [[1, 4]])
    dragged = attend(replace(s, c_f=np.array([1.0, 4])))
    np.testing.assert_allclose(exact_numbers(gated, "factors/1"), dragged.factors[1])
    np.testing.assert_allclose(exact_numbers(gated, "bias/1"), dragged.bias[1])
    np.testing.assert_allclose(exact_numbers(heads, "weights/1"), dragged.weights[1])
    np.testing.assert_allclose(exact_numbers(heads, "weights/0"), before.weights[0])
    page.mouse.up()
    wait_for_numbers(gated, "factors/1", dragged.factors[1])
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(gated, "factors/1", typed.factors[1])

    s = replace(s, c_f=np.array([1.0, 3]))
    type_into(sinks, 0, 0, 1, 2, "0")
    wait_for_numbers(sinks, "sinks", [[-1, 0]])
    press_and_drag(sinks, 0, 0, 0, 2)
    wait_for_numbers(sinks, "sinks", [[0, 0]])
    shares = attend(replace(s, sinks=np.zeros(2))).sink_weights
    np.testing.assert_allclose(exact_numbers(heads, "sink_weights/0"), shares[0])
    page.mouse.up()
    wait_for_numbers(heads, "sink_weights/0", shares[0])


def type_into(
    plot: Locator, matrix: int | str, row: int, column: int, columns: int, text: str
) -> None:
    pick(plot, matrix, row, column, columns)
    plot.page.keyboard.type(text)
    plot.page.keyboard.press("Enter")


def press_and_drag(plot: Locator, matrix: int | str, row: int, column: int, columns: int) -> None:
    """Drag a number by 100 pixels. The button stays pressed."""
    x, y, width, height = place_of_cell(plot, matrix, row, column, columns)
    plot.page.mouse.move(x + width / 2, y + height / 2)
    plot.page.mouse.down()
    plot.page.mouse.move(x + width / 2 + 100, y + height / 2, steps=2)
