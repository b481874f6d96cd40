"""A slider of the sidebar: every picture follows while it moves, and its number is one entry.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.examples import load_example
from tests.browser.dragging import TALL, assert_shows, open_tall_page, said, wait_until_live
from tests.browser.reading import open_page

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Locator, Page

    from mha_core import Trace
    from tests.browser.slow_line import SlowLine
    from tests.conftest import NewPage

PIZZA = load_example("pizza")
CLOSE = 1e-12


@pytest.fixture
def tall_page(new_page: NewPage) -> Page:
    return open_tall_page(new_page)


def track(page: Page, label: str = "Scale") -> Locator:
    return page.get_by_role("slider", name=f"{label}, slider")


def number_beside(page: Page, label: str = "Scale") -> str:
    row = page.locator(".plot-track-row").filter(has=track(page, label))
    return row.locator("output").inner_text().replace("\N{MINUS SIGN}", "-")


def press_and_move(page: Page, share: float, label: str = "Scale") -> None:
    """Press the thumb and move it to this share of the track; the mouse stays pressed."""
    note_what_is_painted(page)
    box = track(page, label).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2, steps=2)
    wait_until_live(page)


def note_what_is_painted(page: Page) -> None:
    page.evaluate(
        "window.paintedBefore = document.querySelector('.plot[aria-label^=Scores]').dataset.painted"
    )


def trace_with(**options: Any) -> Trace:
    return attend(replace(PIZZA, scores=replace(PIZZA.scores, **options)))


def test_every_picture_follows_a_slider_by_hand_by_keys_and_by_itself_and_has_the_cores_numbers(
    tall_page: Page,
) -> None:
    page = tall_page
    press_and_move(page, 0.2)
    scale = float(number_beside(page))
    assert 0.1 < scale < 0.3
    assert_shows(page, trace_with(scale=scale), CLOSE)
    page.mouse.up()
    expect(page).to_have_url(re.compile(f"scale={scale}"))
    expect(page.get_by_label("Scale", exact=True)).to_have_value(repr(scale))
    assert_shows(page, trace_with(scale=scale))
    assert said(page) == ""
    expect(track(page)).to_be_focused()
    page.keyboard.press("Control+z")  # it was one step
    expect(page.get_by_label("Scale", exact=True)).to_have_value("1/sqrt(d_k)")
    expect(track(page)).to_have_attribute("aria-valuetext", "0.5")
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    assert_shows(page, attend(PIZZA))

    # It is put back, moved by keys and by itself, and switches a cap on and off.
    press_and_move(page, 0.2)
    page.keyboard.press("Escape")
    expect(track(page)).to_have_attribute("aria-valuetext", "0.5")
    page.mouse.up()
    assert_shows(page, attend(PIZZA))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    field = page.get_by_label("Scale", exact=True)
    field.fill("1/4")
    field.press("Enter")
    expect(track(page)).to_have_attribute("aria-valuetext", "0.25")
    track(page).focus()
    for _ in range(5):
        page.keyboard.down("ArrowRight")  # as a keyboard repeats it
    moved = track(page).get_attribute("aria-valuetext") or ""
    assert moved != "0.25"
    page.keyboard.up("ArrowRight")
    expect(field).to_have_value(moved)
    page.get_by_role("button", name="Undo").click()  # it was one entry
    expect(track(page)).to_have_attribute("aria-valuetext", "0.25")

    page.emulate_media(reduced_motion="no-preference")
    slider = page.locator(".plot-slider").filter(has=track(page))
    note_what_is_painted(page)
    slider.get_by_role("button", name="Play").click()  # it plays at once
    player = slider.get_by_role("group", name="Play a number")
    wait_until_live(page)
    expect(track(page)).not_to_have_attribute("aria-valuetext", "0.25")
    player.get_by_role("button", name="Stop").click()
    expect(track(page)).to_have_attribute("aria-valuetext", "0.25")
    assert_shows(page, trace_with(scale=0.25))

    page.get_by_role("button", name="More of Scores").click()
    expect(track(page, "Soft cap")).to_have_attribute("aria-valuetext", "none")
    press_and_move(page, 0.1, "Soft cap")
    cap = float(number_beside(page, "Soft cap"))
    assert_shows(page, trace_with(scale=0.25, softcap=cap), CLOSE)
    page.mouse.up()
    expect(page.get_by_label("Soft cap", exact=True)).to_have_value(repr(cap))
    track(page, "Soft cap").press("End")
    expect(page.get_by_label("Soft cap", exact=True)).to_have_value("")
    assert_shows(page, trace_with(scale=0.25))


def test_sliders_work_where_cells_cannot_be_edited(new_page: NewPage) -> None:
    page = new_page(viewport=TALL)
    open_page(page, "/?example=pizza&hide=editors")
    press_and_move(page, 0.2)
    scale = number_beside(page)
    page.mouse.up()
    expect(page.get_by_label("Scale", exact=True)).to_have_value(scale)


def test_a_number_is_typed_over_the_one_that_a_slider_brings(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    page.set_viewport_size(TALL)
    open_page(page, "/?example=pizza")
    for typed_before in ("", "1."):
        press_and_move(page, 0.2)
        scale = number_beside(page)
        line.hold()
        page.mouse.up()
        field = page.get_by_label("Scale", exact=True)
        field.click(click_count=3)
        field.press_sequentially(typed_before)
        line.wait_for_runs(1)
        line.let_go()
        expect(page).to_have_url(re.compile(f"scale={scale}"))
        expect(field).to_have_value(typed_before or scale)
        page.keyboard.type("5")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"scale={typed_before}5\b"))
        expect(track(page)).to_have_attribute("aria-valuetext", f"{typed_before}5")
