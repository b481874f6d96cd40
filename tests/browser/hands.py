"""What a person's hands do: type into a grid, paste, click a cell, drag.

Nothing here waits for a time to pass. A place is used once it is the same in two successive
frames, a key is pressed once the last one has arrived, and every click on a cell is checked:
it fails if another cell was there when the button went down.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.reading import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

HAND = 100  # milliseconds from key to key: a fast typist
MOST_DRAWN_ANEW = 10  # times
GRID_COLUMN = 84  # pixels
GRID = "data-grid-canvas"


class Box(NamedTuple):
    """A place in the window, in pixels."""

    x: float
    y: float
    width: float
    height: float


def menu_button(page: Page) -> Locator:
    """The button of the menu of examples, files and links. Selections have an "Open" too."""
    return page.get_by_test_id("stPopover").get_by_role("button", name="Open", exact=True)


def saved(page: Page, button: str) -> tuple[str, bytes]:
    """The name and the content of the file that a button saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def open_the_menu(page: Page) -> None:
    menu_button(page).click()


def place_of(element: Locator) -> Box:
    """Where an element is, once it is in view and has not moved from one frame to the next.

    If it was drawn anew meanwhile, it is looked for again.
    """
    for _ in range(MOST_DRAWN_ANEW):
        if place := element.evaluate(STANDING_STILL):
            return Box(*place)
    pytest.fail(f"{element} is drawn anew again and again.")


STANDING_STILL = """async (element) => {
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height];
  };
  element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  for (let frame = 0, last; frame < 1000; frame++) {
    await new Promise(requestAnimationFrame);
    if (!element.isConnected) return null;
    const now = place();
    if (now[2] && String(now) === String(last)) return now;
    last = now;
  }
  throw new Error("It does not stand still, or is not there.");
}"""


def tap(element: Locator) -> None:
    """Touch the middle of an element with a finger, also in a window that is not made for one."""
    x, y, width, height = place_of(element)
    session = element.page.context.new_cdp_session(element.page)
    for kind, points in (
        ("touchStart", [{"x": x + width / 2, "y": y + height / 2}]),
        ("touchEnd", []),
    ):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.detach()


# ---- in a plot ----------------------------------------------------------------------------------


def window_of(plot: Locator, matrix: int | str) -> Locator:
    """The plot's matrix of this name, or of this number, from 0."""
    windows = plot.locator(".plot-stage > svg > svg")
    if isinstance(matrix, int):
        return windows.nth(matrix)
    return plot.locator(f'.plot-stage > svg > [data-matrix="{matrix}"]')


def place_of_matrix(plot: Locator, matrix: int | str) -> Box:
    """Where the plot's matrix of this name or number is."""
    stage = place_of(plot.locator(".plot-stage"))
    window = window_of(plot, matrix)
    names = ("x", "y", "width", "height")
    x, y, width, height = (float(window.get_attribute(name) or "") for name in names)
    return Box(stage.x + x, stage.y + y, width, height)


def place_of_cell(
    plot: Locator, matrix: int | str, row: int, column: int, columns: int, rows: int | None = None
) -> Box:
    """Where a cell is, in a matrix that shows so many columns.

    `rows` is needed only for a matrix that is given by number and whose cells are not square.
    """
    x, y, width, height = place_of_matrix(plot, matrix)
    side = width / columns
    if isinstance(matrix, str):
        rows = int(window_of(plot, matrix).get_attribute("data-rows") or 0)
    down = height / rows if rows else side
    return Box(x + column * side, y + row * down, side, down)


def pick(
    plot: Locator, matrix: int | str, row: int, column: int, columns: int, rows: int | None = None
) -> None:
    """Click the middle of a cell, and check that this cell was hit."""
    cell = place_of_cell(plot, matrix, row, column, columns, rows)
    window_of(plot, matrix).evaluate(NOTE_THE_HIT, [cell.width, cell.height])
    plot.page.mouse.click(cell.x + cell.width / 2, cell.y + cell.height / 2)
    wait_until(plot.page, "window.hitCell !== null")  # a busy page hears of the click later
    hit = plot.page.evaluate("window.hitCell")
    assert hit == [row, column], f"The page moved: {hit} was hit, not row, column {[row, column]}."


# The cell under the pointer at the very moment when the button goes down, or what is there instead.
NOTE_THE_HIT = """(matrix, [width, height]) => {
  const stage = matrix.closest(".plot-stage");
  window.hitCell = null;
  addEventListener("pointerdown", ({ target, clientX, clientY }) => {
    window.hitCell = target.outerHTML.slice(0, 200);
    if (!stage.contains(target)) return;
    const [left, top] = ["x", "y"].map((name) => Number(matrix.getAttribute(name)));
    const { x, y } = stage.getBoundingClientRect();
    const [across, down] = [clientX - x - left, clientY - y - top];
    window.hitCell = [Math.floor(down / height), Math.floor(across / width)];
  }, { capture: true, once: true });
}"""


def zoom(plot: Locator, matrix: int, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one place in the plot's matrix of this number to another, in pixels."""
    left, top, _, _ = place_of_matrix(plot, matrix)
    (x, y), (to_x, to_y) = ((left + x, top + y) for x, y in (start, end))
    plot.page.mouse.move(x, y)
    plot.page.mouse.down()
    plot.page.mouse.move(to_x, to_y, steps=5)
    plot.page.mouse.up()


# ---- in a grid ----------------------------------------------------------------------------------


def cell(page: Page, row: int, column: int) -> Locator:
    """A cell by its place from 0, as the grid describes itself to people who do not see it.

    It is drawn at once, but described anew only when the cursor has moved.
    """
    return page.get_by_test_id(f"glide-cell-{column + 1}-{row}")


def click_cell(page: Page, row: int, column: int) -> None:
    """Click into the middle of a cell, found by the sizes that a grid is drawn with."""
    cell(page, row, column).wait_for(state="attached")
    grid = place_of(page.get_by_test_id(GRID))
    count = page.locator("thead th").count() - 1
    labels = grid.width - GRID_COLUMN * count
    height = grid.height / (page.locator("tbody tr").count() + 1)
    page.mouse.click(grid.x + labels + GRID_COLUMN * (column + 0.5), grid.y + height * (row + 1.5))
    expect(cell(page, row, column)).to_have_attribute("aria-selected", "true")


def type_in(page: Page, text: str, then: str) -> None:
    """Type into the grid's chosen cell, and leave it by another key.

    The first letter opens the field that takes the others; the last key closes it.
    """
    field = page.locator("#portal .gdg-input")
    page.keyboard.type(text[0])
    expect(field).to_have_value(text[0])
    page.keyboard.type(text[1:], delay=HAND)
    expect(field).to_have_value(text)
    page.keyboard.press(then)
    expect(field).to_have_count(0)


def paste(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")
