"""The sidebar in a browser: one screen, and lists that the keyboard can go through.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from mha_core.examples import EXAMPLES
from tests.browser.hands import menu_button, place_of
from tests.browser.reading import open_page, plot_named, wait_for_the_end_of_the_run
from tests.browser.test_accessibility import IN_THE_SIDEBAR, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOWEST_EDGE: Final = """() => Math.max(
  ...[...document.querySelectorAll(".stSidebar :is(button, input, select, p)")]
    .map((part) => part.getBoundingClientRect().bottom),
)"""


def assert_help_is_said_and_shown_and_goes(page: Page) -> None:
    scale = page.get_by_role("textbox", name="Scale")
    expect(scale).to_have_accessible_description(re.compile("Scores are multiplied by it"))
    help_text = page.get_by_role("tooltip").filter(has_text="Scores are multiplied by it")
    mark = page.get_by_role("button", name="Help for Scale")
    mark.focus()
    expect(help_text).to_be_visible()
    page.keyboard.press("Escape")
    expect(help_text).to_be_hidden()
    mark.hover()
    expect(help_text).to_be_visible()
    scale.hover()
    expect(help_text).to_be_hidden()


def test_it_and_two_tokens_fit_one_screen_and_more_opens_over_the_page_and_moves_nothing(
    page: Page,
) -> None:
    open_page(page)
    positions = page.get_by_role("combobox", name="Positions")
    expect(positions).to_be_visible()
    assert page.viewport_size == {"width": 1280, "height": 720}
    assert page.evaluate(LOWEST_EDGE) <= 720
    stage = plot_named(page, "Scores and weights").locator(".plot-stage").bounding_box()
    assert stage is not None
    assert stage["y"] + stage["height"] <= 720
    assert_help_is_said_and_shown_and_goes(page)
    before = positions.bounding_box()
    page.get_by_role("button", name="More of Scores").click()
    cap = page.get_by_role("textbox", name="Soft cap")
    expect(cap).to_be_visible()
    assert positions.bounding_box() == before
    cap.fill("30")
    cap.press("Enter")
    expect(page.get_by_text("Soft cap 30.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cap).to_be_hidden()
    expect(page.get_by_role("button", name="More of Scores")).to_be_focused()
    expect(page.get_by_text("Soft cap 30.")).to_be_visible()

    page.get_by_role("button", name="More of Scores").click()
    cap.fill("-1")
    cap.press("Enter")
    alert = page.locator(".stSidebar").get_by_role("alert")
    expect(alert).to_have_count(1)
    expect(cap).to_have_value("-1")
    page.keyboard.press("Escape")
    expect(cap).to_be_hidden()
    expect(alert).to_have_count(1)  # said in its section, once that is closed
    expect(alert).to_contain_text("The soft cap must be")


# The browser says late that it has opened the panel, which until then stands in another place.
SEEN_AT_ONCE_AND_LATER = """button => {
  const panel = button.popoverTargetElement;
  const place = () => panel.getBoundingClientRect();
  const seen = () => [getComputedStyle(panel).visibility, place().top, place().left];
  button.click();
  const atOnce = seen();
  return new Promise((done) => {
    panel.addEventListener("toggle", () => done([atOnce, seen()]), { once: true });
  });
}"""


def test_what_more_opens_is_never_seen_elsewhere_and_says_what_it_refuses_when_unfolded(
    page: Page,
) -> None:
    open_page(page)
    for section, is_low in (("Weights", False), ("Scores", True)):
        more = page.get_by_role("button", name=f"More of {section}")
        at_once, later = more.evaluate(SEEN_AT_ONCE_AND_LATER)
        assert later[0] == "visible"
        assert at_once[0] == "hidden" or at_once == later
        box = place_of(more)
        if is_low:  # so what it opens stands beside it, and not over it
            assert abs(later[2] - (box.x + box.width + 4)) < 1
        else:
            assert abs(later[1] - (box.y + box.height + 4)) < 1
        page.keyboard.press("Escape")
    page.get_by_role("button", name="More of Scores").click()
    more = page.get_by_role("dialog", name="More of Scores")
    factor = more.get_by_role("textbox", name="Factor of V")
    expect(factor).to_be_hidden()
    more.get_by_text("As in a few trained models").click()
    expect(factor).to_be_visible()
    panel = place_of(more)
    assert panel.y >= 0
    assert panel.y + panel.height <= 720
    assert violations(page, where=IN_THE_SIDEBAR) == []
    factor.fill("none at all")
    factor.press("Enter")
    expect(more.get_by_role("alert")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".stSidebar").get_by_role("alert")).to_have_count(1)

    # An example is found and opened by keyboard alone.
    menu_button(page).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Does order matter?")).to_be_visible()
    wanted = page.get_by_role("button", name="The man bites the dog Shuffle")
    expect(page.get_by_role("dialog", name="Open")).to_be_focused()
    for _ in range(len(EXAMPLES) + 2):
        page.keyboard.press("Tab")
        if wanted.evaluate("button => button === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The man bites the dog", level=1)).to_be_visible()
    expect(page.get_by_role("heading", name="Does order matter?")).to_be_hidden()


def test_a_refusal_goes_with_its_cause_numbers_go_by_keys_and_what_is_typed_stays_until_escape(
    page: Page,
) -> None:
    open_page(page, "/?example=pizza&d_k=3")
    positions = page.get_by_role("combobox", name="Positions")
    alert = page.locator(".stSidebar").get_by_role("alert")
    for _ in range(2):
        positions.select_option("RoPE")
        expect(alert).to_contain_text("d_k")
        expect(positions).to_have_value("none")
    page.get_by_role("button", name="More of Heads").click()
    width = page.get_by_role("spinbutton", name="Width d_k")
    width.fill("4")
    width.press("Enter")
    expect(alert).to_have_count(0)
    page.keyboard.press("Escape")

    # Numbers go by keys and buttons, and what is typed stays until Escape.
    count = page.get_by_role("spinbutton", name="Number of tokens")
    count.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
    expect(count).to_have_value("5")
    expect(page.get_by_role("textbox", name="Tokens")).to_have_value("I LOVE PEPPERONI PIZZA t5")
    page.get_by_role("button", name="Number of tokens: one less").click()
    expect(page.get_by_role("textbox", name="Tokens")).to_have_value("I LOVE PEPPERONI PIZZA")
    wait_for_the_end_of_the_run(page)
    tokens = page.get_by_role("textbox", name="Tokens")
    page.get_by_role("button", name="Causal", exact=True).click()
    tokens.fill("A B C")
    expect(page).to_have_url(re.compile("mask=none"))
    wait_for_the_end_of_the_run(page)
    expect(tokens).to_have_value("A B C")
    page.keyboard.press("Escape")
    expect(tokens).to_have_value("I LOVE PEPPERONI PIZZA")
    tokens.fill("A B C")
    page.get_by_role("heading", level=1).click()  # to leave a field is to enter it
    expect(page).to_have_url(re.compile("tokens=A[+]B[+]C"))


PASTED: Final = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const paste = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
  document.activeElement.dispatchEvent(paste);
}"""


def test_a_grid_of_places_is_pasted_line_by_line(page: Page) -> None:
    """A browser joins lines that are pasted: "0 0" and "0 1" would be "0 00 1"."""
    open_page(page, "/?example=pizza&positions=rope")
    page.get_by_role("button", name="More of Scores").click()
    places = page.get_by_role("textbox", name="Places")
    places.focus()
    page.evaluate(PASTED, "0\t0\n0\t1\r\n1\t0\n1\t1.5\n")
    places.press("Enter")
    expect(page).to_have_url(re.compile("rope_places=0_0[+]0_1[+]1_0[+]1_1.5"))
    expect(places).to_have_value("0 0; 0 1; 1 0; 1 1.5")
    expect(page.get_by_role("textbox", name="Axes of pairs")).to_be_visible()
