"""A saved page in the frame of a notebook.

Takes long: each test opens a page in a browser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mha_core.examples import load_example
from ui.notebook import HEIGHT, show

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenFile

FRAME = "iframe"


def notebook(ground: str) -> bytes:
    """Cells on a ground of this colour. The page stands in the second one."""
    frame = show(load_example("pizza"))._repr_html_()
    cells = f"<p>In [1]</p><div style='background: {ground}'>{frame}</div><p>In [2]</p>"
    return f"<!doctype html><meta charset=utf-8><title>Notebook</title>{cells}".encode()


def height_of_frame(page: Page) -> float:
    height: float = page.locator(FRAME).evaluate("frame => frame.getBoundingClientRect().height")
    return height


def test_the_frame_is_as_high_as_its_page(open_file: OpenFile) -> None:
    page = open_file(notebook("white"), frame=FRAME)
    main = page.frame_locator(FRAME).locator("main")
    main.locator(".plot[data-painted]").nth(3).wait_for()
    page.wait_for_function(
        "least => document.querySelector('iframe').clientHeight > least", arg=HEIGHT
    )
    high = main.evaluate("main => Math.ceil(main.getBoundingClientRect().height)")
    assert height_of_frame(page) == high
    inside = main.evaluate("() => document.documentElement.scrollHeight <= window.innerHeight")
    assert inside
    page.frame_locator(FRAME).get_by_role("combobox", name="Operation").select_option("9")
    page.wait_for_function(
        "before => document.querySelector('iframe').clientHeight !== before", arg=high
    )


# What VS Code lets the outputs of a notebook do, where it restricts them; frames within them too.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' "
    "'unsafe-inline'; img-src 'self' https: http: data:; font-src 'self' https:; connect-src "
    "https:; child-src https: data:"
)


@pytest.mark.parametrize(("letters", "scheme"), [("#cccccc", "dark"), ("#3b3b3b", "light")])
def test_in_vs_code_it_works_and_is_as_its_letters_say(
    open_file: OpenFile, letters: str, scheme: str
) -> None:
    restricted = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    style = f"<style>body {{ color: {letters}; background: transparent }}</style>"
    made = notebook("transparent").replace(b"<title>", f"{restricted}{style}<title>".encode())
    page = open_file(made, frame=FRAME, color_scheme="dark" if scheme == "light" else "light")
    inside = page.frame_locator(FRAME)
    expect(inside.locator("html")).to_have_css("color-scheme", scheme)
    inside.locator(".checked").wait_for()
    letters_are_there = "document.fonts.check('600 14px \"Source Sans 3\"')"
    assert inside.locator("html").evaluate(f"() => {letters_are_there} && document.fonts.size > 0")


TURN = """(ground) => {
  document.querySelector("div").style.background = ground;
  document.body.className = ground;
}"""


def test_it_is_as_dark_as_the_notebook_which_may_turn(open_file: OpenFile) -> None:
    page = open_file(notebook("#111111"), frame=FRAME, color_scheme="light")
    root = page.frame_locator(FRAME).locator("html")
    expect(root).to_have_css("color-scheme", "dark")
    for ground, scheme in (
        ("#fafafa", "light"),
        ("color(srgb 0.1 0.1 0.1)", "dark"),  # as marimo writes it
        ("transparent", "light"),
    ):
        page.evaluate(TURN, ground)
        expect(root).to_have_css("color-scheme", scheme)
    page.evaluate("document.body.style.backgroundColor = '#111'")
    expect(root).to_have_css("color-scheme", "dark")


def test_a_number_in_it_says_where_it_comes_from(open_file: OpenFile) -> None:
    page = open_file(notebook("white"), frame=FRAME)
    inside = page.frame_locator(FRAME)
    plot = inside.locator(".plot[aria-label^='Into the heads']")
    plot.locator(".plot-stage").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    expect(inside.locator(".plot-where-from:visible h2")).to_contain_text("= 1.00")
