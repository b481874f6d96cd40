"""A page with one editor, served as the app is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.reading import wait_until
from tests.serving import NEXT_VISITOR, AppServer, served
from tests.visitors import Visitors, visit
from tests.watching import watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

collect_ignore = ["demo_page.py", "demo_pages.py"]  # scripts: importing them would run them

# The part that takes typing in a grid comes with the grid's guard, before anybody types.
EDITOR_IS_FETCHED = """
    performance.getEntriesByType("resource").some(({ name }) => name.includes("overlay-editor"))
"""

OpenEditor = Callable[..., "Page"]


@pytest.fixture(scope="session")
def editor_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    log_file = tmp_path_factory.mktemp("editor") / "server.log"
    script = "tests/browser/editing/demo_pages.py"
    with served(script, log_file, before_all=NEXT_VISITOR) as server:
        yield server


@pytest.fixture
def open_editor(open_visitor: Visitors, editor_server: AppServer) -> Iterator[OpenEditor]:
    """Open the page in a fresh browser: open_editor("array=w_q&head=1", color_scheme="dark").

    Errors on the page, and addresses outside it, fail the test.
    """
    complaints: list[str] = []
    pages: list[Page] = []
    watches: list[Callable[[], None]] = []

    def opened(query: str = "", **options: Any) -> Page:
        usual = {
            "viewport": {"width": 1280, "height": 720},
            "permissions": ["clipboard-read", "clipboard-write"],
        }
        page = open_visitor(app=editor_server, **{**usual, **options})
        pages.append(page)
        watches.append(watch(page, editor_server.url, complaints))
        visit(page, f"{editor_server.url}/?{query}")
        page.get_by_text("The page is whole.").wait_for()
        if "texts=" not in query:  # then there is a grid, here or on its way
            wait_until(page, EDITOR_IS_FETCHED)
        return page

    yield opened
    for page in pages:
        open_visitor.leave(page, editor_server)
    for end in watches:
        end()
    assert not complaints, "\n".join(complaints)
