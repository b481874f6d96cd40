"""The page as a lecturer presents it: how it is opened, and what stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from tests.browser.reading import wait_for_the_end_of_the_run
from tests.visitors import visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


PIZZA: Final = "/?example=pizza&present=1"
# Each picture is as wide and as high as its place, at most, and the letters have come.
IS_FITTED: Final = """() => {
  const [places, stages] = [".present-room", ".present .plot-stage"].map((one) =>
    Array.from(document.querySelectorAll(one), (each) => each.getBoundingClientRect()));
  const isIn = (one, other) => one.width <= other.width + 1 && one.height <= other.height + 1;
  const fits = stages.every((stage, i) => isIn(stage, places[i]));
  return document.fonts.status === "loaded" && stages.length > 0 && fits;
}"""


def present(page: Page, address: str = PIZZA) -> None:
    """Open a presentation, and wait for its first picture."""
    visit(page, address)
    wait_for_presentation(page)


def wait_for_presentation(page: Page) -> None:
    """Its picture is there, and the run that brought it has ended."""
    presentation(page).locator(".plot[data-painted]").last.wait_for()
    wait_for_the_end_of_the_run(page)


def presentation(page: Page) -> Locator:
    return page.get_by_role("region", name="Presentation")


def title(page: Page) -> Locator:
    return page.locator(".present-title")


def bar(page: Page) -> Locator:
    return page.get_by_role("toolbar", name="Presenting")


def headings(page: Page) -> Locator:
    """The headings of the heads in sight."""
    return page.locator(".present svg text", has_text=re.compile(r"^Head \d+"))


def says(page: Page, words: str) -> None:
    expect(page.locator(".present-words.is-shown")).to_have_text(words)


def show_bar(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(bar(page)).to_be_visible()
