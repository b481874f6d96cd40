"""The strip as the map of the page: it marks the part in view and opens what it leads to.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.reading import open_page, plot_named, wait_for_the_end_of_the_run

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.conftest import NewPage

TO_THE_END = "document.querySelector('.stMain').scrollTo(0, 1e6)"


def stage(page: Page, name: str) -> Locator:
    return page.locator(".strip a").filter(has=page.get_by_text(name, exact=True))


def marked(page: Page) -> Locator:
    return page.locator(".strip a[aria-current=location] strong")


def test_a_click_leads_to_a_part_which_is_marked_and_not_hidden_and_is_no_step_for_back(
    page: Page,
) -> None:
    open_page(page, "/?example=pizza")
    expect(marked(page)).to_have_text(["Scaled scores", "Weights"])
    steps = page.evaluate("history.length")
    stage(page, "Output").click()
    expect(page).to_have_url(re.compile("#together$"))
    expect(marked(page)).to_have_text(["Concatenation", "Output"])
    assert page.evaluate("history.length") == steps
    heading = page.get_by_text("Together", exact=True)
    expect(heading).to_be_in_viewport(ratio=1)
    strip, place = page.locator(".strip").bounding_box(), heading.bounding_box()
    assert strip is not None
    assert place is not None
    assert place["y"] >= strip["y"] + strip["height"]
    page.evaluate(TO_THE_END)
    expect(page.locator("h1")).not_to_be_in_viewport()
    expect(stage(page, "Input")).to_be_in_viewport(ratio=1)
    hit = "([x, y]) => document.elementFromPoint(x, y).closest('.strip') !== null"
    box = page.locator(".strip").bounding_box()
    assert box is not None
    assert page.evaluate(hit, [box["x"] + 5, box["y"] + box["height"] / 2])
    stage(page, "Mask").click()
    expect(page).to_have_url(re.compile("#mask$"))
    expect(page.locator(".st-key-mask-picture")).to_be_in_viewport()
    expect(plot_named(page, "The mask")).to_be_attached()  # the click has opened it
    stage(page, "Weights").click()
    expect(page).to_have_url(re.compile("#heads$"))
    expect(page.locator(".st-key-fold-heads")).to_be_in_viewport()

    # By keyboard the input opens the way into the heads, where Tab goes on.
    stage(page, "Input").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("open=into"))
    way_in = plot_named(page, "X, the projections")
    expect(way_in.locator(".plot-stage")).to_be_in_viewport(ratio=0.99)
    expect(marked(page)).to_have_count(2)
    expect(marked(page).first).to_have_text("Input")
    page.keyboard.press("Tab")
    expect(page.locator("summary", has_text="Into the heads")).to_be_focused()
    stage(page, "Input").click()  # it does not fold what is open
    expect(way_in).to_be_visible()


def test_a_strip_that_comes_after_the_rest_of_the_page_is_marked_too(page: Page) -> None:
    held: list[Route] = []
    of_the_strip = re.compile(r"/js/Html[.-]")  # and of no picture
    page.route(of_the_strip, lambda route: held.append(route))
    page.goto("/?example=pizza")
    page.locator(".plot[data-painted]").first.wait_for()
    wait_for_the_end_of_the_run(page)
    expect(page.locator(".strip")).to_have_count(0)
    for each in held:
        each.continue_()
    expect(marked(page)).to_have_text(["Scaled scores", "Weights"])


def test_parts_are_folded_by_hand_and_opened_by_the_strip_and_head_outputs_in_the_head_shown(
    page: Page,
) -> None:
    open_page(page, "/?example=pizza")
    for part, name, stage_there, picture in (
        ("heads", "The heads", "Weights", "Scores and weights"),
        ("together", "Together", "Output", "Concatenation"),
    ):
        page.get_by_text(name, exact=True).click()
        expect(page).to_have_url(re.compile(f"fold={part}"))
        expect(plot_named(page, picture)).to_have_count(0)
        stage(page, stage_there).click()
        expect(plot_named(page, picture)).to_be_in_viewport()
        expect(page).not_to_have_url(re.compile("fold="))
    added = page.locator("details", has_text="What each head adds").last
    expect(added).not_to_have_attribute("open", "")  # a part within a part is left as it is
    wait_for_the_end_of_the_run(page)
    for head in ("Head 1", "Head 2"):
        if head == "Head 2":
            page.get_by_role("radio", name=head, exact=True).click()
            expect(page).to_have_url(re.compile("head=2"))
        stage(page, "Head outputs").click()
        expect(plot_named(page, f"{head}: from Q, K, V to its output")).to_be_visible()
        expect(page.locator(".plot-lit-matrix").first).to_be_in_viewport(ratio=0.9)


def test_on_a_phone_it_is_one_line_that_shows_the_part_in_view_and_leaves_a_low_screen(
    new_page: NewPage,
) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    open_page(page, "/?example=pizza")
    expect(stage(page, "Input")).to_be_visible()
    expect(page.locator(".strip ol")).to_have_js_property("scrollLeft", 0)  # at its first part
    page.evaluate(TO_THE_END)
    expect(page.locator(".strip")).to_be_in_viewport()
    expect(page.locator(".strip [aria-current]", has_text="Concatenation")).to_be_in_viewport()
    height = page.locator(".strip").evaluate("strip => strip.getBoundingClientRect().height")
    assert height < 844 / 14
    page.set_viewport_size({"width": 844, "height": 390})
    page.evaluate(TO_THE_END)
    expect(page.locator(".strip")).not_to_be_in_viewport()
