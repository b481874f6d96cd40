"""An exercise in a real browser: it is filled in, marked, kept, left and found again.

Takes long: axe reads whole sheets, small and large, in both themes; sheets are filled in by hand.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from mha_core.layer.cells import Cell
from mha_core.worksheets.exercise import Exercise
from mha_core.worksheets.sheet import Worksheet, make_exercise
from tests.browser.reading import exact_numbers, plot_named, wait_for_first_run, wait_until
from tests.browser.test_accessibility import OF_PLACES, PHONE, violations, violations_in_both_themes
from tests.visitors import visit
from ui.edits.exercise_params import exercise_params

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

WIDTHS: Final = (
    "[document.scrollingElement, document.querySelector('.stMain')].map(e => e.scrollWidth)"
)
SMALL: Final = Exercise(n_tokens=2, d_model=2, n_heads=1, difficulty="scores_given", seed=3)
MIDDLE: Final = Exercise(difficulty="queries_given", base="2", seed=7)


@cache
def sheet_of(exercise: Exercise) -> Worksheet:
    return make_exercise(exercise)


# The next message to the server goes nowhere.
LOSES_THE_NEXT = """() => {
    const send = WebSocket.prototype.send;
    window.lost = 0;
    WebSocket.prototype.send = function () {
        WebSocket.prototype.send = send;
        window.lost += 1;
    };
}"""


def address_of(exercise: Exercise) -> str:
    return f"/exercise?{urlencode(exercise_params(exercise))}"


def open_exercise(page: Page, exercise: Exercise) -> None:
    visit(page, address_of(exercise))
    blanks(page).nth(len(sheet_of(exercise).blanks) - 1).wait_for()


def blanks(page: Page) -> Locator:
    return page.locator(".answer-sheet input[data-part]")


def blank(page: Page, cell: Cell) -> Locator:
    place = f'[data-row="{cell.row}"][data-column="{cell.column}"]'
    return page.locator(f'input[data-part="{cell.matrix}"]{place}')


def mark(page: Page, cell: Cell) -> Locator:
    return page.locator("td.blank", has=blank(page, cell))


def fill(page: Page, answers: dict[Cell, str]) -> None:
    """Write each answer and leave its blank, as fast as it goes."""
    for cell, text in answers.items():
        blank(page, cell).fill(text)
    page.keyboard.press("Tab")


def right_answers(exercise: Exercise, *steps: str) -> dict[Cell, str]:
    sheet = sheet_of(exercise)
    return {c: sheet.answer(c) for c in sheet.blanks if not steps or c.step in steps}


def forgotten_scale(exercise: Exercise) -> dict[Cell, str]:
    """The scaled scores of head 1 of somebody who forgot to scale."""
    sheet = sheet_of(exercise)
    raw = {c: replace(c, step="raw_scores") for c in sheet.blanks if c.step == "scaled_scores"}
    texts = {c: sheet.piece_of(r).texts[r.row][r.column] for c, r in raw.items()}
    return {c: text for c, text in texts.items() if c.head == 0}


def result(page: Page) -> Locator:
    return page.locator(".answer-sheet").get_by_role("status")


def test_answers_are_marked_when_asked_sent_again_if_lost_outlive_a_reload_and_are_brought_back(
    page: Page,
) -> None:
    open_exercise(page, SMALL)
    page.get_by_label("Check at once").uncheck()
    first, second, *_ = sheet_of(SMALL).blanks
    fill(page, {first: "99", second: "98"})
    expect(page.locator("td[data-verdict]")).to_have_count(0)
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator('td[data-verdict="wrong"]')).to_have_count(2)
    blank(page, first).fill("9")  # the mark was of another text
    expect(mark(page, first)).not_to_have_attribute("data-verdict", "wrong")
    expect(mark(page, second)).to_have_attribute("data-verdict", "wrong")

    page.get_by_label("Check at once").check()
    fill(page, right_answers(SMALL))
    points = sheet_of(SMALL).points
    expect(result(page)).to_have_text(f"{points} of {points} points All correct.")
    right = page.locator('td[data-verdict="right"]')
    expect(right).to_have_count(len(sheet_of(SMALL).blanks))

    page.get_by_role("button", name="Start again").click()
    expect(result(page)).to_contain_text("0 of")
    page.evaluate(LOSES_THE_NEXT)
    fill(page, {first: "5"})
    expect(mark(page, first)).to_have_attribute("data-verdict", "wrong")
    assert page.evaluate("window.lost") == 1

    answers = right_answers(SMALL, "weights")
    fill(page, answers)
    worth = sum(sheet_of(SMALL).piece_of(cell).points for cell in answers)
    some_points = f"{worth} of {points} points"
    expect(result(page)).to_contain_text(some_points)
    page.reload()
    for cell, text in answers.items():
        expect(blank(page, cell)).to_have_value(text)
    expect(result(page)).to_contain_text(some_points)
    page.get_by_role("button", name="Start again").click()
    expect(result(page)).to_contain_text("0 of")
    cell, text = next(iter(answers.items()))
    expect(blank(page, cell)).to_have_value("")
    page.get_by_role("button", name="Bring my answers back").click()
    expect(blank(page, cell)).to_have_value(text)
    expect(mark(page, cell)).to_have_attribute("data-verdict", "right")


def test_each_sheet_has_answers_of_its_own_by_back_and_forward_and_the_links_above(
    page: Page,
) -> None:
    def first_sheet() -> None:
        expect(blank(page, first)).to_have_value("5")
        expect(mark(page, first)).to_have_attribute("data-verdict", "wrong")
        assert page.url.endswith(address_of(SMALL))

    def another_sheet() -> None:
        wait_until(page, "location.search.includes('seed=4')")
        expect(blank(page, first)).to_have_value("")
        expect(result(page)).to_contain_text("0 of")

    another_one = page.get_by_role("button", name="Another one")
    open_exercise(page, SMALL)
    first = sheet_of(SMALL).blanks[0]
    fill(page, {first: "5"})
    first_sheet()
    another_one.click()
    another_sheet()
    page.go_back()
    first_sheet()
    page.go_forward()
    another_sheet()
    # At once: with its answers the browser sends what the fields showed, which nobody has chosen.
    page.evaluate("history.back()")
    first_sheet()
    another_one.click()
    another_sheet()
    page.evaluate("history.back()")
    first_sheet()

    page.get_by_role("link", name="Tours", exact=True).click()
    page.get_by_role("heading", name="A tour of your own").wait_for()
    page.get_by_role("link", name="Exercise", exact=True).click()
    expect(blank(page, first)).to_have_value("5")
    wait_until(page, "location.search.includes('seed=3')")


def test_the_keyboard_leads_on_what_cannot_be_read_is_not_run_and_the_solution_has_the_numbers(
    page: Page,
) -> None:
    open_exercise(page, MIDDLE)
    at = Cell("raw_scores", 0, 0, 0)
    blank(page, at).focus()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(blank(page, replace(at, column=1))).to_be_focused()
    expect(mark(page, at)).to_have_attribute("data-verdict", "wrong")
    page.keyboard.press("Tab")
    expect(blank(page, replace(at, column=2))).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(blank(page, replace(at, row=1, column=2))).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(blank(page, replace(at, row=1, column=1))).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(blank(page, at)).to_be_focused()
    page.keyboard.type("23")
    page.keyboard.press("ArrowLeft")  # inside of the text
    page.keyboard.type("/")
    expect(blank(page, at)).to_have_value("2/3")
    page.keyboard.press("Escape")
    expect(blank(page, at)).to_have_value("1")
    expect(blank(page, at)).to_be_focused()
    page.keyboard.press("Tab")
    expect(mark(page, at)).to_have_attribute("data-verdict", "wrong")

    blank(page, at).fill("5")
    page.get_by_label("Check at once").focus()
    page.get_by_role("button", name="Write divided by").click()
    expect(blank(page, at)).to_have_value("5/")
    expect(blank(page, at)).to_be_focused()

    first, second, *_ = sheet_of(MIDDLE).blanks
    fill(page, {first: "<img src=x onerror=alert(1)>", second: "5/0"})
    expect(mark(page, first)).to_have_attribute("data-verdict", "unreadable")
    expect(mark(page, second)).to_have_attribute("data-verdict", "unreadable")
    said = page.locator(".block", has=blank(page, first)).locator(".said")
    expect(said).to_contain_text("Raw scores, head 1, row t1, column t1: The answer must")
    expect(page.locator(".answer-sheet img")).to_have_count(0)

    fill(page, {first: "5", second: ""})
    link = page.get_by_role("link", name="Open the solution in the explorer")
    expect(link).to_have_count(0)
    page.get_by_role("button", name="Show the solution").click()
    worksheet = sheet_of(MIDDLE)
    solution = page.locator(".answer-sheet .solution")
    expect(solution).to_have_text([worksheet.answer(cell) for cell in worksheet.blanks])
    expect(blanks(page).nth(1)).to_have_value("")
    link.click()
    wait_for_first_run(page)
    trace = sheet_of(MIDDLE).trace
    shown = exact_numbers(plot_named(page, "Scores"), "weights/0")
    hidden = np.where(trace.mask, trace.weights[0], np.nan)
    assert shown == pytest.approx(hidden, nan_ok=True)
    page.go_back()
    expect(blank(page, first)).to_have_value("5")
    assert page.url.endswith(address_of(MIDDLE))


def test_by_touch_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    open_exercise(page, MIDDLE)
    first = sheet_of(MIDDLE).blanks[0]
    expect(blank(page, first)).to_have_attribute("inputmode", "decimal")
    blank(page, first).tap()
    page.get_by_role("button", name="Write minus", exact=True).tap()
    page.keyboard.type("4")
    page.get_by_role("button", name="Write divided by").tap()
    page.keyboard.type("3")
    expect(blank(page, first)).to_have_value("−4/3")
    expect(blank(page, first)).to_be_focused()
    blank(page, sheet_of(MIDDLE).blanks[1]).tap()
    expect(mark(page, first)).to_have_attribute("data-verdict", "wrong")
    assert max(page.evaluate(WIDTHS)) <= PHONE["width"]


def test_the_widest_sheet_scrolls_inside_itself_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    open_exercise(page, Exercise(n_tokens=5, d_model=8, n_heads=2))
    assert max(page.evaluate(WIDTHS)) <= PHONE["width"]
    assert page.locator(".scrolls").first.evaluate("e => e.scrollWidth > e.clientWidth")
    assert violations(page, OF_PLACES) == []


def test_the_step_that_went_wrong_is_named_and_no_violation_with_every_mark_nor_on_a_phone(
    page: Page,
) -> None:
    open_exercise(page, MIDDLE)
    expect(page.get_by_label("Weights, head 1, row t2, column t1", exact=True)).to_have_count(1)
    fill(page, forgotten_scale(MIDDLE))
    sentence = "Scaled scores, head 1: The scale was forgotten."
    expect(result(page)).to_contain_text(sentence)
    first = next(iter(forgotten_scale(MIDDLE)))
    block = page.locator(".block", has=blank(page, first))
    expect(block.locator(".said")).to_have_text(sentence)
    expect(page.locator(".said:not(:empty)")).to_have_count(1)
    expect(blank(page, first)).to_have_attribute("aria-invalid", "true")
    expect(blank(page, first)).to_have_accessible_description("wrong")
    masked = {
        replace(c, step="masked_scores"): text if c.column <= c.row else "−∞"
        for c, text in forgotten_scale(MIDDLE).items()
    }
    fill(page, masked)
    follows = page.locator('td[data-verdict="yours"] input[data-part="masked_scores/0"]')
    hidden = page.locator('td[data-verdict="right"] input[data-part="masked_scores/0"]')
    expect(follows.first).to_have_accessible_description("right from your own numbers")
    expect(follows.or_(hidden)).to_have_count(len(masked))
    page.get_by_text("Show a hint").first.click()
    expect(page.get_by_text("Divide each score by 2. 1 point each.").first).to_be_visible()

    unreadable, right, *_ = raw = right_answers(MIDDLE, "raw_scores")
    fill(page, {unreadable: "a lot", right: raw[right]})
    expect(page.locator('td[data-verdict="unreadable"]')).to_have_count(1)
    expect(page.locator('td[data-verdict="wrong"]').first).to_be_visible()
    page.get_by_text("Choose another exercise").click()
    page.get_by_label("Seed: each gives other numbers").wait_for()
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("link", name="Open the solution in the explorer").wait_for()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size(PHONE)
    assert violations(page, OF_PLACES) == []
