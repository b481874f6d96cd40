"""The mask is drawn in the pictures of scores and weights, in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend, decode_link
from mha_core.changing.changes import with_mask_cells_toggled
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers
from tests.browser.slow_line import SlowLine

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from mha_core import Scenario
    from tests.conftest import NewPage

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


def test_with_the_pen_in_hand_cells_are_drawn_over_and_one_stroke_is_undone_at_once(
    heads: Locator, page: Page
) -> None:
    pen(heads).click()
    expect(pen(heads)).to_have_attribute("aria-pressed", "true")
    drag_over(heads, WEIGHTS, (2, 0), (3, 1), (3, 2))
    page.mouse.up()
    wait_for_mask(heads, (2, 0), (3, 1), (3, 2))
    page.get_by_role("button", name="Undo").click()
    wait_for_mask(heads)
    pick(heads, SCORES, 1, 0, KEYS)  # a press is a stroke of one cell
    wait_for_mask(heads, (1, 0))
    pen(heads).click()
    expect(pen(heads)).to_have_attribute("aria-pressed", "false")


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


def test_escape_ends_a_stroke_and_the_weights_are_as_they_were(heads: Locator, page: Page) -> None:
    before = exact_numbers(heads, "weights/0")
    pen(heads).click()
    drag_over(heads, WEIGHTS, (3, 0), (3, 1))
    wait_until_about(heads, (3, 0), (3, 1))
    page.keyboard.press("Escape")
    wait_for_numbers(heads, "weights/0", before)
    page.mouse.up()
    drag_over(heads, WEIGHTS, (2, 0))
    page.mouse.up()
    wait_for_mask(heads, (2, 0))  # and nothing of the stroke before


def wait_until_about(heads: Locator, *cells: tuple[int, int]) -> None:
    """Wait until the weights, up to rounding, are those of a mask where these cells are hidden."""
    trace = attend(with_mask_cells_toggled(PIZZA, cells))
    wait_for_numbers(heads, "weights/0", np.where(trace.mask, trace.weights[0], np.nan), 1e-12)


def test_ctrl_draws_without_the_pen_and_m_does_so_by_keyboard(heads: Locator, page: Page) -> None:
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


def test_a_stroke_that_begins_where_a_rule_hides_is_refused_below_the_picture(
    heads: Locator, page: Page
) -> None:
    pen(heads).click()
    pick(heads, WEIGHTS, 0, 3, KEYS)
    refusals = heads.locator(".plot-refusals")
    expect(refusals).to_contain_text("query I, key PIZZA, which a rule hides. Remove that rule")
    pick(heads, WEIGHTS, 3, 0, KEYS)
    wait_for_mask(heads, (3, 0))
    expect(refusals).to_be_empty()


def test_in_the_mask_itself_every_press_draws(page: Page) -> None:
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


def test_by_touch_a_tap_draws_with_the_pen_in_hand(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1180, "height": 820}, has_touch=True, is_mobile=True)
    open_page(page, "/?example=pizza")
    heads = plot_named(page, "Scores")
    pen(heads).tap()
    x, y, width, height = place_of_cell(heads, WEIGHTS, 3, 1, KEYS)
    page.touchscreen.tap(x + width / 2, y + height / 2)
    wait_for_mask(heads, (3, 1))


def test_the_additive_mask_is_typed_and_dragged_in_its_picture(page: Page) -> None:
    open_page(page, "/?example=two-tokens")
    page.get_by_text("Draw the mask").click()
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


def test_sinks_are_typed_and_dragged_in_their_picture(page: Page) -> None:
    open_page(page, "/?example=pizza&sinks.rows=-1_0.5")
    page.get_by_text("Draw the mask").click()
    sinks, heads = plot_named(page, "The score of the sink"), plot_named(page, "Scores")
    sinks.wait_for()
    pick(sinks, 0, 0, 1, 2)
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    wait_for_numbers(sinks, "sinks", [[-1, 0]])
    x, y, width, height = place_of_cell(sinks, 0, 0, 0, 2)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 100, y + height / 2, steps=5)
    wait_for_numbers(sinks, "sinks", [[0, 0]])
    first = exact_numbers(heads, "sink_weights/0")[0]  # beside one key, whose score is 0 too
    np.testing.assert_allclose(first, 0.5)
    page.mouse.up()
    shares = attend(replace(PIZZA, sinks=np.zeros(2))).sink_weights
    wait_for_numbers(heads, "sink_weights/0", shares[0])


def test_vectors_of_distances_are_typed_and_dragged_in_their_picture(page: Page) -> None:
    before = "distances=3&r_k.rows=0_0_0_0+0_0_0_0+0_0_0_0"
    open_page(page, f"/?example=two-tokens&heads=2&{before}")
    page.get_by_text("Draw the mask").click()
    vectors, heads = plot_named(page, "The vectors of distances"), plot_named(page, "Scores")
    vectors.wait_for()
    pick(vectors, 0, 0, 1, 4)
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    r_k = np.zeros((3, 4))
    r_k[0, 1] = 2
    wait_for_numbers(vectors, "r_k", r_k)
    s = decode_link("example=two-tokens&heads=2")
    plain = attend(s)
    wait_for_numbers(heads, "weights/0", attend(replace(s, r_k=r_k)).weights[0])
    wait_for_numbers(heads, "weights/1", plain.weights[1])
    x, y, width, height = place_of_cell(vectors, 0, 0, 1, 4)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 100, y + height / 2, steps=5)
    dragged = r_k.copy()
    wait_until_moved = exact_numbers(vectors, "r_k")
    dragged[0, 1] = wait_until_moved[0][1]
    moved = attend(replace(s, r_k=dragged))
    np.testing.assert_allclose(exact_numbers(heads, "weights/0"), moved.weights[0])
    page.mouse.up()
    wait_for_numbers(heads, "weights/0", moved.weights[0])


def test_what_a_head_adds_to_its_scores_is_typed_and_only_its_weights_follow(page: Page) -> None:
    none = "+".join(["0_0"] * 4)  # two heads, each with a matrix of two queries and two keys
    open_page(page, f"/?example=two-tokens&heads=2&b_s.rows={none}")
    page.get_by_text("Draw the mask").click()
    added = plot_named(page, "What each head adds to its scores")
    added.wait_for()
    pick(added, 0, 3, 0, 2)
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    wait_for_numbers(added, "b_s", [[0, 0], [0, 0], [0, 0], [2, 0]])
    plain = decode_link("example=two-tokens&heads=2")
    trace = attend(replace(plain, b_s=np.array([[0.0, 0], [0, 0], [0, 0], [2, 0]])))
    heads = plot_named(page, "Scores")
    wait_for_numbers(heads, "weights/1", trace.weights[1])
    wait_for_numbers(heads, "weights/0", attend(plain).weights[0])


def test_a_constant_of_the_gate_is_dragged_and_its_heads_weights_follow(page: Page) -> None:
    gate = "b_s.rows=0_1+2_0+0_1+2_0&w_f.rows=1_0_0_0+0_1_0_0+0_0_1_0+0_0_0_1&c_f.rows=1_1"
    link = f"example=two-tokens&heads=2&{gate}"
    page.set_viewport_size({"width": 1280, "height": 1280})
    open_page(page, f"/?{link}")
    page.get_by_text("Draw the mask").click()
    added = plot_named(page, "What each head adds to its scores")
    gated = plot_named(page, "The shares, the factors and what is added")
    heads = plot_named(page, "Scores")
    s = decode_link(link)
    plain = attend(s)
    wait_for_numbers(gated, "factors/1", plain.factors[1])
    pick(added, "c_f", 0, 1, 2)
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    typed = attend(replace(s, c_f=np.array([1.0, 3])))
    wait_for_numbers(gated, "bias/1", typed.bias[1])
    x, y, width, height = place_of_cell(added, "c_f", 0, 1, 2)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 100, y + height / 2, steps=5)
    wait_for_numbers(added, "c_f", [[1, 4]])
    dragged = attend(replace(s, c_f=np.array([1.0, 4])))
    np.testing.assert_allclose(exact_numbers(gated, "factors/1"), dragged.factors[1])
    np.testing.assert_allclose(exact_numbers(gated, "bias/1"), dragged.bias[1])
    np.testing.assert_allclose(exact_numbers(heads, "weights/1"), dragged.weights[1])
    np.testing.assert_allclose(exact_numbers(heads, "weights/0"), plain.weights[0])
    page.mouse.up()
    wait_for_numbers(gated, "factors/1", dragged.factors[1])
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(gated, "factors/1", typed.factors[1])
