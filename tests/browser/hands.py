"""What a person's hands do: type into a grid, paste, click a cell of a heatmap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Position

HAND = 100  # milliseconds from key to key
DOUBLE_CLICK = 400  # milliseconds after which Plotly takes a click for one of its own


def cell(page: Page, row: int, column: int) -> Locator:
    """A cell by its place from 0, as the grid describes itself to people who do not see it.

    It is drawn at once, but described anew only when the cursor has moved.
    """
    return page.get_by_test_id(f"glide-cell-{column + 1}-{row}")


def click_cell(page: Page, row: int, column: int) -> None:
    """Click into the middle of a cell, found by the sizes that a grid is drawn with."""
    canvas = page.get_by_test_id("data-grid-canvas")
    cell(page, row, column).wait_for(state="attached")
    box = canvas.bounding_box()
    count = page.locator("thead th").count() - 1
    assert box is not None
    labels = box["width"] - 84 * count
    height = box["height"] / (page.locator("tbody tr").count() + 1)
    page.mouse.click(box["x"] + labels + 84 * (column + 0.5), box["y"] + height * (row + 1.5))
    expect(cell(page, row, column)).to_have_attribute("aria-selected", "true")


def type_in(page: Page, text: str, then: str) -> None:
    """Type at the speed of a hand, and leave the cell; faster than that, the grid loses letters."""
    page.keyboard.type(text, delay=HAND)
    page.wait_for_timeout(HAND)
    page.keyboard.press(then)
    page.wait_for_timeout(HAND)


def paste(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def pick(plot: Locator, matrix: int, row: int, column: int, columns: int) -> None:
    """Click a cell of the plot's matrix of this number, so wide, once the plot stands still."""
    left, top, width = window_of(plot, matrix)
    size = width / columns
    place: Position = {"x": left + (column + 0.5) * size, "y": top + (row + 0.5) * size}
    plot.locator(".plot-stage").click(position=place)


def zoom(plot: Locator, matrix: int, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place in the plot's matrix of this number to another, in pixels."""
    plot.locator(".nsewdrag").first.wait_for(state="attached")  # Plotly follows the picture
    stage = plot.locator(".plot-stage")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    assert box is not None
    left, top, _ = window_of(plot, matrix)
    (x, y), (to_x, to_y) = ((box["x"] + left + x, box["y"] + top + y) for x, y in (start, end))
    plot.page.mouse.move(x, y)
    plot.page.mouse.down()
    plot.page.mouse.move(to_x, to_y, steps=5)
    plot.page.mouse.up()
    plot.page.wait_for_timeout(DOUBLE_CLICK)


def window_of(plot: Locator, matrix: int) -> tuple[float, float, float]:
    """Left, top and width of the plot's matrix of this number, on its stage."""
    window = plot.locator(".plot-stage > svg > svg").nth(matrix)
    left, top, width = (float(window.get_attribute(name) or "") for name in ("x", "y", "width"))
    return left, top, width
