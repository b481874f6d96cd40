"""A naive softmax in the browser: what is no number says so, and a dragged number heals it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.changes import with_scores
from mha_core.examples import load_example
from tests.browser.dragging import TALL
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers
from tests.browser.test_slider import number_beside, press_and_move

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage

NAIVE = with_scores(load_example("saturated"), softmax="naive")


@pytest.fixture
def tall_page(new_page: NewPage) -> Page:
    page = new_page(viewport=TALL)
    open_page(page, "/?example=saturated")
    return page


def choose_naive(page: Page) -> None:
    page.get_by_role("button", name="More of Scores").click()
    page.get_by_role("radio", name="Naive").click()
    page.keyboard.press("Escape")


def test_lost_cells_say_so_and_a_dragged_temperature_heals_them(tall_page: Page) -> None:
    page = tall_page
    heads = plot_named(page, "Scores")
    wait_for_numbers(heads, "weights/1", attend(load_example("saturated")).weights[1])
    choose_naive(page)
    wait_for_numbers(heads, "weights/1", attend(NAIVE).weights[1])
    heads.get_by_role("button", name="Show as table").click()
    table = heads.locator(".plot-table")
    expect(table.get_by_role("cell", name="NaN", exact=True)).to_have_count(3)
    expect(page.get_by_text("3 of 32 exponentials are too large for float64.")).to_be_visible()

    press_and_move(page, 0.95, "Temperature")
    warm = attend(with_scores(NAIVE, temperature=float(number_beside(page, "Temperature"))))
    assert np.isfinite(warm.weights).all()
    live = exact_numbers(heads, "weights/1")
    np.testing.assert_allclose(live, warm.weights[1], atol=1e-12)
    expect(table.get_by_role("cell", name="NaN", exact=True)).to_have_count(0)

    page.mouse.up()
    wait_for_numbers(heads, "weights/1", warm.weights[1])
    page.get_by_role("button", name="Undo").click()
    wait_for_numbers(heads, "weights/1", attend(NAIVE).weights[1])
