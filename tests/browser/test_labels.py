"""Labels that are edited where they stand, in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.reordering import with_token_moved, with_token_removed
from mha_core.examples import load_example
from tests.browser.hands import Box, pick, place_of
from tests.browser.reading import (
    exact_numbers,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.slow_line import SlowLine
from tests.browser.test_accessibility import violations
from tests.browser.test_editing_in_place import COLUMNS, OPEN, X, field, plot_at

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


PIZZA = load_example("pizza")


@pytest.fixture
def way_in(page: Page) -> Locator:
    open_page(page, OPEN)
    return plot_at(page)


def label(plot: Locator, text: str) -> Locator:
    """A label in a picture, as it is drawn below all lights."""
    return plot.locator("svg.plot-ink").first.locator("text").get_by_text(text, exact=True).first


def middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


def click(plot: Locator, text: str) -> None:
    plot.page.mouse.click(*middle(place_of(label(plot, text))))


def tokens_are(page: Page, *tokens: str) -> None:
    expect(page.get_by_label("Tokens", exact=True)).to_have_value(" ".join(tokens))


def name_field(plot: Locator) -> Locator:
    return plot.locator(".plot-name")


def spoken(plot: Locator) -> Locator:
    return plot.locator(".plot-unseen")


def to_label(page: Page, plot: Locator, row: int) -> None:
    """The cursor of the keyboard goes to the label of a row of X."""
    pick(plot, X, row, 0, COLUMNS)
    page.keyboard.press("ArrowLeft")


def test_by_mouse_a_token_is_renamed_and_a_row_dragged_or_removed_and_every_picture_follows(
    page: Page, way_in: Locator
) -> None:
    parts = [page.locator("h1"), page.locator(".strip"), way_in.locator("canvas").first]
    place_of(label(way_in, "LOVE"))  # which scrolls there
    before = [each.bounding_box() for each in parts]
    click(way_in, "LOVE")
    expect(name_field(way_in)).to_be_hidden()
    click(way_in, "LOVE")
    expect(name_field(way_in)).to_have_value("LOVE")
    page.keyboard.type("a much longer name than before")
    assert [each.bounding_box() for each in parts] == before
    page.keyboard.press("Escape")
    assert [each.bounding_box() for each in parts] == before
    click(way_in, "LOVE")
    expect(name_field(way_in)).to_have_value("LOVE")
    page.keyboard.type("HATE")
    page.keyboard.press("Enter")
    tokens_are(page, "I", "HATE", "PEPPERONI", "PIZZA")
    for plot in (way_in, plot_named(page, "Scores"), plot_named(page, "Concatenation")):
        expect(label(plot, "HATE")).to_be_attached()
    page.get_by_role("button", name="Undo").click()
    tokens_are(page, *PIZZA.tokens)
    expect(label(way_in, "LOVE")).to_be_attached()

    start = place_of(label(way_in, "I"))
    to = Box(**(label(way_in, "PEPPERONI").bounding_box() or {}))
    before = [each.bounding_box() for each in parts]
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(to.x, to.y + 1.2 * to.height, steps=5)
    expect(way_in.locator(".plot-landing")).to_be_attached()
    assert [each.bounding_box() for each in parts] == before
    page.keyboard.press("Escape")
    expect(way_in.locator(".plot-landing")).to_have_count(0)
    page.mouse.up()
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(to.x, to.y + 1.2 * to.height, steps=5)
    page.mouse.up()
    tokens_are(page, "LOVE", "PEPPERONI", "I", "PIZZA")
    wait_for_numbers(way_in, "x", with_token_moved(PIZZA, "tokens", 0, 2).x)
    page.get_by_role("button", name="Undo").click()
    tokens_are(page, *PIZZA.tokens)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()

    page.mouse.move(*middle(place_of(label(way_in, "LOVE"))))
    way_in.get_by_role("button", name="Input: Row 2, token LOVE: add, remove, move").click()
    menu = way_in.get_by_role("menu")
    expect(menu.get_by_role("menuitem")).to_have_text(
        ["Rename", "Add a row below", "Remove", "Move up", "Move down"]
    )
    assert violations(page, where={"include": [".plot"]}) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(menu).to_be_hidden()
    tokens_are(page, "I", "PEPPERONI", "PIZZA")
    page.keyboard.press("Space")
    menu.get_by_role("menuitem", name="Rename").press("Escape")
    expect(menu).to_be_hidden()
    expect(way_in.locator(".plot-stage")).to_be_focused()


def test_a_token_is_renamed_by_the_keyboard_alone_and_what_is_refused_stays_with_the_reason(
    page: Page, way_in: Locator
) -> None:
    to_label(page, way_in, 1)
    expect(spoken(way_in)).to_have_text(
        "Input: Row 2, token LOVE; can be renamed, moved and removed"
    )
    page.keyboard.press("F2")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    said = way_in.locator(".plot-refusals")
    expect(said).to_have_text("A token must have a name, got nothing. Type a word, or remove it.")
    expect(way_in.locator(".plot-entered")).to_have_text(["(no name)"])
    page.keyboard.press("F2")
    expect(name_field(way_in)).to_have_value("")
    page.keyboard.type("LIKE")
    page.keyboard.press("Enter")
    tokens_are(page, "I", "LIKE", "PEPPERONI", "PIZZA")
    expect(said).to_be_empty()
    page.keyboard.type("HATE")
    expect(name_field(way_in)).to_have_value("HATE")
    page.keyboard.press("Tab")
    expect(spoken(way_in)).to_contain_text("Row 3, token PEPPERONI")
    page.keyboard.press("F2")
    expect(name_field(way_in)).to_have_value("PEPPERONI")
    page.keyboard.type("CHEESE")
    page.keyboard.press("Escape")
    expect(name_field(way_in)).to_be_hidden()
    tokens_are(page, "I", "HATE", "PEPPERONI", "PIZZA")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(spoken(way_in)).to_contain_text("Input, token PIZZA, d_model 1")
    page.keyboard.type("5")
    expect(field(way_in)).to_have_value("5")
    page.keyboard.press("Escape")  # nobody leaves the page with an entry that is under way
    expect(field(way_in)).to_be_hidden()


def test_by_keyboard_rows_are_moved_added_and_removed_and_columns_moved_and_added(
    page: Page, way_in: Locator
) -> None:
    to_label(page, way_in, 0)
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowDown")  # before the server has answered
    tokens_are(page, "LOVE", "PEPPERONI", "I", "PIZZA")
    expect(spoken(way_in)).to_contain_text("Row 3, token I")
    page.keyboard.press("Delete")
    tokens_are(page, "LOVE", "PEPPERONI", "PIZZA")
    expect(spoken(way_in)).to_contain_text("Row 3, token PIZZA")
    page.keyboard.press("Insert")
    tokens_are(page, "LOVE", "PEPPERONI", "PIZZA", "t4")
    expect(spoken(way_in)).to_contain_text("Row 4, token t4")
    page.keyboard.type("PIE")
    page.keyboard.press("Enter")
    tokens_are(page, "LOVE", "PEPPERONI", "PIZZA", "PIE")
    undo = page.get_by_role("button", name="Undo")
    for tokens in (("LOVE", "PEPPERONI", "PIZZA", "t4"), ("LOVE", "PEPPERONI", "PIZZA")):
        undo.click()
        tokens_are(page, *tokens)
    moved = with_token_moved(PIZZA, "tokens", 0, 2)
    wait_for_numbers(way_in, "x", with_token_removed(moved, "tokens", 2).x)
    undo.click()
    wait_for_numbers(way_in, "x", moved.x)
    wait_for_numbers(plot_named(page, "Concatenation"), "output", attend(moved).output)
    undo.click()
    undo.click()
    tokens_are(page, *PIZZA.tokens)

    output = attend(PIZZA).output
    pick(way_in, X, 0, 2, COLUMNS)
    page.keyboard.press("ArrowUp")
    expect(spoken(way_in)).to_have_text("Input: Column 3, d_model 3; can be moved and removed")
    page.keyboard.type("z")  # a column has a number, and no name
    expect(name_field(way_in)).to_be_hidden()
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("Insert")
    order = [0, 1, 3, 2, 4, 5, 6, 7]
    wait_for_numbers(way_in, "x", np.insert(PIZZA.x[:, order], 4, 0, axis=1))
    wait_for_numbers(way_in, "w_q", np.insert(PIZZA.w_q[order], 4, 0, axis=0))
    shown = exact_numbers(plot_named(page, "Concatenation"), "output")
    np.testing.assert_allclose(shown, output, rtol=0, atol=1e-12)
    page.keyboard.press("p")  # is the page's where no name is
    expect(page.locator(".present-title")).to_be_visible()


def test_tokens_of_the_second_sequence_are_renamed_beside_it(page: Page) -> None:
    open_page(page, "/?example=translation&open=into")
    way_in = plot_at(page)
    first, *others = load_example("translation").context_tokens
    for _ in range(2):
        click(way_in, first)
    page.keyboard.type("NEW")
    page.keyboard.press("Enter")
    words = " ".join(("NEW", *others))
    expect(page.get_by_text(f"from a second sequence: {words}.")).to_be_visible()
    tokens_are(page, *load_example("translation").tokens)


def test_a_label_is_renamed_once_its_picture_has_come_and_late_acts_are_done_in_their_order(
    late_page: Page, line: SlowLine
) -> None:
    """The word that a move was taken comes later in the run."""
    page = late_page
    open_page(page, OPEN)
    way_in = plot_at(page)
    to_label(page, way_in, 2)
    wait_for_the_end_of_the_run(page)
    line.hold()
    page.keyboard.press("Alt+ArrowDown")
    line.wait_for_runs(1)
    page.keyboard.type("X")  # the picture is behind: it would be for another row
    expect(name_field(way_in)).to_be_hidden()
    line.let_pictures_go(entry=1)
    expect(spoken(way_in)).to_contain_text("Row 4, token PEPPERONI")
    page.keyboard.type("SALAMI")
    expect(name_field(way_in)).to_have_value("SALAMI")
    line.let_go()
    page.keyboard.press("Enter")
    tokens_are(page, "I", "LOVE", "PIZZA", "SALAMI")

    wait_for_the_end_of_the_run(page)
    expect(spoken(way_in)).to_contain_text("Row 4, token SALAMI")
    line.hold()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Insert")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("5")  # its row is on its way
    expect(field(way_in)).to_be_hidden()
    line.wait_for_runs(1)
    line.let_go()
    tokens_are(page, "I", "SALAMI", "t5", "LOVE", "PIZZA")
