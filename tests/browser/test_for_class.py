"""The page for a lecture, in a browser: what is saved is what is shown.

Takes long: a class set is drawn and saved, and axe reads what the page offers.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING
from xml.etree import ElementTree as Tree
from zipfile import ZipFile

import pypdfium2
from playwright.sync_api import expect
from pptx import Presentation

from tests.browser.hands import saved
from tests.browser.reading import open_page, wait_for_the_end_of_the_run
from tests.browser.test_accessibility import (
    BESIDE_THE_SIDEBAR,
    PHONE,
    WHOLE_PAGE,
    violations_in_both_themes,
)
from tests.visitors import visit

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import OpenFile

CAUSAL = "/for_class?example=causal"
OFFERS = {  # and what is there when all of it has come
    "Pictures": "The heads. Each row",
    "Slides": "Look at a slide",
    "Handout": "The number is the one",
    "Page": "One HTML file",
    "Worksheets": "Look at the key",
    "Lecture pack": "A ZIP of",
}


def open_class(page: Page, address: str = CAUSAL) -> None:
    visit(page, address)
    page.locator("img.sheet").wait_for()


def choose(page: Page, offer: str) -> None:
    page.get_by_role("radio", name=offer, exact=True).click()
    expect(page.get_by_text(OFFERS[offer]).first).to_be_visible()
    expect(page.locator("[data-stale=true]")).to_have_count(0)  # half faded, nothing can be read


def assert_usable(page: Page, where: object = BESIDE_THE_SIDEBAR) -> None:
    assert violations_in_both_themes(page, where) == []


def test_a_picture_is_saved_as_it_is_shown_alone_or_with_others_and_fits_a_phone(
    page: Page,
) -> None:
    open_class(page)
    name, svg = saved(page, "Save")
    assert name == "causal-heads.svg"
    texts = [t.text for t in Tree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {"Head 1", "Weights", "2.75"} <= set(texts)
    expect(page.get_by_text("causal-heads.svg,")).to_contain_text("is saved.")
    shown = page.locator("img.sheet")
    assert shown.evaluate("image => image.complete && image.naturalWidth") > 400

    page.get_by_role("button", name="PDF", exact=True).click()
    name, content = saved(page, "Save 2 files")
    assert name == "causal-pictures.zip"
    with ZipFile(io.BytesIO(content)) as pack:
        assert pack.namelist() == ["heads.svg", "heads.pdf"]
        document = pypdfium2.PdfDocument(pack.read("heads.pdf"))
        assert len(document) == 1
        document.close()
    assert_usable(page, WHOLE_PAGE)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_slides_a_handout_and_pages_are_saved(page: Page, open_file: OpenFile) -> None:
    open_class(page)
    choose(page, "Slides")
    name, content = saved(page, "Save as PowerPoint")
    assert name == "causal-slides.pptx"
    assert len(Presentation(io.BytesIO(content)).slides) == 18
    assert_usable(page)

    choose(page, "Handout")
    expect(page.get_by_text("\\begin{bmatrix}")).to_be_visible()
    name, content = saved(page, "Save the LaTeX document")
    assert name == "causal-steps.tex"
    assert b"\\begin{tikzpicture}" in content
    name, content = saved(page, "Save the handout as PDF")
    assert name == "causal-handout.pdf"
    document = pypdfium2.PdfDocument(content)
    assert 2 <= len(document) <= 4
    document.close()
    assert_usable(page)

    choose(page, "Page")
    name, content = saved(page, "Save as HTML")
    assert name == "causal-page.html"
    assert_usable(page)
    page.get_by_label("A page of").click()
    page.get_by_role("option", name="Tour: ").first.click()
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    _, tour = saved(page, "Save as HTML")
    assert tour != content
    for made in (content, tour):
        expect(open_file(made).locator(".checked")).to_contain_text("Checked:")


def test_what_is_seen_becomes_a_stop_and_the_stops_become_slides(page: Page) -> None:
    open_page(page, "/?example=causal")
    for number, sentence in enumerate(("At first nothing is hidden.", "Then apply the mask."), 1):
        page.get_by_role("button", name="Add to my tour", exact=True).click()
        said = page.get_by_role("textbox", name="What you say here")
        said.fill(sentence)
        said.press("Enter")
        page.get_by_role("button", name="Add what I see to my tour").click()
        expect(page.get_by_text(f"It is stop {number} of your tour.")).to_be_visible()
        page.keyboard.press("Escape")
        wait_for_the_end_of_the_run(page)  # which takes the field away: another one comes
    page.get_by_role("link", name="Tours", exact=True).click()
    stops = page.locator(".order-list li")
    expect(stops).to_have_count(2)
    wait_for_the_end_of_the_run(page)  # which shows the list anew
    stops.nth(1).drag_to(stops.nth(0))
    expect(stops.nth(0)).to_contain_text("Then apply the mask.")
    page.get_by_role("button", name="Move down: Then apply the mask.").press("Enter")
    expect(stops.nth(1)).to_contain_text("Then apply the mask.")
    expect(page.get_by_role("button", name="Move up: Then apply the mask.")).to_be_focused()
    page.mouse.wheel(0, -10_000)  # to the top, where the links to the pages are
    page.get_by_role("link", name="For class", exact=True).click()
    choose(page, "Slides")
    expect(page.get_by_role("img", name="My tour")).to_be_visible()
    _, content = saved(page, "Save as PowerPoint")
    slides = list(Presentation(io.BytesIO(content)).slides)
    assert len(slides) == 3
    assert "Then apply the mask." in slides[2].notes_slide.notes_text_frame.text


def test_a_class_set_of_worksheets_and_a_lecture_pack_are_saved(page: Page, app_url: str) -> None:
    open_class(page)
    choose(page, "Worksheets")
    count = page.get_by_role("spinbutton", name="Sheets", exact=True)
    count.fill("2")
    count.press("Enter")
    name, content = saved(page, "Save 2 sheets as PDF")
    assert name == "attention-worksheets.pdf"
    document = pypdfium2.PdfDocument(content)
    texts = [sheet.get_textpage().get_text_range() for sheet in document]
    assert sum("seed" in text and "Answer key" not in text for text in texts) == 4
    assert sum("Answer key" in text for text in texts) == 4  # two pages each
    document.close()
    name, content = saved(page, "Save 2 sheets as HTML")
    assert (name, content.count(b"<h1>")) == ("attention-worksheets.html", 4)
    assert_usable(page)

    choose(page, "Lecture pack")
    name, content = saved(page, "Save the lecture pack")
    assert name == "causal-lecture-pack.zip"
    with ZipFile(io.BytesIO(content)) as pack:
        assert pack.testzip() is None
        assert {"slides.pptx", "captions.txt", "pictures/heads.svg"} <= set(pack.namelist())
        link = next(
            line.split(": ", 1)[1]
            for line in pack.read("read-me.txt").decode().splitlines()
            if line.startswith("Open the same page again")
        )
    assert link == f"{app_url}/?example=causal"
    assert_usable(page)
