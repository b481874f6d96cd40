"""A small site in a browser: below a sub-path of a plain file server, and from the disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import IN_BOTH_THEMES, PHONE, PROJECTOR, violations
from tests.visitors import Visitors
from tools.site import write_site
from ui.site.pages import Chosen

if TYPE_CHECKING:
    from playwright.sync_api import Page

FEW: Final = Chosen(examples=("the-cat", "pizza"), tours=("causal",), puzzles=("itself",))
BELOW: Final = "courses/attention"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("host")
    write_site(folder / BELOW, FEW)
    return folder


@pytest.fixture
def served(root: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{BELOW}/"
        server.shutdown()


@pytest.fixture
def address(served: str, root: Path, request: pytest.FixtureRequest) -> str:
    """Of the folder, with a slash at its end. It is served, if a test does not say otherwise."""
    on_a_disk = getattr(request, "param", "served") == "on a disk"
    return (root / BELOW).as_uri() + "/" if on_a_disk else served


@pytest.fixture
def index(open_visitor: Visitors, address: str) -> Iterator[Page]:
    """The list of pages. What is asked of elsewhere, or complained of, fails the test."""
    page = open_visitor(viewport=PROJECTOR)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda asked: complaints.append(asked.url[:200]))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url[:200]))
    page.goto(f"{address}index.html")
    yield page
    page.close()
    assert complaints == []
    assert [each for each in asked if not each.startswith((address, "data:font/"))] == [
        each
        for each in asked
        if each.endswith("/favicon.ico")  # every browser asks for it
    ]


def open_from_list(page: Page, title: str) -> None:
    page.get_by_role("link", name=title, exact=True).click()
    page.locator(".plot[data-painted]").first.wait_for()


@pytest.mark.parametrize("address", ["served", "on a disk"], indirect=True)
def test_an_example_is_opened_and_the_way_leads_back(index: Page) -> None:
    open_from_list(index, "Pizza, a language model")
    expect(index.locator(".checked")).to_contain_text("Checked: this page computed all")
    index.get_by_role("link", name="All pages").click()
    open_from_list(index, "The cat sees the other cat")


def test_a_tour_is_walked_through(index: Page) -> None:
    open_from_list(index, "What does the causal mask do?")
    stops = index.get_by_label("Stop").locator("option").count()
    for at in range(1, stops):
        index.get_by_role("button", name="Next", exact=True).first.click()
        expect(index.get_by_label("Stop")).to_have_value(str(at))
        index.locator(".plot[data-painted]").first.wait_for()


def test_the_list_has_no_violation(index: Page) -> None:
    for scheme, rules in IN_BOTH_THEMES.items():
        index.set_viewport_size(PROJECTOR)
        index.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert violations(index, rules) == []
        index.set_viewport_size(PHONE)
        assert index.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
        assert violations(index, rules) == []
