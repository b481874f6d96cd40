"""A number that is dragged by hand, and what the pictures show of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from playwright.sync_api import expect

from mha_core import Trace, attend
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from tests.browser.hands import place_of_cell
from tests.browser.reading import (
    LOOK_AGAIN,
    exact_numbers_of,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_until,
)
from tests.browser.test_editing_in_place import COLUMNS, OPEN, X, plot_at
from tests.visitors import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from mha_core.checks.shapes import FloatArray
    from tests.conftest import NewPage

PIZZA = load_example("pizza")
CLOSE = 1e-12
TALL = {"width": 1280, "height": 2000}  # all pictures are in sight
WHOLE_PAGE = ["X, the projections", "Scores", "Concatenation"]


def open_tall_page(new_page: NewPage) -> Page:
    """A page with the example, and its numbers."""
    page = new_page(viewport=TALL)
    show_with_numbers(page)
    return page


def show_with_numbers(page: Page) -> None:
    open_page(page, OPEN)
    plot_at(page)
    assert_shows(page, attend(PIZZA))


def press_and_drag(page: Page, row: int, column: int, *, to: tuple[int, int]) -> None:
    """Press the mouse on a cell of X and move it so far, in pixels, right and down."""
    x, y, width, height = place_of_cell(plot_at(page), X, row, column, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x + width / 2 + to[0], y + height / 2 + to[1], steps=2)


def wait_until_live(page: Page) -> None:
    """Wait until the browser has what it needs, so that what is computed has moved too."""
    wait_until(page, IS_PAINTED_AGAIN)


IS_PAINTED_AGAIN = """() => {
  const plot = document.querySelector('.plot[aria-label^="Scores"]');
  return plot.dataset.painted !== window.paintedBefore;
}"""


def drag_live(page: Page, row: int, column: int, *, to: int) -> None:
    """Drag a number by so many pixels, and see the heads follow."""
    page.evaluate(
        "window.paintedBefore = document.querySelector('.plot[aria-label^=Scores]').dataset.painted"
    )
    press_and_drag(page, row, column, to=(to, 0))
    wait_until_live(page)


def trace_with(x: FloatArray) -> Trace:
    return attend(with_matrix(PIZZA, "x", x))


def assert_shows(page: Page, trace: Trace, close: float = 0) -> None:
    """Every matrix of the way from X to the output comes to have the numbers of the trace."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return assert_shows_now(page, trace, close)
        except AssertionError:
            if time.monotonic() > give_up:
                raise
            page.wait_for_timeout(LOOK_AGAIN)


def assert_shows_now(page: Page, trace: Trace, close: float) -> None:
    into, heads, together = (plot_named(page, name) for name in WHOLE_PAGE)
    for plot, names in ((into, "x q k v"), (together, "concat output")):
        for name, shown in exact_numbers_of(plot, names.split()).items():
            np.testing.assert_allclose(shown, getattr(trace, name), rtol=0, atol=close)
    of_heads = {
        f"{name}/{head}": np.where(trace.mask, getattr(trace, name)[head], np.nan)
        for head in range(trace.scenario.n_heads)
        for name in ("masked_scores", "weights")
    }
    for name, shown in exact_numbers_of(heads, list(of_heads)).items():
        np.testing.assert_allclose(shown, of_heads[name], rtol=0, atol=close)


def said(page: Page) -> str:
    """What is said of live numbers: that they were wrong, or that there are none."""
    return "".join(each.inner_text() for each in page.locator(".plot-live-note").all())


def assert_follows(page: Page, trace: Trace) -> None:
    """The numbers of the browser's forward pass come within a frame or two."""
    shown = np.where(trace.mask, trace.weights[0], np.nan)
    wait_for_numbers(plot_named(page, "Scores"), "weights/0", shown, CLOSE)
    assert_shows(page, trace, CLOSE)


def wait_until_answered(page: Page) -> None:
    """Wait until the server has heard of a drag, so that its own numbers stand in the pictures."""
    expect(page.locator(".strip canvas")).to_have_count(0)
