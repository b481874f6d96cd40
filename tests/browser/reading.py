"""Read numbers off a page as a person does who does not see the colours: from the tables."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from playwright.sync_api import expect

from mha_core.checks.shapes import FloatArray
from tests.visitors import PATIENCE, visit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from playwright.sync_api import Locator, Page


TWO_TOKENS: Final = "/?example=two-tokens"


def open_page(page: Page, address: str = TWO_TOKENS) -> None:
    """Open the app and wait until the heatmaps are painted and all else has come."""
    visit(page, address)
    wait_for_first_run(page)


def wait_for_first_run(page: Page) -> None:
    """Wait until heatmaps are painted, the run that sent them has ended, and its fields are there.

    Only on a page just opened: after a click, "not running" may still speak of the run before.
    """
    page.locator(".plot[data-painted]").first.wait_for()
    wait_for_the_end_of_the_run(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator("#first-sight")).to_have_count(0)  # it lies over the page until then


def wait_for_the_end_of_the_run(page: Page) -> None:
    """Wait for the end of the run whose first answer is already there. Else it may be an older run.

    Until it ends, elements that it leaves out still stand on the page, and Streamlit takes back a
    step to another page.
    """
    page.locator("[data-test-script-state=notRunning]").first.wait_for(state="attached")


def wait_until(page: Page, holds: str, arg: object = None) -> None:
    """Wait until this holds in the page: an expression or a function, as `page.evaluate` takes it.

    `page.wait_for_function` cannot: it looks again from within the page, where the app's own
    headers forbid `eval`. What does not hold at the first look fails there.
    """
    give_up = time.monotonic() + PATIENCE
    while not page.evaluate(holds, arg):
        assert time.monotonic() < give_up, f"This never came to hold: {holds}"
        page.wait_for_timeout(LOOK_AGAIN)


LOOK_AGAIN: Final = 50  # milliseconds


def plot_named(page: Page, name: str) -> Locator:
    """The plot whose text alternative begins with these words."""
    return page.locator(f'.plot[aria-label^="{name}"]')


def number_of_heads(page: Page, count: int) -> Locator:
    """The choice of so many heads. Layers are chosen by numbers too."""
    heads = page.get_by_role("radiogroup", name="Number of heads")
    return heads.get_by_role("radio", name=str(count), exact=True)


def outlined(plot: Locator) -> Locator:
    """The frames around the picked cell of a plot: a wide one of the paper's colour below it."""
    return plot.locator('.plot-stage > svg:last-of-type rect[stroke-width="4.5"]')


def heads_to_look_at(page: Page) -> Locator:
    """The heads that are there, one choice each."""
    return page.get_by_role("radiogroup", name="Head to look at").get_by_role("radio")


def exact_numbers(plot: Locator, matrix: str) -> FloatArray:
    """A matrix of a plot with every digit, from its table; NaN where it says masked."""
    return exact_numbers_of(plot, [matrix])[matrix]


def exact_numbers_of(plot: Locator, matrices: Sequence[str]) -> dict[str, FloatArray]:
    """Several matrices of a plot, as they are in one moment."""
    tables = plot.evaluate(READ, list(matrices))
    return {
        name: np.array([[_number(text) for text in row] for row in table])
        for name, table in zip(matrices, tables, strict=True)
    }


# Opens, reads and closes a table in one step. A table that stays open, as a person leaves it, would
# be drawn anew with each frame of a drag.
READ: Final = """async (plot, names) => {
  const part = (selector) => plot.querySelector(selector);
  const opener = () => [...plot.querySelectorAll(".plot-tools button")]
    .find(({ textContent }) => textContent === "Show as table");
  while (plot.isConnected && !plot.dataset.painted) await new Promise(requestAnimationFrame);
  const table = part(".plot-table");
  const choice = part(".plot-table select");
  const wasClosed = table.hidden;
  if (wasClosed) opener().click();
  const seen = names.map((name) => {
    if (!choice.hidden) {
      choice.value = name;
      if (choice.value !== name) throw new Error(`There is no ${name} to choose.`);
      choice.dispatchEvent(new Event("change"));
    }
    return [...table.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => cell.dataset.number));
  });
  if (wasClosed) opener().click();
  return seen;
}"""


def wait_for_numbers(plot: Locator, matrix: str, expected: ArrayLike, close: float = 0) -> None:
    """Wait until the plot's matrix holds just these numbers, or numbers that are so close."""
    give_up = time.monotonic() + PATIENCE
    while not _is_close(exact_numbers(plot, matrix), expected, close):
        if time.monotonic() > give_up:
            shown = exact_numbers(plot, matrix)
            np.testing.assert_allclose(shown, expected, rtol=0, atol=close)
        plot.page.wait_for_timeout(LOOK_AGAIN)


def _is_close(shown: FloatArray, expected: ArrayLike, close: float) -> bool:
    same_shape = shown.shape == np.shape(expected)
    return same_shape and np.allclose(shown, expected, rtol=0, atol=close, equal_nan=True)


def _number(text: str) -> float:
    plain = text.replace("\N{MINUS SIGN}", "-").replace("\N{INFINITY}", "inf")
    return float("nan") if text == "masked" else float(plain)
