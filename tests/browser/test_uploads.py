"""A file in its field: read once, chosen again, refused in words, and a connection that was cut.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from mha_core.examples import load_example
from mha_core.io.scenario.files import write_scenario
from tests.browser.conftest import UPLOADS_MB
from tests.browser.hands import open_the_menu, place_of
from tests.browser.reading import open_page, wait_for_the_end_of_the_run, wait_until
from tests.browser.slow_line import SlowLine
from tests.metrics import metrics
from tests.serving import AppServer
from tests.visitors import Visitors, visit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

MB = 2**20
FILE: Any = {
    "name": "saved.npz",
    "mimeType": "application/zip",
    "buffer": write_scenario(load_example("causal"), "saved.npz"),
}
LARGE: Any = {**FILE, "name": "large.npz", "buffer": bytes(MB // 2)}
TOO_LARGE: Any = {**LARGE, "buffer": bytes(UPLOADS_MB * MB + 1)}
UPLOADS = "**/_stcore/upload_file/**"
NO_ROOM = (
    "The server has no room for this file now. Files that wait to be read may take "
    f"{UPLOADS_MB} MB for one visitor and 512 MB for all. Choose it again in a minute."
)


def choose(page: Page, file: Any) -> None:
    """Choose a file to open, on the explorer."""
    field = page.locator("[class*=open-file] input[type=file]")
    if not field.count():
        open_the_menu(page)
    field.set_input_files(file)


def enter(page: Page, label: str, text: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def shows(page: Page, example: str) -> None:
    expect(page).to_have_url(re.compile(f"example={example}$"))


def across(part: Locator) -> tuple[float, float]:
    """Where it begins and how wide it is, once it stands still."""
    place = place_of(part)
    return place.x, place.width


def test_a_file_that_was_read_takes_no_memory_and_is_no_entry_after_a_cut_connection(
    late_page: Page, line: SlowLine, app_server: AppServer
) -> None:
    page = late_page
    open_page(page, "/?example=pizza")
    open_the_menu(page)
    over_the_page = page.get_by_test_id("stPopoverBody")
    expect(page.get_by_label("A link", exact=True)).to_be_visible()
    before = across(over_the_page)
    choose(page, LARGE)
    alert = page.get_by_test_id("stAlert")
    refused = alert.filter(has_text="'large.npz'").filter(has_text="got binary data")
    expect(refused).to_be_visible()
    assert across(over_the_page) == before
    assert metrics(app_server)["uploads_bytes"] == 0
    enter(page, "Temperature", "0.5")
    expect(page).to_have_url(re.compile("temperature=0.5$"))
    expect(page.get_by_test_id("stFileChip")).to_have_count(1)
    expect(refused).to_be_visible()
    line.cut()
    enter(page, "Scale", "2")
    expect(page).to_have_url(re.compile("scale=2.*temperature=0.5|temperature=0.5.*scale=2"))
    expect(alert).to_have_count(1)
    expect(refused).to_be_visible()  # read again, it would be empty


@pytest.fixture
def unwatched(open_visitor: Visitors, app_server: AppServer) -> Iterator[Page]:
    """A page whose console may say that a file was refused."""
    page = open_visitor(
        app=app_server, base_url=app_server.url, viewport={"width": 1280, "height": 720}
    )
    yield page
    open_visitor.leave(page, app_server)


def test_a_file_is_chosen_again_and_each_field_refuses_one_of_another_kind_or_without_room(
    unwatched: Page,
) -> None:
    page = unwatched
    open_page(page, "/?example=pizza")
    choose(page, TOO_LARGE)
    refusal = page.locator(".file-refusal")
    expect(refusal).to_have_text(NO_ROOM)
    expect(refusal).to_be_visible()
    shows(page, "pizza")
    choose(page, FILE)
    shows(page, "causal")
    expect(refusal).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    shows(page, "pizza")
    wait_for_the_end_of_the_run(page)  # the click closed what holds the field: it is made anew
    choose(page, FILE)
    shows(page, "causal")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)

    wait_for_the_end_of_the_run(page)
    choose(page, {**FILE, "name": "layer.pt"})
    alerts = page.get_by_role("alert")  # as a screen reader finds them
    expect(alerts).to_have_text([re.compile(r"^\.pt cannot be read here. .*with:python -c")])
    choose(page, {**FILE, "name": "w_q.csv"})
    expect(alerts).to_have_text([re.compile(r"^\.csv cannot be read here. It has one matrix")])

    page.get_by_text("Edit the numbers", exact=True).click()
    page.get_by_role("tab", name="File").click()
    field = page.locator("input[type=file]")
    field.set_input_files({**TOO_LARGE, "name": "w.npz"})
    expect(refusal).to_have_text(NO_ROOM)

    page.locator(".stMain").evaluate("main => main.scrollTo({ top: 0, behavior: 'instant' })")
    page.get_by_role("link", name="Tours", exact=True).click()
    page.get_by_label("Open a tour that was saved").wait_for(state="attached")
    page.context.route(UPLOADS, lambda route: route.abort())
    field.set_input_files({**FILE, "name": "my.txt"})
    expect(refusal).to_have_text("The file did not reach the server. Choose it again.")
    page.context.unroute(UPLOADS)
    field.set_input_files({**TOO_LARGE, "name": "my.txt"})
    expect(refusal).to_have_text(NO_ROOM)


DROP = """(area, [name, bytes]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
  const event = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
  area.dispatchEvent(event("dragover"));
  const sign = document.querySelector(".drop-file");
  area.dispatchEvent(event("drop"));
  return sign?.textContent;
}"""


def drop(page: Page, name: str, data: bytes) -> str:
    """Drop a file on the title of the page. Returns what the page says while it hovers there."""
    said: str = page.get_by_role("heading", level=1).evaluate(DROP, [name, list(data)])
    return said


def test_a_file_dropped_anywhere_opens_one_of_another_kind_is_told_and_a_link_leads_on(
    page: Page,
) -> None:
    open_page(page, "/?example=pizza")
    assert drop(page, "saved.npz", FILE["buffer"]) == "Drop the file to open it"
    shows(page, "causal")
    expect(page.locator(".drop-file")).to_have_count(0)
    drop(page, "layer.pt", b"PK")
    refusal = page.locator(".file-refusal")
    expect(refusal).to_contain_text(".pt cannot be read here. PyTorch's files may run programs.")
    expect(refusal.locator("code")).to_contain_text("torch.load('layer.pt'")
    expect(page.get_by_text("At most 48 MB")).to_have_count(1)
    expect(page.get_by_text("48MB per file")).to_be_hidden()

    expect(page.get_by_label("A link", exact=True)).to_be_visible()  # the menu is open
    enter(page, "A link", "https://example.org/compare?a.example=one-head&b.example=pizza")
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/compare\?a.example=one-head&b.example=pizza$"))


def test_a_file_dropped_on_a_page_with_a_field_of_its_own_goes_into_that(page: Page) -> None:
    visit(page, "/tours")
    expect(page.get_by_role("heading", name="A tour of your own")).to_be_attached()
    wait_until(page, HEARS_OF_FILES)
    drop(page, "mine.txt", b"# Mine\n\nThe first stop.\n/?example=pizza\n")
    text = page.get_by_role("textbox", name="Sentences and links")
    expect(text).to_have_value(re.compile("# Mine"))
    expect(text).to_be_in_viewport()
    page.get_by_role("heading", name="Tours", level=1).scroll_into_view_if_needed()  # and the links
    page.get_by_role("link", name="Real layers").click()
    expect(page.get_by_role("heading", name="Real layers", level=1)).to_be_visible()
    wait_for_the_end_of_the_run(page)
    wait_until(page, HEARS_OF_FILES)
    drop(page, "model.bin", b"PK")
    expect(page.locator(".file-refusal")).to_contain_text(".bin cannot be read here.")


def test_a_page_without_a_field_stays_where_a_file_is_dropped(page: Page) -> None:
    page.goto("/exercise")  # a page that waits for visitors has other HTML
    assert page.evaluate(IS_LEFT) == {"dragover": False, "drop": False}


# Whether the browser does with a file what it does by itself: it leaves the page for it.
IS_LEFT = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([], "any"));
  const how = { dataTransfer, bubbles: true, cancelable: true };
  const isDone = (type) => document.body.dispatchEvent(new DragEvent(type, how));
  return Object.fromEntries(["dragover", "drop"].map((type) => [type, isDone(type)]));
}"""


# Its script has come. Nobody else shows the sign.
HEARS_OF_FILES = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([], "any"));
  document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer, bubbles: true }));
  return document.querySelector(".drop-file") !== null;
}"""
