"""A key held in the field of a seed: every picture follows, and the last value is one entry.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

from mha_core import Trace, attend
from mha_core.examples import load_example
from tests.browser.dragging import CLOSE, TALL, assert_shows, said
from tests.browser.reading import open_page
from tests.browser.test_editing_in_place import OPEN
from ui.edits.entries import with_preset

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

RANDOM: Final = f"{OPEN}&weights=random"


def trace_of(seed: int) -> Trace:
    return attend(with_preset(load_example("pizza"), "random", seed))


@pytest.fixture
def held_page(new_page: NewPage) -> Page:
    page = new_page(viewport=TALL)
    open_page(page, RANDOM)
    page.get_by_role("button", name="More of Weights").click()
    seed(page).focus()
    assert_shows(page, trace_of(0))
    return page


def seed(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="Seed of the weights")


def hold(page: Page, times: int, key: str = "ArrowUp") -> None:
    for _ in range(times):
        page.keyboard.down(key)  # as a keyboard repeats it


def test_every_picture_follows_a_held_key_which_is_one_step_and_no_number_is_refused(
    held_page: Page,
) -> None:
    page = held_page
    hold(page, 6)
    expect(seed(page)).to_have_value("6")
    expect(seed(page)).to_have_attribute("aria-valuetext", "6")
    assert_shows(page, trace_of(6), CLOSE)
    assert "weights_seed=6" not in page.url
    page.keyboard.up("ArrowUp")
    expect(page).to_have_url(re.compile("weights_seed=6"))
    expect(seed(page)).to_be_focused()
    assert_shows(page, trace_of(6))
    assert said(page) == ""  # both computed the same
    page.keyboard.press("Control+z")  # it was one step
    expect(seed(page)).to_have_value("0")
    assert_shows(page, trace_of(0))
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()

    hold(page, 3, "ArrowDown")
    page.keyboard.up("ArrowDown")
    expect(page.get_by_text("The seed must be a whole number from 0")).to_be_visible()
    assert_shows(page, trace_of(0))

    hold(page, 8)
    page.keyboard.press("Tab")
    expect(page).to_have_url(re.compile("weights_seed=5"))
    assert_shows(page, trace_of(5))
