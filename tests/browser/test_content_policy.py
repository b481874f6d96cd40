"""The app works under the rules that its headers set, and they hold.

Takes long: each test opens a page of its own in a browser, two seconds of the processor, and works
there by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from mha_core.examples import load_example
from mha_core.io.scenario.files import write_scenario
from tests.browser.hands import open_the_menu, pick, saved
from tests.browser.reading import open_page, plot_named, wait_for_the_end_of_the_run, wait_until
from tests.serving import served
from tests.visitors import PATIENCE, Visitors, come, forget, visit
from ui.guards.headers import FRAME_ANCESTORS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.conftest import NewPage
    from tests.serving import AppServer

NOTE_VIOLATIONS = """() => {
  const violations = window.violations = [];
  addEventListener("securitypolicyviolation", (event) =>
    violations.push(`${event.effectiveDirective} ${event.blockedURI}`));
}"""
INJECT = """(element, html) => {
  element.insertAdjacentHTML("beforeend", html);
  const script = Object.assign(document.createElement("script"), { text: "window.hacked = 1" });
  element.append(script);
}"""
TO_THE_TOP = "main => main.scrollTo({ top: 0, behavior: 'instant' })"
HOSTILE_LABEL = "<img/src=x/onerror=window.hacked=1>"
BY_AN_ATTRIBUTE = '<img src="data:," onerror="window.hacked = 2">'
BY_A_FRAME = '<iframe srcdoc="<script>parent.hacked = 3</script>"></iframe>'


@pytest.fixture
def guarded(new_page: NewPage) -> Iterator[Page]:
    """A page on which nothing may break the rules."""
    page = new_page(waits=True)
    page.evaluate(NOTE_VIOLATIONS)
    yield page
    assert violations(page) == []
    page.evaluate("delete window.violations")  # the next visitor's begin anew


def violations(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.violations")
    return found


def open_file(page: Page, name: str, data: bytes) -> None:
    open_the_menu(page)
    file: Any = {"name": name, "mimeType": "application/zip", "buffer": data}
    page.locator("[class*=open-file] input[type=file]").set_input_files(file)


def test_on_the_explorer_numbers_are_edited_picked_and_saved_and_files_go_out_and_in(
    guarded: Page,
) -> None:
    open_page(guarded, "/?example=pizza&open=into")
    pick(plot_named(guarded, "Scores"), "weights/0", 1, 0, 4)
    expect(guarded.locator(".plot-where-from:visible")).to_be_visible()
    way_in = plot_named(guarded, "X, the projections")
    pick(way_in, 3, 0, 1, 8)
    guarded.keyboard.type("5")
    guarded.keyboard.press("Enter")
    expect(guarded).to_have_url(re.compile(r"x\.(cells|rows)="))
    for kind in ("CSV", "SVG", "PNG"):
        if way_in.locator(".plot-menu").is_hidden():
            way_in.get_by_role("button", name="Copy or save").click()
        with guarded.expect_download() as picture:
            way_in.get_by_role("button", name=f"Save as {kind}").click()
        assert picture.value.path().stat().st_size > 100

    guarded.get_by_text("Edit the numbers").click()
    expect(guarded.get_by_test_id("stDataFrame")).to_be_visible()
    guarded.locator(".stMain").evaluate(TO_THE_TOP)
    guarded.get_by_text("Download", exact=True).click()
    _, matrices = saved(guarded, "All matrices (.npz)")
    assert matrices.startswith(b"PK")
    guarded.keyboard.press("Escape")
    open_file(guarded, "saved.npz", write_scenario(load_example("causal"), "saved.npz"))
    expect(guarded).to_have_url(re.compile(r"example=causal"))
    wait_for_the_end_of_the_run(guarded)
    open_file(guarded, f"{HOSTILE_LABEL}.npz", b"<script>")
    expect(guarded.get_by_role("alert")).to_contain_text(HOSTILE_LABEL[:8])
    assert guarded.evaluate("window.hacked") is None


@pytest.mark.parametrize("path", ["/", "/walkthrough", "/patterns", "/compare"])
def test_pages_show_their_pictures_and_answer_and_a_label_that_is_markup_stays_text(
    guarded: Page, path: str
) -> None:
    tokens = quote(f"{HOSTILE_LABEL}+<script>window.hacked=2</script>", safe="+")
    layer = [f"tokens={tokens}", "d_model=4", "heads=2", "x=random"]
    sides = [f"{side}.{param}" for side in "ab" for param in layer]
    asks = sides if path == "/compare" else [*layer, f"title={quote(HOSTILE_LABEL)}"]
    if path == "/":
        asks += ["cell=weights/0:1.2"]
    open_page(guarded, f"{path}?{'&'.join(asks)}")
    if path == "/":
        explained = guarded.locator(".plot-where-from:visible")
        expect(explained.locator("h2")).to_contain_text(HOSTILE_LABEL)
        expect(explained.locator("mtext", has_text=HOSTILE_LABEL).first).to_be_visible()
    plot = guarded.locator(".plot[data-painted]").first
    plot.get_by_role("button", name="Show as table").click()
    expect(plot.locator(".plot-table")).to_be_visible()
    assert guarded.evaluate("window.hacked") is None


def test_the_page_of_tours_opens(guarded: Page) -> None:
    visit(guarded, "/tours")
    guarded.locator(".st-key-t-begin-tour").get_by_role("button").wait_for()


def test_a_script_that_gets_into_the_page_does_not_run(
    open_visitor: Visitors, app_server: AppServer
) -> None:
    page = open_visitor(base_url=app_server.url)
    come(page, app_server.url)
    page.evaluate(NOTE_VIOLATIONS)
    open_page(page)
    page.locator("body").evaluate(INJECT, BY_AN_ATTRIBUTE + BY_A_FRAME)
    wait_until(page, "window.violations.length >= 2")
    assert page.evaluate("window.hacked") is None
    assert {found.split()[0] for found in violations(page)} >= {
        "script-src-elem",
        "script-src-attr",
    }
    assert page.evaluate("fetch('https://evil.example').catch(() => 'refused')") == "refused"
    assert "connect-src https://evil.example/" in violations(page)
    forget(page, app_server.url)


# In a frame on a page of another site: to a browser, 127.0.0.1 and localhost are two sites.


class Course(BaseHTTPRequestHandler):
    """A page with the app in a frame, whose address stands behind the ?."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        app = self.path.partition("?")[2]
        self.wfile.write(f'<iframe src="{app}" width="1000" height="700"></iframe>'.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def course() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Course) as server:
        Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def course_page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(1e3 * PATIENCE)
    yield context.new_page()
    context.close()


def test_a_page_of_another_site_may_not_show_it_in_a_frame(
    course_page: Page, course: str, app_url: str
) -> None:
    with course_page.expect_event("requestfailed") as refused:
        course_page.goto(f"{course}?{app_url}/")
    assert refused.value.url == f"{app_url}/"
    assert refused.value.failure == "net::ERR_BLOCKED_BY_RESPONSE"


@pytest.fixture(scope="module")
def open_to_courses(tmp_path_factory: pytest.TempPathFactory, course: str) -> Iterator[AppServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FRAME_ANCESTORS, f"'self' {course.removesuffix('/')}")
        with served("app.py", tmp_path_factory.mktemp("framed") / "server.log") as server:
            yield server


def test_a_page_that_is_named_may(
    course_page: Page, course: str, open_to_courses: AppServer
) -> None:
    course_page.goto(f"{course}?{open_to_courses.url}/?embed=true")
    picture = course_page.frame_locator("iframe").locator(".plot[data-painted]")
    expect(picture.first).to_be_visible()
