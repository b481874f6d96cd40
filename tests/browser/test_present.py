"""A page as a lecturer presents it, seen from the back row: the way in and out, parts, letters.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.hands import place_of
from tests.browser.presenting import (
    IS_FITTED,
    PIZZA,
    bar,
    headings,
    present,
    presentation,
    says,
    show_bar,
    title,
    wait_for_presentation,
)
from tests.browser.reading import open_page, plot_named, wait_for_the_end_of_the_run, wait_until
from tests.browser.test_accessibility import violations, violations_in_both_themes
from ui.edits.tour_text import pack_tour, read_tour

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage

SIXTEEN: Final = "The+quick+brown+fox+jumps+over+the+lazy+dog+and+runs+away+from+the+angry+bear"
EIGHT_HEADS: Final = (
    f"/?tokens={SIXTEEN}&d_model=64&heads=8&x=random&weights=random&present=1&part=weights"
)
PRESENTED: Final = {"include": [".present"]}
SEEN_FROM_FAR: Final = 24  # pixels at 1280 x 720


# ---- the way in and out -------------------------------------------------------------------------


# A window that was full serves no other visitor, and a page of its own takes two seconds: so one
# test alone leads in by hand.


def test_button_and_key_lead_in_and_out_to_the_same_part_or_to_the_one_in_view_on_every_page(
    page: Page,
) -> None:
    open_page(page, "/?example=pizza")
    button = page.get_by_role("button", name="Present")
    expect(button).to_be_in_viewport(ratio=1)
    page.locator(".stMain").evaluate("main => main.scrollBy(0, 60)")
    expect(page.locator("h1")).to_be_in_viewport()
    expect(button).not_to_be_in_viewport()  # it had stood on the tools beside the heading

    tokens = page.get_by_label("Tokens", exact=True)
    tokens.fill("a b")
    tokens.press("p")
    expect(tokens).to_have_value("a bp")
    expect(page.locator(".st-key-present-button button")).to_have_count(1)
    expect(page.locator(".present, .st-key-behind-presentation")).to_have_count(0)
    page.keyboard.press("Escape")
    four = page.get_by_role("radiogroup", name="Number of heads").get_by_role("radio", name="4")
    four.check(force=True)
    expect(page).to_have_url(re.compile("heads=4"))
    expect(four).to_be_focused()
    page.keyboard.press("p")  # a choice takes no letters
    expect(presentation(page)).to_be_focused()
    expect(title(page)).to_have_text("Weights")
    page.keyboard.press("ArrowRight")
    expect(title(page)).to_have_text("Head outputs")
    page.keyboard.press("p")
    expect(button).to_be_focused()
    expect(page.locator(".plot[data-painted]").first).to_be_visible()
    page.keyboard.press("p")
    expect(title(page)).to_have_text("Head outputs")
    expect(page).to_have_url(re.compile("present=1"))
    wait_for_presentation(page)
    page.go_back()
    expect(button).to_be_focused()
    wait_for_the_end_of_the_run(page)
    page.go_forward()
    expect(title(page)).to_have_text("Head outputs")
    wait_for_presentation(page)
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    together = plot_named(page, "Concatenation of the heads, W_O, and the output")
    together.evaluate("plot => plot.scrollIntoView({ block: 'center' })")
    expect(together).to_be_in_viewport(ratio=1)
    page.keyboard.press("p")
    expect(title(page)).to_have_text("The heads together")
    wait_until(page, "document.fullscreenElement !== null")
    page.evaluate("document.exitFullscreen()")
    expect(presentation(page)).to_have_count(0)

    for name in ("Explore", "Walkthrough", "Compare"):
        if name != "Explore":
            page.get_by_role("link", name=name, exact=True).click()
            expect(page).to_have_url(re.compile(f"/{name.lower()}"))
        wait_for_the_end_of_the_run(page)
        button.click()
        expect(presentation(page)).to_be_focused()
        expect(page).to_have_url(re.compile(r"[?&.]present=1"))
        expect(page.get_by_test_id("stSidebar")).to_be_hidden()
        expect(page.get_by_test_id("stHeader")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(button).to_be_focused()
        expect(presentation(page)).to_have_count(0)
        expect(page).not_to_have_url(re.compile("present|part"))
        expect(page.locator(".plot[data-painted]").first).to_be_visible()


# ---- parts, heads, masks, stops -----------------------------------------------------------------


def test_keys_and_clickers_lead_through_the_parts_also_faster_than_the_server_answers(
    page: Page,
) -> None:
    present(page, f"{PIZZA}&part=raw_scores")
    for key, shown in (
        ("ArrowRight", "Scaled scores"),
        ("PageDown", "Masked scores"),
        (" ", "Largest score of the row"),
        ("PageUp", "Masked scores"),
        ("ArrowLeft", "Scaled scores"),
        ("Home", "Into the heads"),
    ):
        page.keyboard.press(key)
        expect(title(page)).to_have_text(shown)
    page.keyboard.press("PageUp")
    says(page, "This is the first part.")
    expect(page).to_have_url(re.compile("part=into"))
    page.keyboard.press("n")
    says(page, "No tour is running. Begin one on the page “Tours”.")
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(title(page)).to_have_text("Scaled scores")
    expect(page).to_have_url(re.compile("part=scaled_scores"))


def test_digits_choose_a_head_and_0_all_m_a_mask_and_the_address_says_them_also_outside(
    page: Page,
) -> None:
    present(page, f"{PIZZA}&part=weights&decimals=3&mask=none")
    expect(title(page)).to_have_text("Weights")
    expect(headings(page)).to_have_text(["Head 1", "Head 2"])
    page.keyboard.press("2")
    expect(headings(page)).to_have_text(["Head 2"])
    expect(page).to_have_url(re.compile("head=2"))
    assert plot_named(page, "Weights of the heads").count() == 1
    said = dict(parse_qsl(urlsplit(page.url).query))  # the same for everybody
    given = {"example": "pizza", "mask": "none", "decimals": "3"}
    assert said == {**given, "head": "2", "present": "1", "part": "weights"}
    page.keyboard.press("7")
    says(page, "There are 2 heads.")
    page.keyboard.press("0")
    expect(headings(page)).to_have_text(["Head 1", "Head 2"])
    page.keyboard.press("End")  # means nothing
    expect(headings(page)).to_have_count(2)
    mask = page.locator(".present-bar [aria-label='Next mask']")
    for shown in ("Causal", "Sliding window"):
        page.keyboard.press("m")
        says(page, f"Mask: {shown}")
        # Wait until the page shows it. Two that are asked for before that are one step.
        expect(mask).to_have_attribute("title", f"Mask: {shown}")
    expect(page).to_have_url(re.compile("mask=sliding_window"))
    expect(page.locator(".history")).to_have_attribute("data-at", "2")  # undo counts from there
    page.keyboard.press("Control+z")
    expect(page).not_to_have_url(re.compile("mask="))  # as in the example
    expect(mask).to_have_attribute("title", "Mask: Causal")
    expect(title(page)).to_have_text("Weights")
    page.keyboard.press("m")
    says(page, "Mask: Sliding window")
    expect(mask).to_have_attribute("title", "Mask: Sliding window")
    page.keyboard.press("Control+z")
    expect(mask).to_have_attribute("title", "Mask: Causal")
    page.keyboard.press("Escape")
    expect(presentation(page)).to_have_count(0)
    expect(page).to_have_url(re.compile(r"\?example=pizza&decimals=3$"))


def test_all_heads_are_there_and_keys_lead_to_fewer_and_larger_ones(page: Page) -> None:
    present(page, EIGHT_HEADS)
    expect(headings(page)).to_have_count(8)
    expect(page.locator(".present-which")).to_be_empty()
    for key, count in (("+", 4), ("+", 2), ("-", 4), ("+", 2), ("+", 1)):
        page.keyboard.press(key)
        expect(headings(page)).to_have_count(count)
    page.keyboard.press("ArrowRight")
    expect(title(page)).to_have_text("Head outputs")
    expect(headings(page)).to_have_count(1)  # as in the part before
    page.keyboard.press("ArrowLeft")
    expect(title(page)).to_have_text("Weights")
    expect(page.locator(".present-which")).to_have_text("1 of 8 heads")
    for key, shown in (("ArrowDown", "Head 2"), ("ArrowDown", "Head 3"), ("ArrowUp", "Head 2")):
        page.keyboard.press(key)
        expect(headings(page)).to_have_text([shown])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    says(page, "These are the first heads.")
    show_bar(page)
    bar(page).get_by_role("button", name="Next heads").click()
    expect(headings(page)).to_have_text(["Head 2"])


def test_keys_lead_to_the_stops_of_a_tour_also_on_another_page(page: Page) -> None:
    stop = "/walkthrough?example=eight-tokens&weights=split_then_project&screen=scores"
    present(page, f"{stop}&tour=tellings&stop=7&present=1")
    for on, back in (("n", "b"), ("PageDown", "PageUp")):
        page.keyboard.press(on)
        expect(page).to_have_url(re.compile(r"/compare\?.*stop=8"))
        expect(title(page)).to_contain_text("A, B and B − A")
        expect(presentation(page)).to_be_focused()
        wait_for_presentation(page)
        page.keyboard.press(back)
        expect(page).to_have_url(re.compile("/walkthrough.*stop=7"))
        expect(title(page)).to_contain_text("Each query meets each key")
        expect(page.locator(".present-said")).not_to_be_empty()
        wait_for_presentation(page)


def test_with_sliders_four_heads_of_six_tokens_keep_their_two_rows_of_cells_with_numbers(
    page: Page,
) -> None:
    """In one row of heads, cells are too narrow for numbers and for each label."""
    page.set_viewport_size({"width": 1280, "height": 720})
    present(page, "/?example=the-cat&mask=causal&present=1&part=contributions")
    page.keyboard.press("t")
    expect(page.get_by_label("Temperature, slider")).to_be_visible()
    for column in range(1, 7):
        labels = page.locator(".present svg text", has_text=re.compile(f"^{column}$"))
        expect(labels).to_have_count(2)


def test_a_comparison_has_all_on_one_screen_and_keys_and_sliders_act_there(page: Page) -> None:
    present(page, "/compare?a.example=pizza&b.example=pizza&a.present=1")
    captions = page.locator(".present-caption")
    expect(captions).to_have_count(3)
    expect(captions.last).to_have_text("B − A, no difference")
    expect(headings(page)).to_have_count(6)  # two heads each
    page.keyboard.press("2")
    expect(headings(page)).to_have_text(["Head 2"] * 3)
    page.keyboard.press("t")
    temperature = page.get_by_label("Temperature of B, slider")
    expect(temperature).to_be_visible()
    temperature.focus()
    page.keyboard.press("PageUp")
    expect(page).to_have_url(re.compile(r"b\.temperature="))
    expect(captions.last).to_have_text(re.compile(r"difference ±0\.\d\d"))
    assert violations(page, where=PRESENTED) == []
    page.keyboard.press("m")  # a slider takes no letters
    expect(page).to_have_url(re.compile(r"b\.mask="))
    page.keyboard.press("Escape")
    expect(presentation(page)).to_be_focused()


def test_a_stop_of_the_explorer_shows_its_weights(page: Page) -> None:
    tour = pack_tour(read_tour("# Masks\n\nNobody looks ahead.\n/?example=causal\n"))
    present(page, f"/?example=causal&tour={tour}&stop=1&present=1")
    expect(title(page)).to_have_text("Weights")


def test_a_link_to_a_stop_alone_may_be_presented(page: Page) -> None:
    present(page, "/?tour=000&stop=3&present=1")
    expect(page).to_have_url(re.compile("/walkthrough.*stop=3"))
    expect(page.locator(".present-said")).not_to_be_empty()


# ---- how it looks -------------------------------------------------------------------------------

# The size of every letter that is seen, in pixels of the window, and what it says. Numbers in cells
# are on a canvas: a pen that writes tells its size.
SMALL_LETTERS: Final = """(least) => {
  const found = [];
  const present = document.querySelector(".present");
  const walker = document.createTreeWalker(present, NodeFilter.SHOW_TEXT);
  const seen = { visibilityProperty: true, opacityProperty: true };
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    if (!data.trim() || !holder.checkVisibility(seen) || holder.closest(".plot-unseen")) continue;
    const stage = holder.closest(".plot-stage");
    const scale = stage ? Number(stage.style.scale) : 1;
    const size = parseFloat(getComputedStyle(holder).fontSize) * scale;
    if (size < least - 0.01) found.push(`${size} ${data}`);
  }
  for (const [size, text] of window.penned ?? []) {
    if (size < least - 0.01) found.push(`${size} ${text} in a cell`);
  }
  return found;
}"""
NOTE_THE_PEN: Final = """
window.penned = [];
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
  const { a } = this.getTransform();
  window.penned.push([parseFloat(this.font) * a / devicePixelRatio, text]);
  return write.call(this, text, ...place);
};
"""


def with_a_noted_pen(page: Page) -> None:
    page.add_init_script(NOTE_THE_PEN)


@pytest.fixture
def penned_page(new_page: NewPage) -> Page:
    """A page that notes in `penned` what is written in cells, and how large."""
    page = new_page(prepared=with_a_noted_pen)
    page.evaluate("window.penned = []")  # of the visitor before
    return page


LOOKS: Final[dict[str, str]] = {
    "masked heads": PIZZA,
    "one token": "/?tokens=Hello&d_model=4&heads=2&x=random&weights=random&present=1",
    "eight heads of sixteen tokens": f"{EIGHT_HEADS.removesuffix('&part=weights')}&mask=causal",
    "two sequences": "/?example=translation&present=1",
    "a screen": "/walkthrough?example=three-tokens&screen=input&tour=001&present=1",
    "a comparison": "/compare?a.example=pizza&b.example=pizza&b.mask=none&present=1",
}
LONG: Final = (
    "/?example=long&heads=16&d_model=208&d_k=128&d_v=13&weights=all_patterns"
    "&x=one_hot_position&present=1&part=weights"
)


def parts(page: Page) -> list[str]:
    """Their names, also while the bar is not shown."""
    options = page.locator(".present-bar select").first.locator("option")
    names: list[str] = options.evaluate_all("options => options.map(option => option.value)")
    return names


@pytest.mark.parametrize("look", LOOKS)
def test_all_that_is_read_can_be_read_from_the_back_row(penned_page: Page, look: str) -> None:
    page = penned_page
    present(page, LOOKS[look])
    names = parts(page)
    assert len(names) > 2
    for name in names:
        expect(page.locator(".present-bar select").first).to_have_value(name)
        wait_until(page, IS_FITTED)
        assert page.evaluate(SMALL_LETTERS, SEEN_FROM_FAR) == []
        page.keyboard.press("ArrowRight")
    assert page.evaluate("window.penned.length") > 0


def test_of_long_texts_labels_stay_large_and_numbers_go(penned_page: Page) -> None:
    page = penned_page
    present(page, LONG)
    wait_until(page, IS_FITTED)
    assert page.evaluate("window.penned.length") == 0
    assert page.evaluate(SMALL_LETTERS, SEEN_FROM_FAR) == []


SIZE_OF_CELL: Final = """() =>
  document.querySelector(".present .plot-stage > svg > svg").getBoundingClientRect().width / 2"""


def test_cells_grow_to_the_screen(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 640, "height": 480})
    present(page, "/?present=1&part=weights")
    size = page.evaluate(SIZE_OF_CELL)
    for width, height, least in ((1024, 768, 150), (1280, 720, 200), (1920, 1080, 1.45 * 200)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, f"last => ({IS_FITTED})() && ({SIZE_OF_CELL})() !== last", size)
        before, size = size, page.evaluate(SIZE_OF_CELL)
        assert size > least
    assert size == pytest.approx(1.5 * before, rel=0.03)


def test_no_violation_also_where_something_lies_over_the_picture_and_all_of_it_can_be_read(
    page: Page,
) -> None:
    present(page, f"{PIZZA}&part=weights&mask=none")
    assert violations_in_both_themes(page) == []
    for key, name in (("?", "Keys"), ("q", "The link to what is on screen")):
        page.keyboard.press(key)
        over = page.get_by_role("dialog", name=name)
        expect(over).to_be_visible()
        expect(over).not_to_have_text("The code is on its way.")
        assert page.evaluate(SMALL_LETTERS, SEEN_FROM_FAR) == []
        assert violations_in_both_themes(page, PRESENTED) == []
        page.keyboard.press("Escape")
        expect(over).to_be_hidden()
    box = place_of(page.locator(".present .plot-stage > svg > svg").first)
    page.mouse.move(box.x + box.width / 8, box.y + box.height / 8)
    page.mouse.move(box.x + box.width / 7, box.y + box.height / 7)
    tip = page.locator(".present .plot-tip")
    expect(tip).to_be_visible()
    expect(bar(page)).to_be_visible()
    assert page.evaluate(SMALL_LETTERS, SEEN_FROM_FAR) == []
    where = tip.bounding_box()
    assert where is not None
    assert where["x"] >= box.x + box.width / 4  # beside its cell
    sizes: Any = bar(page).bounding_box()
    assert sizes["height"] < 60  # one line
    page.keyboard.press("t")
    page.get_by_label("Temperature, slider").wait_for()
    assert violations_in_both_themes(page, PRESENTED) == []
