"""A browser that is behind: it acts before it has seen what the server sent last.

It then reports what its fields showed before, which nobody has entered. On a slow machine, or over
a slow line, two quick clicks are enough for this.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.hands import open_the_menu
from tests.browser.reading import open_page
from tests.browser.slow_line import SlowLine

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def page(late_page: Page) -> Page:
    return late_page


def test_words_are_kept_undo_takes_back_one_step_and_fields_come_back_however_late_they_are_seen(
    page: Page, line: SlowLine
) -> None:
    open_page(page)
    tokens = page.get_by_label("Tokens", exact=True)
    for token in "A", "B":
        tokens.fill(token)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"tokens={token}"))
    for _ in range(2):
        page.go_back()
    expect(tokens).to_have_value("t1 t2")
    page.go_forward()
    page.go_forward()
    expect(tokens).to_have_value("B")

    page.get_by_role("button", name="Causal").click()
    expect(page).to_have_url(re.compile("tokens=B&mask=causal"))
    line.hold()
    tokens.fill("A B C")
    tokens.press("Enter")
    line.wait_for_runs(1)
    page.get_by_role("button", name="Undo").click()
    line.wait_for_runs(2)
    line.let_go()
    expect(tokens).to_have_value("B")
    expect(page).to_have_url(re.compile("tokens=B&mask=causal"))

    # The number of tokens follows the words; the browser still shows the old number.
    count = page.get_by_label("Number of tokens", exact=True)
    line.hold()
    tokens.fill("A B C")
    tokens.press("Enter")
    line.wait_for_runs(1)
    tokens.fill("A B C D")
    tokens.press("Enter")
    line.wait_for_runs(2)
    line.let_go()
    expect(count).to_have_value("4")
    expect(tokens).to_have_value("A B C D")
    expect(page.locator(".strip")).to_contain_text("2×4×4")
    count.fill("2")  # a number that the field has shown before, entered by somebody who sees 4
    count.press("Enter")
    expect(tokens).to_have_value("A B")

    open_the_menu(page)  # a list that is closed at once takes nothing of its example back
    pizza = page.get_by_role("button", name="Pizza, a language model Four words")
    pizza.wait_for()
    line.hold()
    pizza.click()
    line.wait_for_runs(1)
    page.keyboard.press("Escape")
    line.wait_for_runs(2)
    line.let_go()
    expect(page.get_by_role("heading", name="Pizza, a language model")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/\?example=pizza$"))
    expect(tokens).to_have_value("I LOVE PEPPERONI PIZZA")

    # The browser forgets a field that has gone. The server cannot know that it has.
    page.get_by_text("Edit the numbers").click()
    page.get_by_role("tab", name="Text").click()
    box = page.get_by_role("textbox", name="X as text")
    box.fill("7 8 9")
    line.hold()
    page.get_by_role("radio", name="W_O", exact=True).click()
    line.wait_for_runs(1)
    page.get_by_role("radio", name="X", exact=True).click()
    line.wait_for_runs(2)
    line.let_one_run_go()
    page.get_by_role("textbox", name="W_O as text").wait_for()
    line.let_go()
    expect(box).to_have_value("7 8 9")


def test_a_sentence_is_kept_in_a_tool_that_is_opened_again_before_the_browser_has_seen_it_close(
    page: Page, line: SlowLine
) -> None:
    """The run that closes it must not take away the field in which a person types again."""
    open_page(page, "/?example=causal")
    opener = page.get_by_role("button", name="Add to my tour", exact=True)
    said = page.get_by_role("textbox", name="What you say here")
    opener.click()
    receipt = page.get_by_label("Receipt")
    expect(receipt).to_have_value(re.compile("^3 "))  # the tab has told that it has kept no tour
    line.hold()
    page.keyboard.press("Escape")
    line.wait_for_runs(1)
    opener.click()
    said.fill("Then apply the mask.")
    line.wait_for_runs(2)
    line.let_one_run_go()
    expect(receipt).to_have_value(re.compile("^4 "))
    line.let_go()
    page.get_by_role("button", name="Add what I see to my tour").click()
    expect(page.get_by_text("It is stop 1 of your tour.")).to_be_visible()
    expect(said).to_have_value("")  # of the next stop
    page.get_by_role("link", name="See your tour, and save it").click()
    text = page.get_by_role("textbox", name="Sentences and links")
    expect(text).to_have_value(re.compile("Then apply the mask."))
