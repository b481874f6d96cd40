"""The part above the heads, opened and used in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from mha_core import attend
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page


def way_in(page: Page) -> Locator:
    return plot_named(page, "X, the projections")


def fold(page: Page) -> Locator:
    return page.locator("summary", has_text="Into the heads")


def test_it_opens_shows_the_numbers_and_moves_nothing_above_it(page: Page) -> None:
    open_page(page, "/?example=pizza")
    expect(way_in(page)).to_have_count(0)
    above = [page.locator("h1"), page.locator(".strip"), fold(page)]
    fold(page).scroll_into_view_if_needed()
    before = [each.bounding_box() for each in above]
    fold(page).click()
    way_in(page).locator("canvas").first.wait_for()
    assert [each.bounding_box() for each in above] == before
    trace = attend(load_example("pizza"))
    for name in ("w_q", "q", "v"):
        array = getattr(trace.scenario, name) if name.startswith("w") else getattr(trace, name)
        assert np.array_equal(exact_numbers(way_in(page), name), array)
    expect(way_in(page).locator(".plot-feeds")).to_have_count(0)  # there is one sequence
    expect(page).to_have_url(re.compile(r"\?example=pizza&open=into$"))
    fold(page).click()
    expect(page).to_have_url(re.compile(r"\?example=pizza$"))
    expect(way_in(page)).to_be_hidden()


def test_lines_lead_from_each_of_two_sequences_to_what_is_made_of_it(page: Page) -> None:
    lines = way_in(page).locator(".plot-feeds")
    open_page(page, "/?example=translation&open=into")
    expect(lines).to_have_count(2)
    for line, (first, last) in zip(lines.all(), [("X:", "Q:"), ("C:", "V:")], strict=True):
        box, begins, ends = map(_box, (line, *_headings(page, first, last)))
        assert begins["x"] < box["x"] < ends["x"] < box["x"] + box["width"]
        assert box["y"] + box["height"] <= min(begins["y"], ends["y"]) + 3  # above the letters


def _box(element: Locator) -> FloatRect:
    box = element.bounding_box()
    assert box is not None
    return box


def _headings(page: Page, *begins: str) -> list[Locator]:
    return [way_in(page).locator("text", has_text=re.compile(f"^{each}")) for each in begins]


def test_a_gate_that_is_dragged_opens_its_head_at_once_and_undo_shuts_it(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1280})  # the whole picture is in sight
    rows = "+".join(["0_0"] * 8)
    open_page(page, f"/?example=pizza&open=into&d_g=1&w_g.rows={rows}")
    gated = plot_named(page, "What each head gives, its gate")
    wait_for_numbers(gated, "gates/1", np.full((4, 1), 0.5))
    pick(way_in(page), "w_g", 1, 1, 2)  # the words are one-hot: only LOVE reads this row
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    w_g = np.zeros((8, 2))
    w_g[1, 1] = 1
    trace = attend(replace(load_example("pizza"), w_g=w_g))
    wait_for_numbers(gated, "gates/1", trace.gates[1])
    wait_for_numbers(gated, "gated_outputs/1", trace.gated_outputs[1])
    x, y, width, height = place_of_cell(way_in(page), "w_g", 1, 1, 2)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + 100, y + height / 2, steps=5)
    wait_for_numbers(way_in(page), "w_g", 2 * w_g)
    dragged = attend(replace(load_example("pizza"), w_g=2 * w_g))
    np.testing.assert_allclose(exact_numbers(gated, "gates/1"), dragged.gates[1])
    np.testing.assert_allclose(exact_numbers(gated, "gated_outputs/1"), dragged.gated_outputs[1])
    page.mouse.up()
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(gated, "gates/1", trace.gates[1])
