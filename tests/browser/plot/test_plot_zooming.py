"""A part of a plot is shown larger, and the plot is as wide as its room."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bare import reports
from tests.browser.plot.on_plots import (
    IS_PAINTED_AGAIN,
    cell_at,
    plot,
    save,
    show_heads,
    spoken,
    stage,
    window_of,
)
from tests.browser.reading import wait_until


@pytest.fixture
def zoomable(bare: Page) -> Page:
    show_heads(bare, zoom=True)
    return bare


WORDS: Final = ["I", "LOVE", "PEPPERONI", "PIZZA"]


def drag(page: Page, start: tuple[int, int], end: tuple[int, int], matrix: int = 0) -> None:
    """From the middle of a cell to that of another, by their row and column among TOKENS."""
    page.mouse.move(*cell_at(page, matrix, *start))
    page.mouse.down()
    page.mouse.move(*cell_at(page, matrix, *end), steps=5)
    page.mouse.up()


def columns_of_head(page: Page, head: int) -> list[str]:
    """The labels of the keys that are seen of a head, from left to right."""
    find = """(ink, {x, y, width}) => [...ink.querySelectorAll("text")].filter((label) => {
      const [left, top] = [label.x.baseVal[0].value, label.y.baseVal[0].value];
      return left > x && left < x + width && top > y - 10 && top < y;
    }).map((label) => label.textContent)"""
    ink = stage(page).locator("svg.plot-ink").first
    return list(ink.evaluate(find, window_of(page, head)))


def test_a_drag_zooms_heads_together_which_a_rerun_keeps_and_a_button_takes_back(
    zoomable: Page,
) -> None:
    reset = plot(zoomable).get_by_role("button", name="Reset zoom")
    expect(reset).to_be_hidden()
    drag(zoomable, (0, 0), (2, 2))
    expect(reset).to_be_visible()
    assert columns_of_head(zoomable, 0) == columns_of_head(zoomable, 1) == WORDS[:3]
    show_heads(zoomable, zoom=True, seed=4)
    assert columns_of_head(zoomable, 0) == WORDS[:3]
    reset.click()
    expect(reset).to_be_hidden()
    assert columns_of_head(zoomable, 0) == WORDS
    assert reports(zoomable) == []  # a drag is no pick


def test_a_double_click_shows_all_again(zoomable: Page) -> None:
    drag(zoomable, (1, 1), (1, 2))  # along a row: columns alone
    assert columns_of_head(zoomable, 0) == WORDS[1:3]
    zoomable.mouse.dblclick(*cell_at(zoomable, 0, 1, 1))
    assert columns_of_head(zoomable, 0) == WORDS


def test_escape_gives_a_zoom_up_and_nothing_else_and_until_then_its_box_is_seen(
    zoomable: Page,
) -> None:
    zoomable.mouse.click(*cell_at(zoomable, 0, 1, 1))
    before = reports(zoomable)
    assert len(before) == 1
    zoomable.keyboard.press("ArrowRight")  # the cursor is there
    expect(spoken(zoomable)).not_to_be_empty()
    zoomable.mouse.move(*cell_at(zoomable, 0, 0, 0))
    zoomable.mouse.down()
    zoomable.mouse.move(*cell_at(zoomable, 0, 2, 2), steps=5)
    box = stage(zoomable).locator(".plot-zoom")
    expect(box).to_be_attached()
    zoomable.keyboard.press("Escape")
    expect(box).not_to_be_attached()
    zoomable.mouse.move(*cell_at(zoomable, 0, 3, 3))  # it does not begin anew
    expect(box).not_to_be_attached()
    zoomable.mouse.up()
    assert columns_of_head(zoomable, 0) == WORDS
    expect(plot(zoomable).get_by_role("button", name="Reset zoom")).to_be_hidden()
    expect(stage(zoomable)).to_be_focused()  # another Escape would lead out of the picture
    assert reports(zoomable) == before


def test_with_shift_a_drag_moves_the_part_that_is_shown(zoomable: Page) -> None:
    drag(zoomable, (0, 0), (0, 1))
    assert columns_of_head(zoomable, 0) == WORDS[:2]
    zoomable.keyboard.down("Shift")
    drag(zoomable, (0, 3), (0, 1))  # a cell is two of TOKENS wide now
    zoomable.keyboard.up("Shift")
    zoomable.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
    assert columns_of_head(zoomable, 0) == WORDS[1:3]


def test_the_keyboards_cursor_takes_the_part_along(zoomable: Page) -> None:
    drag(zoomable, (0, 0), (0, 1))
    stage(zoomable).focus()
    for key in ("ArrowRight", "End"):
        zoomable.keyboard.press(key)
    expect(spoken(zoomable)).to_have_text("scores, head 1, query I, key PIZZA: masked")
    assert columns_of_head(zoomable, 0) == WORDS[2:]


def test_what_is_saved_is_the_part_that_is_shown(zoomable: Page, tmp_path: Path) -> None:
    drag(zoomable, (0, 0), (0, 1))
    saved = save(zoomable, "SVG", tmp_path).read_text("utf-8")
    assert ">LOVE</text>" in saved
    assert saved.count(">PEPPERONI</text>") == 2  # as a query of both rows of heads, not as a key


def test_nothing_zooms_where_numbers_are_large_enough(bare: Page) -> None:
    drag(bare, (0, 0), (2, 2))
    assert columns_of_head(bare, 0) == WORDS


def test_the_figure_shrinks_with_its_box_and_the_page_never_scrolls_sideways(bare: Page) -> None:
    show_heads(bare, n_heads=8)
    expect(bare.get_by_text("Head 8")).to_be_visible()
    for width in (1280, 900, 390):
        if bare.viewport_size != {"width": width, "height": 720}:
            painted = int(plot(bare).get_attribute("data-painted") or 0)
            bare.set_viewport_size({"width": width, "height": 720})
            wait_until(bare, IS_PAINTED_AGAIN, arg=painted)
        assert bare.evaluate("document.documentElement.scrollWidth") <= width
    inner, outer = bare.evaluate(
        "(s => [s.scrollWidth, s.clientWidth])(document.querySelector('.plot-scroll'))"
    )
    assert inner > outer  # what does not fit scrolls inside its own box
