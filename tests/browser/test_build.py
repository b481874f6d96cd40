"""A head is built in a real browser: by mouse, by keyboard alone, by touch.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from tests.browser.hands import place_of_cell, saved, window_of
from tests.browser.reading import open_page, plot_named
from tests.browser.test_accessibility import (
    IN_THE_POPOVER,
    PHONE,
    violations,
    violations_in_both_themes,
)

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

ALL_PASS: Final = "All 43 sentences pass. ★★★"
W_Q: Final = "w_q"
COLUMNS: Final = 8
PLACE_1: Final = 5  # a row of W_Q and W_K: the words stand above it
OVERFLOW: Final = "document.documentElement.scrollWidth > innerWidth"


def verdict(page: Page) -> Locator:
    return page.locator(".verdict")


def picture(page: Page) -> Locator:
    return plot_named(page, "The matrices of the head")


def caption(page: Page) -> Locator:
    return picture(page).get_by_text("tokens are right")


def choose(page: Page, field: str, option: str) -> None:
    page.get_by_role("combobox", name=field).click()
    page.get_by_role("option", name=option).click()
    expect(page.get_by_role("combobox", name=field)).to_have_value(option)


def test_by_mouse_blocks_are_filled_and_a_number_is_dragged(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, "/build")
    expect(verdict(page)).to_contain_text("3 of 43 sentences pass.")
    choose(page, "Columns of X", "for places")
    page.get_by_role("button", name="4*I").click()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    choose(page, "Matrix to fill", "Fill W_K")
    page.get_by_role("button", name="4*I").click()
    expect(verdict(page)).to_contain_text(ALL_PASS)
    expect(caption(page)).to_have_text("12 of 12 tokens are right")

    x, y, width, height = place_of_cell(picture(page), W_Q, PLACE_1, 0, COLUMNS)
    page.mouse.move(x + width / 2, y + height / 2)
    page.mouse.down()
    page.mouse.move(x - 100, y + height / 2, steps=2)
    expect(caption(page)).to_have_text("9 of 12 tokens are right")  # before the server knows
    expect(verdict(page)).to_contain_text(ALL_PASS)
    page.mouse.up()
    expect(verdict(page)).to_contain_text("token 1 (a) gives token 1 (a) a weight of 0.00")
    page.get_by_role("button", name="Undo").click()
    expect(verdict(page)).to_contain_text(ALL_PASS)

    page.reload()
    page.get_by_role("combobox", name="Puzzle").click()
    expect(page.get_by_role("option", name="1. Look at yourself ★★★")).to_be_visible()


def test_by_keyboard_alone_from_hint_to_solution(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, "/build?h.puzzle=first")
    hint = page.get_by_role("button", name="Hint 1 of 3")
    hint.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("All queries want the same thing")).to_be_visible()

    stage = picture(page).locator(".plot-stage")
    stage.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    for _ in range(5):  # the words, one below the other
        page.keyboard.type("4")
        page.keyboard.press("Enter")
    expect(verdict(page)).not_to_contain_text(ALL_PASS)
    for _ in range(COLUMNS):  # W_K stands right of it; the cursor is at place 1
        page.keyboard.press("ArrowRight")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text(ALL_PASS)


def test_by_touch_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    open_page(page, "/build?h.puzzle=same-word")
    assert not page.evaluate(OVERFLOW)
    for matrix in ("W_Q", "W_K"):
        page.get_by_role("combobox", name="Matrix to fill").tap()
        page.get_by_role("option", name=f"Fill {matrix}").tap()
        page.get_by_role("combobox", name="Columns of X").tap()
        page.get_by_role("option", name="for words").tap()
        expect(page.get_by_role("combobox", name="Columns of X")).to_have_value("for words")
        page.get_by_role("button", name="4*I").tap()
        expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    expect(verdict(page)).to_contain_text(ALL_PASS)
    assert violations(page) == []


def test_a_finger_hits_the_cells_of_two_layers(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    open_page(page, "/build?h.puzzle=induction")
    window = window_of(page.locator(".plot").first, "w_q")
    window.evaluate("matrix => matrix.scrollIntoView({ behavior: 'instant' })")
    box = window.bounding_box()
    assert box is not None
    width, height = box["width"] / 8, box["height"] / 21
    assert min(width, height) >= 24
    page.touchscreen.tap(box["x"] + width / 2, box["y"] + 6.5 * height)
    expect(page.locator(".plot-tip").first).to_contain_text("place 2head.d_k 1")
    assert not page.evaluate(OVERFLOW)


def test_no_violation_with_hints_a_refusal_and_what_may_be_kept_which_is_saved(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, "/build?h.puzzle=copy&h.hints=2")
    page.get_by_role("textbox", name="Block").fill("4*zebra")
    page.get_by_role("button", name="Fill", exact=True).click()
    expect(page.get_by_text("The block must be a sum")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Keep or hand in").click()
    expect(page.get_by_text("Without hints and solution")).to_be_visible()
    assert violations(page, where=IN_THE_POPOVER) == []
    for label, name, begins in (
        ("As an HTML file", "copy.html", b"<!doctype html>"),
        ("As a sheet to print", "copy.pdf", b"%PDF"),
        ("Its answer key", "copy-key.pdf", b"%PDF"),
    ):
        file, content = saved(page, label)
        assert file == name
        assert content.startswith(begins)
