"""A puzzle in one file, opened from a disk without a network.

Takes long: each test opens such a page in a browser, and works there by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from playwright.sync_api import expect

from mha_core.puzzles.command import mark_of
from mha_core.puzzles.ladder import PUZZLES
from tests.browser.hands import pick, place_of_cell
from tests.browser.reading import exact_numbers, wait_for_numbers
from tests.browser.test_accessibility import PHONE, violations
from tests.browser.test_build import ALL_PASS, COLUMNS, PLACE_1, W_Q, caption, picture, verdict
from tests.browser.test_saved_page import violations_in_each_theme
from ui.saved.puzzle_page import puzzle_page

if TYPE_CHECKING:
    from tests.browser.conftest import OpenFile

Q: Final = "q"
WANTED: Final = "wanted"


def test_hints_and_a_solution_come_one_after_the_other_and_blocks_are_filled_at_once(
    open_file: OpenFile,
) -> None:
    page = open_file(puzzle_page(PUZZLES["before"]))
    expect(verdict(page)).to_contain_text("sentences pass. In “")
    for number in (1, 2, 3):
        page.get_by_role("button", name=f"Hint {number} of 3").click()
        expect(page.locator(".hints li").last).to_have_text(PUZZLES["before"].hints[number - 1])
    page.get_by_role("button", name="Show a solution").click()
    expect(verdict(page)).to_contain_text(ALL_PASS)
    expect(caption(page)).to_have_text("9 of 9 tokens are right")
    page.get_by_role("button", name="Undo").click()
    expect(verdict(page)).not_to_contain_text(ALL_PASS)

    page.get_by_label("Columns of X").select_option("places")
    page.get_by_role("button", name="4*I").click()
    page.get_by_label("Matrix to fill").select_option("w_k")
    page.get_by_role("button", name="4*I").click()
    expect(verdict(page)).not_to_contain_text(ALL_PASS)
    page.get_by_label("Matrix to fill").select_option(label="Fill W_Q")
    page.get_by_role("button", name="4*shift(-1)").click()
    expect(verdict(page)).to_contain_text(ALL_PASS)


def test_the_picture_follows_a_drag_and_the_verdict_its_end_and_what_is_typed_is_explained(
    open_file: OpenFile,
) -> None:
    page = open_file(puzzle_page(PUZZLES["itself"]))
    page.get_by_role("button", name="Show a solution").click()
    expect(caption(page)).to_have_text("12 of 12 tokens are right")
    x, y, width, height = place_of_cell(picture(page), W_Q, PLACE_1, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x - 100, y + height / 2, steps=10)
    expect(caption(page)).to_have_text("9 of 12 tokens are right")
    expect(verdict(page)).to_contain_text(ALL_PASS)
    page.mouse.up()
    expect(verdict(page)).to_contain_text("token 1 (a) gives token 1 (a) a weight of 0.00")
    page.keyboard.press("Control+z")
    expect(verdict(page)).to_contain_text(ALL_PASS)
    page.get_by_role("button", name="Back to zeros").click()
    expect(verdict(page)).to_contain_text("3 of 43 sentences pass.")

    pick(picture(page), W_Q, PLACE_1, 0, COLUMNS)
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    w_q = np.zeros((13, COLUMNS))
    w_q[PLACE_1, 0] = 4
    wait_for_numbers(picture(page), W_Q, w_q)
    pick(picture(page), Q, 0, 0, COLUMNS)
    expect(page.locator(".plot-where-from:visible h2")).to_contain_text("Q[a (1), 1]")
    expect(page.locator(".plot-where-from:visible .formula")).to_contain_text("4.00")
    pick(picture(page), WANTED, 0, 0, 12)  # of what is wanted there is nothing to say
    expect(page.locator(".plot-where-from:visible")).to_have_count(0)


def test_the_layers_of_an_answer_are_looked_at_in_turn(open_file: OpenFile) -> None:
    page = open_file(puzzle_page(PUZZLES["induction"]))
    page.get_by_role("button", name="Show a solution").click()
    expect(verdict(page)).to_contain_text(ALL_PASS)
    page.get_by_label("Layer").select_option("1")
    w_q = exact_numbers(picture(page), W_Q)
    assert w_q.tolist() == PUZZLES["induction"].solution()["2.w_q"].tolist()
    expect(caption(page)).to_have_text("6 of 6 tokens are right")


def test_the_answer_is_handed_in(open_file: OpenFile, tmp_path: Path) -> None:
    page = open_file(puzzle_page(PUZZLES["copy"]))
    page.get_by_role("button", name="Show a solution").click()
    expect(verdict(page)).to_contain_text(ALL_PASS)
    page.get_by_role("button", name="Copy my answer").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    file = tmp_path / "ada.txt"
    file.write_text(page.get_by_label("My answer").input_value(), "utf-8")
    assert mark_of(PUZZLES["copy"], file).stars == 3


def test_a_page_with_an_answer_begins_with_it_and_a_bare_one_does_not_help(
    open_file: OpenFile,
) -> None:
    puzzle = PUZZLES["add-digits"]
    page = open_file(puzzle_page(puzzle, puzzle.solution(), is_bare=True))
    expect(verdict(page)).to_contain_text("sentences pass. ★★★")
    expect(page.get_by_role("button", name="Show a solution")).to_have_count(0)
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)


def test_there_is_no_violation(open_file: OpenFile) -> None:
    page = open_file(puzzle_page(PUZZLES["induction-word"]))
    page.get_by_role("button", name="Hint 1 of 3").click()
    assert violations_in_each_theme(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    assert violations(page) == []  # colors are the same on a phone
