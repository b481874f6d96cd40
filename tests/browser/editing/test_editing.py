"""The editors by hand: keyboard, clipboard, files, in real Chromium.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from playwright.sync_api import expect

from mha_core.examples import load_example
from mha_core.io.matrix.files import read_matrix
from tests.browser.hands import GRID, cell, click_cell, paste, place_of, saved, type_in
from tests.browser.reading import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

OpenEditor = Callable[..., "Page"]

# The grid tells what was typed 150 ms later; here the server has answered a click long before.
LATE_TIMERS = """() => {
    const usual = window.setTimeout;
    window.setTimeout = (act, time, ...more) => usual(act, time >= 100 ? 10 * time : time, ...more);
    window.beInTime = () => {
        window.setTimeout = usual;
        delete window.beInTime;
    };
}"""
IN_TIME = "window.beInTime()"  # for the next visitor


def numbers_are(page: Page, *rows: str) -> None:
    """The scenario's array begins with these rows."""
    numbers = page.locator(".st-key-numbers")
    for row in rows:
        expect(numbers).to_contain_text(row)


def test_not_even_the_first_letter_is_lost_and_junk_stays_with_a_reason_until_mended(
    open_editor: OpenEditor,
) -> None:
    page = open_editor()
    click_cell(page, 0, 0)
    waited_for: list[str] = []
    page.on("request", lambda request: waited_for.append(request.url))
    type_in(page, "1e-3", "Enter")
    numbers_are(page, "0.001,0,0,0,0,0,0,0")
    assert waited_for == []

    click_cell(page, 1, 1)
    type_in(page, "abc", "Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("X, row 2 (LOVE), column 2 must hold numbers only, got 'abc'.")
    expect(cell(page, 1, 1)).to_have_text("abc")
    numbers_are(page, "0,1,0,0,0,0,0,0")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Delete")
    expect(alert).to_contain_text("Write 0 where you mean zero.")
    paste(page, "\N{MINUS SIGN}7")
    expect(alert).to_have_count(0)
    numbers_are(page, "0,-7,0,0,0,0,0,0")


def test_a_block_goes_where_the_cursor_is_and_waits_where_it_does_not_fit(
    open_editor: OpenEditor,
) -> None:
    page = open_editor("example=three-tokens")
    page.evaluate("navigator.clipboard.writeText('7\\t8\\n1\\t2')")
    click_cell(page, 2, 4)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Control+v")  # at once, before the grid has told of the move
    numbers_are(page, "0,2,0,2,7,8\n1,1,1,1,1,2")
    expect(page.get_by_role("alert")).to_have_count(0)
    click_cell(page, 2, 4)
    page.keyboard.press("Control+v")
    expect(page.get_by_role("alert")).to_contain_text("X has room for 1 × 2.")
    numbers_are(page, "1,0,1,0,1,0\n0,2,0,2,7,8\n1,1,1,1,1,2")
    page.get_by_role("button", name="Resize X to 4 rows and paste").click()
    numbers_are(page, "1,1,1,1,7,8\n0,0,0,0,1,2")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_header_does_not_sort_keys_lead_through_the_grid_which_stays_and_a_block_is_one_step(
    open_editor: OpenEditor,
) -> None:
    page = open_editor("example=three-tokens")
    canvas = page.get_by_test_id("data-grid-canvas")
    canvas.evaluate("element => element.setAttribute('data-same', 'yes')")
    cell(page, 0, 0).wait_for(state="attached")
    for column in (5, 4):  # down, then up; two clicks on one cell would be a double click
        grid = place_of(page.get_by_test_id(GRID))
        page.mouse.click(grid.x + grid.width - 42, grid.y + 16)
        click_cell(page, 1, column)  # with this the grid describes itself anew
        assert [cell(page, row, 0).inner_text() for row in range(3)] == ["1", "0", "1"]
    type_in(page, "9", "Enter")
    numbers_are(page, "0,2,0,2,9,2")

    click_cell(page, 0, 0)
    type_in(page, "1e-3", "Tab")
    numbers_are(page, "0.001,0,1,0,1,0")
    type_in(page, "-2,5", "Enter")
    numbers_are(page, "0.001,-2.5,1,0,1,0")
    expect(cell(page, 1, 1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    type_in(page, "1/4", "Enter")
    numbers_are(page, "0.001,-2.5,1,0,1,0\n0,2,0,2,9,2\n0.25,1,1,1,1,1")
    expect(canvas).to_have_attribute("data-same", "yes")

    click_cell(page, 1, 2)
    paste(page, "1,5\t2\r\n3\t1e1\r\n")
    numbers_are(page, "0.001,-2.5,1,0,1,0\n0,2,1.5,2,9,2\n0.25,1,3,10,1,1")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    numbers_are(page, "0.001,-2.5,1,0,1,0\n0,2,0,2,9,2\n0.25,1,1,1,1,1")
    expect(cell(page, 1, 2)).to_have_text("0")

    page.get_by_role("tab", name="Grid").focus()  # it is reached by the keyboard alone
    page.keyboard.press("Tab")
    for _ in range(8):
        if page.evaluate("document.activeElement.closest('canvas') !== null"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    type_in(page, "8", "Enter")
    numbers_are(page, "8")


def test_a_click_on_a_tab_that_takes_none_yet_waits(open_editor: OpenEditor) -> None:
    page = open_editor()
    page.evaluate(LATE_TIMERS)
    tab = page.get_by_role("tab", name="Text")
    tab.evaluate("element => element.setAttribute('aria-disabled', 'true')")
    click_cell(page, 1, 1)
    type_in(page, "5", "Enter")
    tab.click(force=True)
    numbers_are(page, "0,5,0,0,0,0,0,0")
    expect(page.get_by_role("tab", name="Grid")).to_have_attribute("aria-selected", "true")
    tab.evaluate("element => element.removeAttribute('aria-disabled')")
    expect(page.get_by_role("textbox", name="X as text")).to_be_visible()
    page.evaluate(IN_TIME)


def test_what_was_typed_in_a_grid_that_is_left_at_once_or_as_text_is_kept_and_goes_out_and_in(
    open_editor: OpenEditor,
) -> None:
    page = open_editor("array=mask.additive")
    page.evaluate(LATE_TIMERS)
    click_cell(page, 0, 1)
    type_in(page, "-inf", "Enter")
    page.get_by_role("tab", name="Text").click()
    numbers_are(page, "0,-inf,0,0")
    page.evaluate(IN_TIME)
    box = page.get_by_role("textbox", name="The additive mask as text")
    expect(box).to_have_value("0,-inf,0,0\n" + "0,0,0,0\n" * 2 + "0,0,0,0")
    box.fill("0 0 0 -∞\n0 0")
    page.get_by_role("button", name="Leave out").click()
    numbers_are(page, "0,0,0,0")
    expect(box).to_have_value("0 0 0 -∞\n0 0")
    page.get_by_role("tab", name="File").click()
    page.locator("input[type=file]").wait_for(state="attached")
    page.get_by_role("tab", name="Text").click()
    expect(box).to_have_value("0 0 0 -∞\n0 0")
    box.fill("0 0 0 -∞" + "\n0 0 0 0" * 3)
    box.press("Control+Enter")
    numbers_are(page, "0,0,0,-inf")

    page.get_by_role("tab", name="Grid").click()
    click_cell(page, 3, 0)
    type_in(page, "-inf", "Tab")
    type_in(page, "1/3", "Enter")
    numbers_are(page, "0,0,0,-inf", "-inf,0.3333333333333333,0,0")
    _, data = saved(page, "CSV")
    page.get_by_role("button", name="Leave out").click()
    numbers_are(page, "\n".join(["0,0,0,0"] * 4))
    page.get_by_role("tab", name="File").click()
    file = {"name": "mask.csv", "mimeType": "text/csv", "buffer": data}
    page.locator("input[type=file]").set_input_files(file)
    numbers_are(page, "0,0,0,-inf", "-inf,0.3333333333333333,0,0")


def test_what_is_downloaded_is_the_matrix_to_the_last_bit_and_a_phone_does_not_scroll_sideways(
    open_editor: OpenEditor,
) -> None:
    page = open_editor("array=w_k&head=1")
    name, data = saved(page, "NumPy")
    assert name == "w_k_head_2.npy"
    expected = load_example("pizza").w_k[:, 4:]
    assert read_matrix(data, "w.npy").tobytes() == expected.tobytes()
    page.set_viewport_size({"width": 390, "height": 844})
    wait_until(page, "innerWidth === 390 && document.documentElement.scrollWidth === 390")


TEXTS = [
    "<img src=x onerror=alert(1)>",
    "**b** _i_ ~~s~~ `c` ***",
    "[l](http://x.example) ![p](http://x.example/a.png)",
    "http://x.example/a www.x.example a@b.example HTTPS://X.example ftp://x.example",
    ":red[r] :smile: :material/home: :streamlit: :red-badge[k] :small[s]",
    "such as weights/0:1.1, at 12:30 or 12:30:45 or 0:100: or :8ball: or :+1: or x:-1: or 3:0_1",
    "$x^2$ and $$y$$",
    "# head",
    "- list",
    "1. one",
    "> quoted",
    "| a | b |",
    "--> <- -- <-> ==> <= >= ~= ... (c) (tm)",
    "&lt;b&gt; &amp; &#58;smile&#58;",
    "back\\slash \\*",
    "-1 1e-3 2,5 1/3 Line 1, column 2: X",
]


def test_plain_text_is_read_as_nothing_but_text(open_editor: OpenEditor) -> None:
    page = open_editor("texts=" + quote(json.dumps(TEXTS)))
    for number, text in enumerate(TEXTS):
        for place in ("message", "label"):
            shown = page.locator(
                f".st-key-{place}-{number} [data-testid=stMarkdownContainer]"
            ).first
            read = shown.evaluate("element => element.textContent").replace("\N{WORD JOINER}", "")
            assert read == text
            assert shown.locator("a, b, strong, em, code, img, span, li, h1").count() == 0
