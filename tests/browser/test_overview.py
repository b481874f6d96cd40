"""Many heads in a browser: pointing previews one, a click makes it large, Escape leads back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.hands import place_of, place_of_matrix
from tests.browser.reading import open_page, plot_named, wait_for_the_end_of_the_run, wait_until
from tests.browser.test_accessibility import IN_THE_HEADS, violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

WORDS = "+".join(f"w{number}" for number in range(128))
LARGEST = f"/?tokens={WORDS}&d_model=32&heads=32&x=random&weights=random"
FEW = "+".join(f"w{number}" for number in range(16))
SIXTEEN = f"/?tokens={FEW}&d_model=16&heads=16&x=random&weights=random"
SMALL = "Weights of all heads, small"
LARGE = "Scores and weights of the heads"


def all_small(page: Page) -> Locator:
    return plot_named(page, SMALL)


def large(page: Page, head: int) -> Locator:
    return plot_named(page, f"Head {head}, large")


def middle_of(plot: Locator, head: int) -> tuple[float, float]:
    box = place_of_matrix(plot, f"weights/{head - 1}")
    return box.x + box.width / 2, box.y + box.height / 2


def test_32_heads_of_128_tokens_are_on_one_screen(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, LARGEST)
    stage = place_of(all_small(page).locator(".plot-stage"))
    assert stage.y + stage.height <= 720
    assert stage.x + stage.width <= 1280
    expect(all_small(page).locator("svg text", has_text=re.compile(r"^\d+$"))).to_have_count(32)


def assert_switches(page: Page, *, of_all_small: bool) -> None:
    """Where all are small, a word stands in the place of switches that would change nothing."""
    line = page.locator(".st-key-picture-controls")
    expect(line.locator(".st-key-weights-alone")).to_be_visible(visible=of_all_small)
    for name in ("scores", "rows"):
        expect(line.locator(f".st-key-view-{name}")).to_be_visible(visible=not of_all_small)


def test_pointing_previews_a_click_or_a_key_makes_large_escape_leads_back_and_all_can_be_large(
    page: Page,
) -> None:
    open_page(page, SIXTEEN)
    assert_switches(page, of_all_small=True)
    page.mouse.move(*middle_of(all_small(page), 3))
    tip = all_small(page).locator(".plot-tip")
    expect(tip).to_contain_text(re.compile("^Head 3: "))
    expect(tip.locator("canvas")).to_be_visible()
    page.mouse.click(*middle_of(all_small(page), 3))
    expect(large(page, 3)).to_be_visible()
    expect(tip).to_be_hidden()  # it would lie over the large head
    expect(page).to_have_url(re.compile("head=3"))
    expect(all_small(page).locator("svg text", has_text=re.compile(r"^Head \d+$"))).to_have_count(
        16
    )
    assert_switches(page, of_all_small=False)
    assert violations(page, where=IN_THE_HEADS) == []
    page.keyboard.press("Escape")
    expect(large(page, 3)).to_have_count(0)
    expect(page).not_to_have_url(re.compile("head="))
    page.mouse.move(2, 2)
    wait_for_the_end_of_the_run(page)
    assert_switches(page, of_all_small=True)
    stage = all_small(page).locator(".plot-stage")
    said = all_small(page).locator(".plot-unseen")
    stage.focus()
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile("^Head 4: "))
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text(re.compile("^Head 5: "))
    page.keyboard.press("ArrowDown")
    expect(said).to_have_text(re.compile("^Head 13: "))
    page.keyboard.press("Enter")
    expect(large(page, 13)).to_be_visible()
    expect(stage).to_be_focused()
    page.keyboard.press("Escape")
    expect(large(page, 13)).to_have_count(0)
    wait_for_the_end_of_the_run(page)

    choice = page.locator(".st-key-which-heads").get_by_role("radio")
    for name, shown in (("All, large", plot_named(page, LARGE)), ("All, small", all_small(page))):
        choice.filter(has_text=name).click()
        expect(shown).to_be_visible()
        wait_for_the_end_of_the_run(page)
        expect(choice.filter(has_text=name)).to_be_checked()
        assert_switches(page, of_all_small=name == "All, small")
    expect(plot_named(page, LARGE)).to_have_count(0)


def test_on_a_phone_a_tap_shows_the_head_above_the_others(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    open_page(page, SIXTEEN)
    wait_for_the_end_of_the_run(page)
    page.touchscreen.tap(*middle_of(all_small(page), 8))
    expect(large(page, 8)).to_be_visible()
    wait_for_the_end_of_the_run(page)
    above, below = (each.bounding_box() for each in (large(page, 8), all_small(page)))
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        wait_until(page, "width => document.documentElement.scrollWidth === width", width)
    page.get_by_role("button", name="Back to all heads").tap()
    expect(large(page, 8)).to_have_count(0)
