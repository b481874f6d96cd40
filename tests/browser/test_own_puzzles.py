"""A puzzle of one's own in a real browser: made by hand, opened, saved, opened again from its file.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from mha_core.puzzles.own import write_puzzle
from tests.browser.hands import saved
from tests.browser.reading import open_page, wait_for_the_end_of_the_run
from tests.browser.test_accessibility import violations, violations_in_both_themes
from tests.browser.test_build import OVERFLOW, PHONE, verdict
from tests.visitors import visit
from ui.edits.own_puzzle_form import FIRST

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

FORM: Final = "/build?h.puzzle=make"
WIDE: Final = {"width": 1280, "height": 720}


def open_form(page: Page) -> None:
    visit(page, FORM)
    expect(open_it(page)).to_be_enabled()
    wait_for_the_end_of_the_run(page)


def open_it(page: Page) -> Locator:
    return page.get_by_role("button", name="Open this puzzle")


def write(page: Page, field: str, text: str) -> None:
    box = page.get_by_role("textbox", name=field)
    box.fill(text)
    box.press("Control+Enter")  # a field of one line takes it as well


def give(page: Page, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "own.json", "mimeType": "application/json", "buffer": content}
    )


def test_a_teacher_makes_a_puzzle_saves_it_and_opens_it_from_its_file(new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    open_page(page, "/build")
    page.get_by_role("button", name="Make your own").click()
    expect(open_it(page)).to_be_enabled()
    give(page, b"[]")
    expect(page.get_by_text("must be an object with named fields")).to_be_visible()
    expect(open_it(page)).to_be_enabled()
    title = page.get_by_role("textbox", name="Title")
    write(page, "Title", "Look at the word after")
    write(page, "Words that there are", "hot cold")
    expect(page.get_by_text("must be made of the words hot cold")).to_be_visible()
    write(page, "Sentences that are shown", "hot cold hot\t: 2 3 -\ncold hot\t: 2 -")
    write(page, "Sentences that are checked", "hot hot : 2 -")
    expect(page.get_by_text("It shows 2 sentences, and checks 1 more.")).to_be_visible()
    name, puzzle = saved(page, "Save the puzzle as a file")
    assert name == "look-at-the-word-after.json"

    chosen = page.get_by_role("combobox", name="Puzzle")
    give(page, write_puzzle(FIRST).encode())
    expect(chosen).to_have_value(f"Change {FIRST.title}")
    expect(title).to_have_value(FIRST.title)
    wait_for_the_end_of_the_run(page)
    give(page, puzzle)
    expect(title).to_have_value("Look at the word after")
    wait_for_the_end_of_the_run(page)
    open_it(page).click()
    expect(verdict(page)).to_contain_text("0 of 3 sentences pass.")
    expect(chosen).to_have_value("Look at the word after")


def test_no_violation_on_the_form_and_no_overflow_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=WIDE)
    open_form(page)
    write(page, "Title", " ")
    expect(page.get_by_text("The title must be one line of text")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.set_viewport_size(PHONE)
    assert not page.evaluate(OVERFLOW)
    assert violations(page) == []
