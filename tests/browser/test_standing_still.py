"""The page stands still for a person who is about to click.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of_matrix
from tests.browser.reading import open_page, plot_named, wait_for_numbers

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

X, COLUMNS = 3, 8  # the place of X in the picture of "Into the heads", and its width

# Where a part's picture and the heading below it are, in every frame from the first in which the
# picture is seen until the run has ended and the page has nothing left to do. Taken from the top of
# the page.
PLACES = """([name, below]) => new Promise((resolve) => {
  const places = new Set();
  const app = document.querySelector("[data-test-script-state]");
  let isAtRest = false;
  const look = () => {
    const plot = document.querySelector(`.plot[aria-label^="${name}"][data-painted]`);
    if (plot) {
      const top = document.querySelector(".stMain > *").getBoundingClientRect().top;
      const parts = [plot.querySelector(".plot-stage"), document.querySelector(below)];
      places.add(parts.map((part) => part.getBoundingClientRect().top - top).join());
    }
    if (plot && isAtRest) return resolve([...places]);
    const hasEnded = plot && app.dataset.testScriptState === "notRunning";
    if (hasEnded) requestIdleCallback(() => { isAtRest = true; });
    requestAnimationFrame(look);
  };
  look();
})"""


def test_nothing_moves_as_a_part_shows_its_picture_nor_above_its_first_number_and_a_miss_is_noticed(
    page: Page,
) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    open_page(page, "/?example=pizza")
    place = page.get_by_text("Draw the mask")
    place.evaluate("place => place.scrollIntoView({block: 'center', behavior: 'instant'})")
    page.evaluate(f"() => {{ window.places = ({PLACES})(['The mask', '.st-key-fold-together']) }}")
    place.click()
    assert len(page.evaluate("window.places")) == 1
    # What has no height comes last, after the pictures: room for it would move what is below.
    page.locator(".st-key-outlined-additive").wait_for(state="attached")
    heights = page.locator(".stExpander details", has_text="Draw the mask").evaluate(
        """(part) => [".st-key-mask", ".st-key-additive", ".stHorizontalBlock"].map(
          (each) => part.querySelector(each).getBoundingClientRect().height
        )"""
    )
    assert heights[0] == heights[1] == heights[2]

    additive = plot_named(page, "The additive mask")
    pick(additive, 0, 1, 0, columns=4)
    before = additive.evaluate(ABOVE)
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.locator(".formulas")).to_contain_text("Scores with additions")
    expect(page.locator("h1")).to_contain_text(", changed")
    assert additive.evaluate(ABOVE) == before

    mask = plot_named(page, "The mask")
    expect(mask).to_be_visible()
    # The page moves down by one cell as the pointer comes.
    page.evaluate(
        "addEventListener('mousemove', () => { document.querySelector('.stMain').scrollTop -= 64 }"
        ", { once: true, capture: true })"
    )
    with pytest.raises(AssertionError, match="The page moved"):
        pick(mask, 0, 2, 1, columns=4)


SMALL, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
# The tops of a picture, of what stands above it, and of what stands beside it.
ABOVE = """(plot) => [".stMain h1", ".strip"]
  .map((each) => document.querySelector(each)).concat(plot)
  .map((each) => each.getBoundingClientRect().top)"""
TOPS = """(plot) => [".stMain h1", ".strip", ".form-section:last-child"]
  .map((each) => document.querySelector(each)).concat(plot)
  .map((each) => each && each.getBoundingClientRect().top)"""


def enter_first_number(page: Page, example: str) -> Locator:
    """Enter it into W_Q, and see that nothing moves. Returns the picture."""
    open_page(page, f"/?example={example}&open=into")
    way_in = plot_named(page, "X, the projections")
    way_in.locator(".plot-stage").focus()
    page.keyboard.press("ArrowRight")  # the first cell of W_Q
    before = way_in.evaluate(TOPS)
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(", changed")
    notes = page.locator(".form-section[data-section=weights] .form-notes")
    expect(notes).to_contain_text("changed by hand")
    assert way_in.evaluate(TOPS) == before
    return way_in


def test_the_first_entry_moves_nothing_around_it_and_a_longer_number_no_matrix(
    new_page: NewPage,
) -> None:
    way_in = enter_first_number(new_page(viewport=SMALL), "pizza")
    page = way_in.page
    pick(way_in, X, 1, 1, COLUMNS)
    # At this width the numbers of K then get too long for the size that they had.
    before = [place_of_matrix(way_in, matrix) for matrix in range(7)]
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    with_seven = load_example("pizza").x.copy()
    with_seven[1, 1] = 7
    k = attend(with_matrix(load_example("pizza"), "x", with_seven)).k
    wait_for_numbers(way_in, "k", k)
    assert [place_of_matrix(way_in, matrix) for matrix in range(7)] == before


@pytest.mark.parametrize(
    ("example", "viewport"), [("pizza", PHONE), ("two-tokens-mixed", SMALL), ("translation", PHONE)]
)
def test_the_first_entry_moves_nothing_above_it_or_beside_it(
    new_page: NewPage, example: str, viewport: Any
) -> None:
    enter_first_number(new_page(viewport=viewport), example)


def test_another_row_moves_nothing_above_it(new_page: NewPage) -> None:
    page = new_page(viewport=SMALL)
    # The heads above it get a row too, as they show X.
    open_page(page, "/?example=pizza&open=into&fold=heads")
    way_in = plot_named(page, "X, the projections")
    pick(way_in, X, 0, 0, COLUMNS)
    before = way_in.evaluate(TOPS)
    page.keyboard.press("ArrowLeft")  # to the label of the row
    page.keyboard.press("Insert")
    expect(page.get_by_label("Number of tokens", exact=True)).to_have_value("5")
    expect(page.get_by_text("Reset restores it.")).to_be_visible()
    assert way_in.evaluate(TOPS) == before


def test_a_part_closes_at_once(new_page: NewPage) -> None:
    page = new_page(reduced_motion="no-preference")  # else nothing is slow
    open_page(page, "/?example=pizza")
    part = page.locator(".stExpander details", has_text="Draw the mask")
    part.locator("summary").click()
    plot_named(page, "The mask").wait_for()
    heights = part.evaluate(
        """async (part) => {
          part.querySelector("summary").click();
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          return [part, part.querySelector("summary")].map((each) => each.offsetHeight);
        }"""
    )
    assert heights[0] - heights[1] <= 2  # its borders
