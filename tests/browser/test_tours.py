"""Tours in a real browser: to the last stop, Back and Forward, by keys, and a person's own.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mha_core.guide.tours import TOURS
from tests.browser.reading import (
    open_page,
    wait_for_first_run,
    wait_for_the_end_of_the_run,
    wait_until,
)
from tests.browser.test_accessibility import violations_in_both_themes, wear
from tests.visitors import visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.conftest import NewPage

OWN = """\
# Masks

Nothing is hidden.
/walkthrough?example=causal&mask=none&screen=weights

Without the mask, and with it.
/compare?a.example=causal&a.mask=none&b.example=causal
"""

FILLED = "rgb(90, 75, 196)"  # a main button that can be pressed
WAY_ON = {"include": [".st-key-tour-on"]}


def open_tours(page: Page) -> None:
    visit(page, "/tours")
    own_begin(page).wait_for()


def own_begin(page: Page) -> Locator:
    return page.locator(".st-key-t-begin-tour").get_by_role("button")


def begin(page: Page, name: str) -> None:
    open_tours(page)
    page.locator(f".st-key-t-begin-{name}").get_by_role("button").click()


def says(page: Page) -> Locator:
    return page.locator(".tour-says")


def at_stop(page: Page, name: str, number: int) -> None:
    """The stop is there, with its picture, and the run that brought it has ended."""
    expect(says(page)).to_have_text(TOURS[name].stops[number - 1].sentence)
    expect(page).to_have_url(re.compile(rf"[?&.]stop={number}(&|$)" if number > 1 else "tour="))
    page.locator(".plot[data-painted]").first.wait_for()
    wait_for_the_end_of_the_run(page)


def next_stop(page: Page) -> Locator:
    """A button; or a link, if the stop is on another page."""
    way = page.get_by_role("button", name="Next stop")
    return way.or_(page.get_by_role("link", name="Next stop"))


def test_a_tour_leads_over_three_pages_to_its_last_stop_and_back_and_forward(page: Page) -> None:
    name = "causal"  # its last stop is on another page than the others
    begin(page, name)
    for number in (1, 2, 3):
        at_stop(page, name, number)
        next_stop(page).click()
    at_stop(page, name, 4)
    assert len(TOURS[name].stops) == 4
    for number in (3, 2):
        page.go_back()
        at_stop(page, name, number)
    for number in (3, 4):
        page.go_forward()
        at_stop(page, name, number)
    page.get_by_role("link", name="The end: all tours").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tours")


def test_keys_of_a_remote_control_go_from_stop_to_stop_and_then_through_the_walkthrough(
    page: Page,
) -> None:
    open_page(page, "/walkthrough?example=split-only&tour=000")
    for key, number in (("PageDown", 2), (" ", 3), ("ArrowRight", 4), ("PageUp", 3)):
        page.keyboard.press(key)
        at_stop(page, "000", number)
    wear(page, "dark")
    wear(page, "light")
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_visible()
    wait_for_the_end_of_the_run(page)
    page.keyboard.press("PageDown")
    expect(page).to_have_url(re.compile("screen=scores"))


def test_a_remote_control_leads_on_after_a_click_and_on_other_pages(page: Page) -> None:
    open_page(
        page,
        "/walkthrough?example=eight-tokens&weights=split_then_project"
        "&screen=scores&tour=tellings&stop=7",
    )
    page.get_by_role("radio", name="Head 2").click()
    expect(page).to_have_url(re.compile("head=2"))
    page.keyboard.press("PageDown")
    at_stop(page, "tellings", 8)
    expect(page).to_have_url(re.compile("/compare"))
    page.keyboard.press("PageDown")
    at_stop(page, "tellings", 9)


def test_a_wrong_address_is_told_and_a_tour_of_ours_begins_beside_a_text_that_was_just_typed(
    page: Page,
) -> None:
    visit(page, "/tours?tour=000&stop=40")
    expect(page.get_by_text("must be a whole number from 1 to 11")).to_be_in_viewport()
    own_begin(page).wait_for()
    text = page.get_by_role("textbox", name="Sentences and links")
    text.fill(OWN)
    page.locator(".st-key-t-begin-001").get_by_role("button").click()
    at_stop(page, "001", 1)
    link = page.get_by_role("link", name="Tours")
    expect(link).to_be_in_viewport()  # the list was scrolled, and the stop does not scroll
    link.click()
    expect(text).to_have_value(OWN)
    expect(page).to_have_url(re.compile("tour=~"))
    wait_for_the_end_of_the_run(page)

    text.fill(OWN.replace("# Masks", "# A mask"))
    own_begin(page).click()
    expect(says(page)).to_have_text("Nothing is hidden.")
    expect(page.locator(".tour-title")).to_have_text("A maskStop 1 of 2")
    wait_for_the_end_of_the_run(page)
    next_stop(page).click()
    expect(says(page)).to_have_text("Without the mask, and with it.")
    expect(page).to_have_url(re.compile("/compare[?].*tour="))


def test_a_stop_begins_at_the_top_of_its_page(page: Page) -> None:
    open_page(page, "/walkthrough?example=saturated&softmax=naive&screen=exponentials&tour=softmax")
    at_stop(page, "softmax", 1)
    expect(next_stop(page)).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 300})
    page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 200)")
    expect(next_stop(page)).not_to_be_in_viewport()
    page.keyboard.press("PageDown")
    at_stop(page, "softmax", 2)
    expect(next_stop(page)).to_be_in_viewport()


@pytest.mark.parametrize(("name", "stop"), [("000", 5), ("004", 2)])
def test_printed_rows_stand_beside_ours(page: Page, name: str, stop: int) -> None:
    open_page(page, f"/walkthrough?tour={name}&stop={stop}")
    at_stop(page, name, stop)
    for pair in page.locator(".printed > figure").all():
        theirs, ours = pair.locator("table").evaluate_all(
            "tables => tables.map(t => [...t.rows].map(r => r.getBoundingClientRect().top))"
        )
        assert theirs == ours


def test_the_list_of_tours_can_be_used_by_everybody_and_a_wrong_text_is_not_begun_or_copied(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    open_tours(page)
    page.get_by_label("Open a tour that was saved").wait_for(state="attached")
    assert violations_in_both_themes(page) == []
    copy = page.get_by_role("button", name="Copy", exact=True)
    expect(copy).to_be_enabled()
    expect(own_begin(page)).to_have_css("background-color", FILLED)
    text = page.get_by_role("textbox", name="Sentences and links")
    text.fill("No link.")
    text.blur()
    expect(own_begin(page)).to_be_disabled()
    expect(own_begin(page)).not_to_have_css("background-color", FILLED)
    expect(copy).to_be_disabled()


@pytest.mark.parametrize("stop", ["screen=input&tour=000", "screen=output&tour=000&stop=11"])
def test_the_way_on_can_be_read_under_the_pointer_too(new_page: NewPage, stop: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 720})
    open_page(page, f"/walkthrough?example=split-only&{stop}")
    assert violations_in_both_themes(page, WAY_ON) == []
    page.emulate_media(color_scheme="light")
    way_on = page.locator(WAY_ON["include"][0]).locator("a, button")
    way_on.hover()
    expect(way_on).to_have_css("background-color", "rgb(70, 58, 158)")
    assert violations_in_both_themes(page, WAY_ON) == []


def test_a_reload_keeps_a_tour_of_ones_own_and_who_has_added_a_stop_is_led_to_it_in_the_list(
    page: Page,
) -> None:
    def add_a_stop(number: int) -> None:
        page.get_by_role("button", name="Add to my tour", exact=True).click()
        page.get_by_role("button", name="Add what I see to my tour").click()
        expect(page.get_by_text(f"It is stop {number} of your tour.")).to_be_visible()
        wait_until(page, KEPT_STOPS, number)

    open_page(page, "/?example=causal")
    add_a_stop(1)
    page.reload()
    wait_for_first_run(page)
    add_a_stop(2)
    page.get_by_role("link", name="See your tour, and save it").click()
    expect(page.locator(".order-list li")).to_have_count(2)
    expect(page.get_by_text("Look at this.").last).to_be_in_viewport()
    expect(own_begin(page)).to_be_in_viewport()


KEPT_STOPS = """count => {
  const kept = sessionStorage.getItem("attention explorer text tour") ?? "";
  return kept.split("example=causal").length - 1 === count;
}"""
