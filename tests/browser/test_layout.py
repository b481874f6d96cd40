"""Where the parts of the page stand: nothing runs off or moves away; paper has the pictures.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.hands import GRID, GRID_COLUMN
from tests.browser.reading import number_of_heads, open_page, plot_named, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

RUNS_OFF = """() => {
  const main = document.querySelector(".stMain");
  const edge = main.getBoundingClientRect().right + 1;
  const scrolls = (list) => list && getComputedStyle(list).overflowX === "auto";
  return [...main.querySelectorAll("*")]
    .filter((e) => e.getBoundingClientRect().right > edge)
    .filter((e) => !e.closest(".plot-scroll, .plot-unseen"))
    .filter((e) => !scrolls(e.closest(".strip ol")))
    .map((e) => e.outerHTML.slice(0, 100));
}"""


def top_of(element: Locator) -> float:
    """Where an element begins in the page, however far the page is scrolled."""
    place = "e => e.getBoundingClientRect().top + document.querySelector('.stMain').scrollTop"
    top: float = element.evaluate(place)
    return top


def test_the_links_to_the_pages_stand_above_the_title_and_begin_where_it_does(page: Page) -> None:
    open_page(page, f"/?title={'Words of a lecture '.replace(' ', '+') * 4}")
    for width in (1920, 1280, 1024, 820, 780):
        page.set_viewport_size({"width": width, "height": 720})
        wait_until(page, ROOM_OF_THE_LINKS)


ROOM_OF_THE_LINKS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const isNear = (one, other) => Math.abs(one - other) < 1;
  const isShown = (element) => element.checkVisibility() && !element.closest("[inert]");
  const links = [...document.querySelectorAll("[data-testid=stTopNav] :is(a, button)")];
  const [first, last] = [0, -1].map((place) => box(links.filter(isShown).at(place)));
  const those = ["h1", ".st-key-present-button button", ".st-key-help button"];
  const [title, present, help] = those.map((at) => box(document.querySelector(at)));
  return isNear(first.left, title.left) && first.bottom + 6 <= title.top
    && isNear(first.top, present.top) && last.right < present.left
    && isNear(present.top, help.top) && present.right < help.left;
}"""


# A phone opens without the sidebar. A narrower window keeps it, which leaves less room.
@pytest.mark.parametrize("widths", [(390,), (1280, 890, 820, 780)], ids=["phone", "screen"])
def test_no_words_run_off_the_right_edge(new_page: NewPage, widths: tuple[int, ...]) -> None:
    page = new_page(viewport={"width": widths[0], "height": 900})
    open_page(page, "/?example=pizza&heads=4&head=2")
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        wait_until(
            page, f"() => ({RUNS_OFF})().length === 0"
        )  # when pictures have found their room
    if 390 in widths:  # where the heads together stand below each other
        room = plot_named(page, "Concatenation").locator(".plot-scroll")
        assert room.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_neither_one_head_more_nor_the_editor_of_eight_columns_moves_a_picture(page: Page) -> None:
    open_page(page, "/?example=pizza")
    heads = plot_named(page, "Scores and weights")
    before = top_of(heads)
    number_of_heads(page, 4).click()
    expect(page.get_by_role("radiogroup", name="Sort by")).to_be_visible()  # the last of the words
    assert top_of(heads) == before
    page.get_by_text("Edit the numbers").click()
    grid = page.get_by_test_id(GRID)
    grid.wait_for()
    assert top_of(heads) == before
    box = grid.bounding_box()
    assert box is not None
    assert box["width"] >= 8 * GRID_COLUMN


def test_a_page_on_paper_has_the_pictures_of_open_parts_no_folded_part_and_no_controls(
    new_page: NewPage,
) -> None:
    page = new_page(color_scheme="dark")
    open_page(page, "/?example=pizza&open=into&fold=together")
    way_in = plot_named(page, "X, the projections")
    way_in.wait_for()
    page.emulate_media(media="print")
    expect(way_in).to_be_visible()
    for folded in ("Together", "Edit the numbers", "Draw the mask"):
        expect(page.get_by_text(folded, exact=True)).to_be_hidden()
    for hidden in (".stSidebar", ".stAppHeader", ".st-key-tools", ".st-key-picture-controls"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.get_by_role("heading", name="Pizza")).to_have_css("color", "rgb(28, 27, 41)")
    expect(plot_named(page, "Scores and weights")).to_be_visible()


def test_on_paper_no_picture_is_larger_than_a_page_and_no_words_lie_on_one(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 720, "height": 1000})  # as wide as a printed page
    open_page(page, "/?example=causal&open=into")
    plot_named(page, "X, the projections").wait_for()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    sizes = [plot.bounding_box() for plot in page.locator(".plot-stage:visible").all()]
    assert len(sizes) == 3
    assert all(size and size["width"] <= 681 and size["height"] <= 941 for size in sizes)
    heads = plot_named(page, "Scores and weights").bounding_box()
    words = page.get_by_text("What to look for", exact=True).bounding_box()
    assert heads
    assert words
    assert words["y"] >= heads["y"] + heads["height"]
    strip = page.locator(".strip ol").bounding_box()
    last = page.locator(".strip li").last.bounding_box()
    assert strip
    assert last
    assert last["x"] + last["width"] <= strip["x"] + strip["width"] + 1  # none is cut off


def test_copy_copies_the_link_and_says_so(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, "/?example=pizza")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Link to this page")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == link.input_value()
    assert "example=pizza" in link.input_value()
    page.get_by_text("The whole sidebar", exact=True).click()
    page.get_by_role("button", name="Copy", exact=True).wait_for()
    expect(link).to_have_value(f"{link.input_value().partition('?')[0]}?example=pizza&hide=sidebar")


@pytest.mark.parametrize("address", ["/patterns", "/?example=the-cat"])
def test_a_finger_hits_each_help_sign(new_page: NewPage, address: str) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, address)
    wait_until(page, HELP_SIGNS_ARE_LARGE)


HELP_SIGNS_ARE_LARGE = """() => {
  const isLarge = ({ width, height }) => Math.min(width, height) >= 24;
  const signs = [...document.querySelectorAll(".stMain button[aria-label^='Help for']")];
  return signs.length > 0 && signs.every((sign) => isLarge(sign.getBoundingClientRect()));
}"""
