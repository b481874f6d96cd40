"""What is written into cells is what Python would write, to the last digit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from mha_core.io.scenario.link import encode_link
from tests.browser.reading import exact_numbers, open_page, plot_named
from ui.number_format import format_number

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Halves that a float holds and halves that it does not, zeros with a sign, and what is too long.
NUMBERS = np.array(
    [
        [0.125, 0.375, -0.125, 0.135],
        [1.005, 2.5, 3.5, -0.5],
        [-0.001, -0.0, 99999.995, 99999.125],
        [1e5, -125_000, 135_000, 1e50],
    ]
)


def test_numbers_are_rounded_as_python_rounds_them(page: Page) -> None:
    """Here with one count of decimals; tests/ui/plot/test_numbers.py has all of them."""
    link = encode_link(with_matrix(load_example("two-tokens"), "w_o", NUMBERS))
    open_page(page, f"/?{link}&decimals=1")
    together = plot_named(page, "Concatenation")
    together.wait_for()
    np.testing.assert_array_equal(exact_numbers(together, "w_o"), NUMBERS)
    written = [row.locator("td").all_inner_texts() for row in together.locator("tbody tr").all()]
    assert written == [[format_number(n, 1) for n in row] for row in NUMBERS.tolist()]
