"""Read numbers off a page the way a person without sight of the colours does: from the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mha_core.checks.shapes import FloatArray

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def open_page(page: Page, address: str = "/") -> None:
    """Open the app and wait until the first heatmaps are painted."""
    page.goto(address)
    page.locator(".plot[data-painted]").first.wait_for()


def plot_named(page: Page, name: str) -> Locator:
    """The plot whose text alternative begins with these words."""
    return page.locator(f'.plot[aria-label^="{name}"]')


def exact_numbers(plot: Locator, matrix: str) -> FloatArray:
    """A matrix of a plot with every digit, from its table; NaN where it says masked."""
    plot.page.locator('[data-test-script-state="notRunning"]').first.wait_for()
    table = plot.locator("details.plot-table")
    if table.get_attribute("open") is None:
        table.locator("summary").click()
    rows = table.locator("tbody tr")
    rows.first.wait_for()
    if (choice := table.get_by_label("Matrix to show as a table")).count():  # among several
        choice.select_option(matrix)
    titles = rows.evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td')].map(td => td.title))"
    )
    return np.array([[_number(text) for text in row] for row in titles])


def _number(text: str) -> float:
    return float("nan") if text == "masked" else float(text.replace("\N{MINUS SIGN}", "-"))
