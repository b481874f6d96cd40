"""A page with one editor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.reading import wait_until
from tests.serving import AppServer
from tests.visitors import Visitors, come, visit
from tests.watching import watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The part that takes typing in a grid comes with the grid's guard, before anybody types.
EDITOR_IS_FETCHED = """
    performance.getEntriesByType("resource").some(({ name }) => name.includes("overlay-editor"))
"""

OpenEditor = Callable[..., "Page"]


@pytest.fixture
def open_editor(open_visitor: Visitors, demo_server: AppServer) -> Iterator[OpenEditor]:
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
        page = open_visitor(app=demo_server, **{**usual, **options})
        come(page, demo_server.url)  # elsewhere it would be watched while it looks for its server
        pages.append(page)
        watches.append(watch(page, demo_server.url, complaints))
        visit(page, f"{demo_server.url}/editor?{query}")
        page.get_by_text("The page is whole.").wait_for()
        if "texts=" not in query:  # then there is a grid, here or on its way
            wait_until(page, EDITOR_IS_FETCHED)
        return page

    yield opened
    for page in pages:
        open_visitor.leave(page, demo_server)
    for end in watches:
        end()
    assert not complaints, "\n".join(complaints)
