"""Numbers that are changed where they stand, in a real browser.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core import attend
from mha_core.changing.changes import with_matrix
from mha_core.examples import load_example
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import (
    exact_numbers,
    open_page,
    plot_named,
    wait_for_numbers,
    wait_for_the_end_of_the_run,
)
from tests.browser.slow_line import SlowLine

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from mha_core.checks.shapes import FloatArray
    from tests.conftest import NewPage

PIZZA = load_example("pizza")
W_Q, X = 0, 3  # places of the matrices in the picture
COLUMNS = 8
OPEN = "/?example=pizza&open=into"


@pytest.fixture
def way_in(page: Page) -> Locator:
    open_page(page, OPEN)
    return plot_at(page)


def plot_at(page: Page) -> Locator:
    plot = plot_named(page, "X, the projections")
    # The lines around what can be edited come with the end of the first run.
    plot.locator("svg > svg rect[stroke-opacity='0.45']").first.wait_for(state="attached")
    return plot


def field(plot: Locator) -> Locator:
    return plot.locator(".plot-edit")


def entered(plot: Locator) -> Locator:
    """What stands in cells instead of their numbers."""
    return plot.locator(".plot-entered")


# The machine has one clipboard, and other tests run beside these. So events hand over what comes
# and goes, as in a browser.


def paste(plot: Locator, text: str) -> None:
    plot.locator(".plot-stage").evaluate(
        """(stage, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          stage.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
        }""",
        text,
    )


def copied(plot: Locator) -> str:
    text: str = plot.locator(".plot-stage").evaluate(
        """(stage) => {
          const clipboardData = new DataTransfer();
          stage.dispatchEvent(new ClipboardEvent("copy", { clipboardData }));
          return clipboardData.getData("text/plain");
        }"""
    )
    return text


def x_with(**cells: float) -> FloatArray:
    """X of the example with other numbers: `r0c1=2` is row 0, column 1."""
    x = PIZZA.x.copy()
    for place, number in cells.items():
        row, column = map(int, re.findall(r"\d+", place))
        x[row, column] = number
    return x


ENTER_AND_UNDO = """(stage) => {
  const key = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  stage.querySelector(".plot-edit").dispatchEvent(key);
  document.querySelector(".history button[name=Undo]").click();
}"""


def test_the_field_stays_while_the_picture_changes_and_an_entry_is_undone_alone_however_soon(
    page: Page, way_in: Locator
) -> None:
    pick(way_in, X, 0, 3, COLUMNS)
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    page.keyboard.type("5")
    expect(page.get_by_role("heading", name="Pizza, a language model, changed")).to_be_visible()
    expect(field(way_in)).to_be_focused()
    expect(field(way_in)).to_have_value("5")
    page.keyboard.press("Enter")
    before = {"r0c3": 4, "r0c4": 5}
    wait_for_numbers(way_in, "x", x_with(**before))
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")  # before the server has answered
    redo = page.get_by_role("button", name="Redo")
    expect(redo).to_be_enabled()
    wait_for_numbers(way_in, "x", x_with(**before))
    redo.click()
    wait_for_numbers(way_in, "x", x_with(**before, r1c4=5))
    expect(redo).to_be_disabled()
    pick(way_in, X, 1, 0, COLUMNS)
    page.keyboard.press("6")
    page.keyboard.press("7")
    way_in.locator(".plot-stage").evaluate(ENTER_AND_UNDO)  # as one event
    expect(redo).to_be_enabled()
    wait_for_numbers(way_in, "x", x_with(**before, r1c4=5))


def test_a_row_is_typed_what_is_refused_stays_in_its_cell_and_undo_takes_back_one_number(
    page: Page, way_in: Locator
) -> None:
    pick(way_in, X, 1, 2, COLUMNS)
    for text in ("1/3", "-2,5", "1e-3"):
        page.keyboard.type(text)
        expect(field(way_in)).to_have_value(text)
        page.keyboard.press("Tab")
        expect(field(way_in)).to_be_hidden()
    row = {"r1c2": 1 / 3, "r1c3": -2.5, "r1c4": 1e-3}
    x = x_with(**row)
    wait_for_numbers(way_in, "x", x)
    trace = attend(with_matrix(PIZZA, "x", x))
    wait_for_numbers(way_in, "q", trace.q)
    wait_for_numbers(plot_named(page, "Concatenation"), "output", trace.output)
    np.testing.assert_array_equal(
        exact_numbers(plot_named(page, "Scores"), "weights/1"),
        np.where(trace.mask, trace.weights[1], np.nan),
    )

    pick(way_in, X, 0, 0, COLUMNS)
    page.keyboard.press("F2")
    page.keyboard.type("abc")
    page.keyboard.press("Tab")
    # Going on hides it, as it would hide the cells to which a person goes.
    expect(way_in.locator(".plot-tip-refused")).to_contain_text("must hold numbers only")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(entered(way_in)).to_have_text(["abc"])  # the other was taken
    said = way_in.locator(".plot-refusals")
    expect(said).to_contain_text("X, row 1 (I), column 1 must hold numbers only, got 'abc'.")
    for key in ("ArrowUp", "ArrowLeft", "F2"):  # from where Enter led
        page.keyboard.press(key)
    expect(field(way_in)).to_have_value("abc")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    wait_for_numbers(way_in, "x", x_with(**row, r0c0=3, r0c1=8))
    expect(entered(way_in)).to_have_count(0)
    expect(said).to_be_empty()

    page.keyboard.type("5")
    page.keyboard.press("Enter")
    page.keyboard.type("6")
    page.get_by_role("button", name="Undo").click()  # while it is typed
    redo = page.get_by_role("button", name="Redo")
    expect(redo).to_be_enabled()
    wait_for_numbers(way_in, "x", x_with(**row, r0c0=3, r0c1=8, r1c0=5))
    redo.click()
    wait_for_numbers(way_in, "x", x_with(**row, r0c0=3, r0c1=8, r1c0=5, r2c0=6))


# A browser that is busy sends what happened meanwhile as one event.
CLICK_AND_TYPE = """(stage, [x, y, text]) => {
  const at = { clientX: x, clientY: y, button: 0, bubbles: true, pointerType: "mouse" };
  for (const type of ["pointerdown", "pointerup"]) stage.dispatchEvent(new PointerEvent(type, at));
  const press = (element, key) =>
    element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press(stage, text[0]);
  const field = stage.querySelector(".plot-edit");
  field.value = text;
  press(field, "Enter");
}"""


def test_a_click_and_an_entry_as_one_event_are_answered_and_what_is_refused_is_emptied_or_stays(
    page: Page, way_in: Locator
) -> None:
    said = way_in.locator(".plot-refusals")
    for column, text, reason in ((0, "1..2", "X, row 1 (I), column 1 must"), (1, "7", "")):
        cell = place_of_cell(way_in, X, 0, column, COLUMNS)
        middle = [cell.x + cell.width / 2, cell.y + cell.height / 2]
        way_in.locator(".plot-stage").evaluate(CLICK_AND_TYPE, [*middle, text])
        expect(said).to_contain_text(reason)
        expect(page).to_have_url(re.compile(rf"cell=x%3A1\.{column + 1}"))
        expect(entered(way_in)).to_have_text(["1..2"])
        wait_for_numbers(way_in, "x", PIZZA.x if reason else x_with(r0c1=7))
    pick(way_in, X, 0, 0, COLUMNS)
    page.keyboard.press("F2")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(said).to_be_empty()
    pick(way_in, X, 0, 0, COLUMNS)
    paste(way_in, "1\tabc")
    expect(said).to_contain_text("must hold numbers only")
    before = entered(way_in).all_text_contents()
    reason = said.text_content()
    assert before
    for leave in ("Escape", "Enter"):
        pick(way_in, X, 0, 0, COLUMNS)
        page.keyboard.press("F2")
        expect(field(way_in)).to_have_value("")  # it has several cells, and the field has one line
        page.keyboard.press(leave)
        expect(field(way_in)).to_be_hidden()
    assert (entered(way_in).all_text_contents(), said.text_content()) == (before, reason)
    assert np.array_equal(exact_numbers(way_in, "x"), x_with(r0c1=7))


def test_a_cell_opens_unless_it_is_computed_and_several_are_copied_set_to_0_pasted_and_asked_about(
    page: Page, way_in: Locator
) -> None:
    parts = [page.locator("h1"), page.locator(".strip"), way_in.locator("canvas").first]
    pick(way_in, X, 2, 2, COLUMNS)
    before = [each.bounding_box() for each in parts]
    pick(way_in, X, 2, 2, COLUMNS)
    expect(field(way_in)).to_have_value("1")
    expect(field(way_in)).to_be_focused()
    page.keyboard.type("-12345.678")
    assert [each.bounding_box() for each in parts] == before
    page.keyboard.press("Escape")
    assert [each.bounding_box() for each in parts] == before
    page.keyboard.type("9")
    pick(way_in, 4, 0, 0, COLUMNS)  # Q; a click elsewhere takes what was typed
    page.keyboard.type("5")
    page.keyboard.press("F2")
    expect(field(way_in)).to_be_hidden()
    wait_for_numbers(way_in, "x", x_with(r2c2=9))
    pick(way_in, X, 0, 0, COLUMNS)
    page.keyboard.type("77")
    page.keyboard.press("Escape")
    expect(field(way_in)).to_be_hidden()
    page.keyboard.press("F2")
    expect(field(way_in)).to_have_value("1")
    page.keyboard.press("End")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    x = x_with(r2c2=9, r0c0=12, r1c1=0)
    wait_for_numbers(way_in, "x", x)

    pick(way_in, W_Q, 1, 5, COLUMNS)
    assert float(copied(way_in)) == PIZZA.w_q[1, 5]
    pick(way_in, W_Q, 1, 2, COLUMNS)
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(f"Shift+{key}")
    np.testing.assert_array_equal(numbers_copied(way_in), PIZZA.w_q[1:3, 2:5])
    heard = way_in.locator(".plot-unseen")
    expect(heard).to_contain_text("2 × 3 cells selected, from d_model 2, head.d_k 1.3 to d_model 3")
    page.keyboard.press("Delete")
    w_q = PIZZA.w_q.copy()
    w_q[1:3, 2:5] = 0
    wait_for_numbers(way_in, "w_q", w_q)
    page.get_by_role("button", name="Undo").click()  # it was one entry
    wait_for_numbers(way_in, "w_q", PIZZA.w_q)
    pick(way_in, W_Q, 2, 5, COLUMNS)
    page.keyboard.down("Shift")
    pick(way_in, W_Q, 0, 4, COLUMNS)
    page.keyboard.up("Shift")
    np.testing.assert_array_equal(numbers_copied(way_in), PIZZA.w_q[:3, 4:6])
    paste(way_in, "1\t2\n3\t4")  # from the first of them
    w_q = PIZZA.w_q.copy()
    w_q[:2, 4:6] = [[1, 2], [3, 4]]
    wait_for_numbers(way_in, "w_q", w_q)

    pick(way_in, X, 1, 4, COLUMNS)
    paste(way_in, "1\t2\t3\t4\r\n5\t6\t7\t8\r\n9\t10\t11\t12\r\n")
    x[1:4, 4:] = np.arange(1, 13).reshape(3, 4)
    wait_for_numbers(way_in, "x", x)
    pick(way_in, X, 3, 0, COLUMNS)
    paste(way_in, "1\t2\n3\t4")
    button = page.get_by_role("button", name="Resize X to 5 rows and paste")
    expect(button).to_be_in_viewport()
    wait_for_numbers(way_in, "x", x)
    button.click()
    x = np.vstack([x, np.zeros(8)])
    x[3:5, :2] = [[1, 2], [3, 4]]
    wait_for_numbers(way_in, "x", x)

    together = plot_named(page, "Concatenation")
    pick(together, 0, 0, 0, COLUMNS, rows=8)
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    w_o = PIZZA.w_o.copy()
    w_o[0, 0] = 2
    wait_for_numbers(together, "w_o", w_o)


def numbers_copied(plot: Locator) -> list[list[float]]:
    return [[float(text) for text in line.split("\t")] for line in copied(plot).splitlines()]


def test_quick_entries_are_kept_however_late_the_server_answers_but_for_a_cell_that_went(
    late_page: Page, line: SlowLine
) -> None:
    page = late_page
    open_page(page, OPEN)
    way_in = plot_at(page)
    pick(way_in, X, 0, 0, COLUMNS)
    wait_for_the_end_of_the_run(page)
    line.hold()
    for text in ("2", "3", "4"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    expect(entered(way_in)).to_have_text(["2", "3", "4"])  # they stand there meanwhile
    line.wait_for_runs(1)
    line.let_go()
    x = x_with(r0c0=2, r0c1=3, r0c2=4)
    wait_for_numbers(way_in, "x", x)
    expect(entered(way_in)).to_have_count(0)

    count = page.get_by_label("Number of tokens", exact=True)
    line.hold()
    count.fill("2")
    count.press("Enter")
    line.wait_for_runs(1)
    pick(way_in, X, 3, 0, COLUMNS)
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    line.wait_for_runs(2)
    line.let_go()
    expect(way_in.locator(".plot-refusals")).to_contain_text(
        "X must still have the cell that was edited, got an entry for row 4, column 1"
    )
    wait_for_numbers(way_in, "x", x[:2])


def test_by_touch_a_second_tap_opens_the_cell(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1180, "height": 820}, has_touch=True, is_mobile=True)
    open_page(page, OPEN)
    way_in = plot_at(page)
    x, y, width, height = place_of_cell(way_in, X, 1, 1, COLUMNS)
    for _ in range(2):
        page.touchscreen.tap(x + width / 2, y + height / 2)
    expect(field(way_in)).to_be_focused()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    wait_for_numbers(way_in, "x", x_with(r1c1=8))


def test_after_a_refused_entry_and_escape_the_next_number_is_taken(page: Page) -> None:
    open_page(page, "/walkthrough?example=split-only&screen=input")
    plot = page.locator(".plot", has=page.locator("svg > svg rect[stroke-opacity='0.45']")).first
    plot.locator(".plot-stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("F2")
    page.keyboard.type("abc")
    page.keyboard.press("Enter")
    expect(plot.locator(".plot-refusals p")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(plot.locator(".plot-refusals p")).to_have_count(0)
    expect(entered(plot)).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
