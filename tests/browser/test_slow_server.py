"""Journeys on a server half a second late in every run: nothing is lost, nothing comes twice.

Takes long: a journey is many entries, and each is a run of the whole page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.dragging import (
    PIZZA,
    TALL,
    assert_shows,
    press_and_drag,
    said,
    show_with_numbers,
    trace_with,
    wait_until_answered,
)
from tests.browser.reading import exact_numbers, open_page, plot_named, wait_for_numbers

# Pytest runs what it finds here by name.
from tests.browser.test_editing_in_place import (  # noqa: F401 (a test, and the fixture it needs)
    plot_at,
    test_a_row_is_typed_what_is_refused_stays_in_its_cell_and_undo_takes_back_one_number,
    way_in,
    x_with,
)
from tests.serving import NEXT_VISITOR, AppServer, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage

UNDO, REDO = "Control+z", "Control+y"


@pytest.fixture(scope="module")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    log_file = tmp_path_factory.mktemp("slow") / "server.log"
    with served("tests/browser/slow/app.py", log_file, before_all=NEXT_VISITOR) as server:
        yield server


def test_what_is_typed_while_the_page_answers_is_kept_and_tokens_mask_and_heads_are_undone(
    page: Page,
) -> None:
    open_page(page, "/?example=pizza")
    tokens = page.get_by_label("Tokens", exact=True)
    tokens.fill("WE LIKE IT")
    page.keyboard.press("Tab")
    scale = page.get_by_label("Scale", exact=True)
    scale.fill("")
    scale.press_sequentially("0,1234567890123456", delay=30)
    expect(page.get_by_role("heading", name="Your own setting")).to_be_visible()
    expect(page.locator(".strip")).to_contain_text("2×3×3")
    expect(scale).to_have_value("0,1234567890123456")
    scale.press("Enter")
    slider = page.get_by_role("slider", name="Scale, slider")
    expect(slider).to_have_attribute("aria-valuetext", "0.1235")
    page.get_by_role("button", name="Causal").click()
    expect(page.get_by_text("Hides nothing.")).to_be_visible()
    assert not np.isnan(exact_numbers(plot_named(page, "Scores"), "weights/1")).any()
    switches = page.locator(".stButtonGroup", has_text="Include heads")
    switches.get_by_role("button", name="Head 2").click()
    moved = page.get_by_text("Without head 2, the output moves by")
    expect(moved).to_be_visible()

    tokens.press("End")
    page.keyboard.type(" AGAIN")
    page.keyboard.press(UNDO)  # takes back what was typed, as in any field
    expect(moved).to_be_visible()
    page.keyboard.press("Escape")
    tokens.fill("WE LIKE IT")
    tokens.press("Enter")
    page.keyboard.press(UNDO)  # nothing is being typed: takes back the last step
    expect(moved).to_be_hidden()
    page.keyboard.press(REDO)
    expect(moved).to_be_visible()
    undo = page.get_by_role("button", name="Undo")
    for _ in range(4):  # faster than the page can follow
        undo.click()
    expect(tokens).to_have_value("I LOVE PEPPERONI PIZZA")
    expect(undo).to_be_disabled()
    assert np.isnan(exact_numbers(plot_named(page, "Scores"), "weights/1")).any()
    for _ in range(4):
        page.keyboard.press("Control+Shift+Z")
    expect(moved).to_be_visible()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()


def test_drags_that_follow_quickly_are_all_kept_each_a_step_for_undo(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    show_with_numbers(page)
    for row, column, to in ((0, 0, 30), (0, 0, 20), (1, 1, -40), (0, 0, 10)):
        press_and_drag(page, row, column, to=(to, 0))
        page.mouse.up()
    numbers = [x_with(r0c0=1.5), x_with(r0c0=1.5, r1c1=0.6), x_with(r0c0=1.6, r1c1=0.6)]
    expect(page).to_have_url(re.compile(r"x\.cells=.*_1\.6"))
    wait_until_answered(page)
    assert_shows(page, trace_with(numbers[-1]))
    assert said(page) == ""
    for x in (*numbers[-2::-1], x_with(r0c0=1.3), PIZZA.x):
        page.get_by_role("button", name="Undo").click()
        wait_for_numbers(plot_at(page), "x", x)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
