"""The first screen: document 004's example with its numbers, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.reading import exact_numbers, open_page, plot_named

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCORES = [[2.82842712, 0], [0, 11.3137085]]
WEIGHTS = [[0.94419278, 0.05580722], [0.0000122043, 0.9999877957]]
OUTPUT_1 = [[1.88838556, 0.22322888], [0.0000244086, 3.9999511827]]
OUTPUT_2 = [[0.22322888, 1.88838556], [3.9999511827, 0.0000244086]]


def test_it_opens_on_two_tokens_with_both_heads_and_their_output(page: Page) -> None:
    open_page(page)
    expect(page.get_by_role("heading", name="Two tokens")).to_be_visible()
    heads = plot_named(page, "Scores and weights")
    for head in (0, 1):
        scores = exact_numbers(heads, f"masked_scores/{head}")
        assert scores == pytest.approx(np.array(SCORES), abs=5e-9)
        weights = exact_numbers(heads, f"weights/{head}")
        assert weights == pytest.approx(np.array(WEIGHTS), abs=5e-9)
    together = plot_named(page, "Concatenation")
    concatenation = np.hstack([OUTPUT_1, OUTPUT_2])
    assert exact_numbers(together, "concat") == pytest.approx(concatenation, abs=5e-9)
    assert exact_numbers(together, "output") == pytest.approx(concatenation, abs=5e-9)


def test_the_claims_are_ticked(page: Page) -> None:
    open_page(page)
    expect(page.locator(".claims li")).to_have_count(3)
    expect(page.locator(".claims .yes")).to_have_count(3)


def test_a_click_on_the_way_of_the_data_goes_to_the_part(page: Page) -> None:
    open_page(page)
    ways = [
        ("output", "together", "fold-together"),
        ("mask", "mask", "mask-picture"),
        ("weights", "heads", "fold-heads"),
    ]
    for stage, part, place in ways:
        page.locator(".strip a", has_text=stage).first.click()
        expect(page).to_have_url(re.compile(f"#{part}$"))
        expect(page.locator(f".st-key-{place}")).to_be_in_viewport()
