"""A plot in the demo or without an app: where its cells are, and what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.bare import show
from tests.browser.hands import place_of
from tests.browser.plot.demo_figures import ALT, heads
from tests.browser.reading import wait_until

TOKENS = 4  # of the demo, until a test sets another number


def plot(page: Page, number: int = 0) -> Locator:
    return page.locator(".plot").nth(number)


def stage(page: Page, number: int = 0) -> Locator:
    return plot(page, number).locator(".plot-stage")


def on_stage(
    page: Page, matrix: int, row: float, column: float, number: int = 0
) -> tuple[float, float]:
    """The middle of a cell on its stage, from where its matrix of TOKENS columns is drawn."""
    left, top, width = (window_of(page, matrix, number)[name] for name in ("x", "y", "width"))
    return left + (column + 0.5) * width / TOKENS, top + (row + 0.5) * width / TOKENS


def window_of(page: Page, matrix: int, number: int = 0) -> dict[str, float]:
    """Where a matrix is drawn on its stage."""
    window = stage(page, number).locator(":scope > svg > svg").nth(matrix)
    return {name: float(window.get_attribute(name) or "") for name in ("x", "y", "width", "height")}


def cell_at(page: Page, matrix: int, row: int, column: int, number: int = 0) -> tuple[float, float]:
    """The middle of a cell on the page."""
    x, y = on_stage(page, matrix, row, column, number)
    box = place_of(stage(page, number))
    return box.x + x, box.y + y


def choose(page: Page, label: str) -> None:
    page.get_by_text(label, exact=True).click()


IS_PAINTED_AGAIN = "before => Number(document.querySelector('.plot').dataset.painted) > before"


def show_heads(page: Page, **options: Any) -> None:
    """Show the heads, or show them anew with other options, as a run of a page does."""
    before = plot(page).get_attribute("data-painted") if plot(page).count() else "0"
    show(page, heads(**options), "heads", alt=ALT)
    wait_until(page, IS_PAINTED_AGAIN, arg=int(before or 0))


def picked(matrix: str, row: int, column: int) -> list[Any]:
    """What the heads report of a cell."""
    return ["heads", "pick", {"matrix": matrix, "row": row, "column": column}]


def next_seed(page: Page) -> None:
    slider = page.get_by_test_id("stSlider").locator("input, [role=slider]").first
    slider.focus()
    slider.press("ArrowRight")
    expect(page.get_by_text("seed 4")).to_be_visible()


def picks(page: Page, text: str) -> None:
    expect(page.get_by_text(re.compile(r"picked .* picks"))).to_have_text(text)


def spoken(page: Page) -> Locator:
    return plot(page).locator(".plot-unseen")


def lit(page: Page, number: int = 0) -> int:
    return stage(page, number).locator("svg.plot-ink").last.locator("text").count()


def open_menu(page: Page) -> None:
    if plot(page).locator(".plot-menu").is_hidden():
        plot(page).get_by_role("button", name="Copy or save").click()


def painted_at(page: Page, x: float, y: float) -> tuple[int, ...]:
    """Red, green and blue of a place on the canvas of the first plot."""
    find = "(canvas, at) => [...canvas.getContext('2d').getImageData(...at, 1, 1).data]"
    canvas = stage(page).locator("canvas")
    return tuple(canvas.evaluate(find, [int(x), int(y)])[:3])


def save(page: Page, kind: str, folder: Path, ground: str = "Light") -> Path:
    open_menu(page)
    plot(page).get_by_label("Background").select_option(ground)
    with page.expect_download() as download:
        plot(page).get_by_role("button", name=f"Save as {kind}").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    assert path.suffix == f".{kind.lower()}"
    return path
