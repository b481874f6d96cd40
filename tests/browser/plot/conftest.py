"""The demo of the plot component."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.bare import open_bare, show
from tests.browser.plot.demo_figures import output
from tests.browser.plot.on_plots import show_heads
from tests.serving import AppServer
from tests.visitors import HAS_RUN, Visitors, visit
from tests.watching import watch

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def demo(open_visitor: Visitors, demo_server: AppServer, complaints: list[str]) -> Iterator[Page]:
    """The demo for a new visitor, with its plots painted; errors on the page fail the test."""
    page = open_visitor(app=demo_server, viewport={"width": 1280, "height": 720})
    end_watch = watch(page, demo_server.url, complaints)
    visit(page, demo_server.url)
    page.locator(".plot[data-painted]").nth(1).wait_for()
    page.locator(HAS_RUN).wait_for(state="attached")
    yield page
    open_visitor.leave(page, demo_server)
    end_watch()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def bare(bare_page: Page, tmp_path: Path) -> Page:
    """The same pictures as in the demo, without an app."""
    open_bare(bare_page, tmp_path)
    show_heads(bare_page)
    show(bare_page, output(), "output", alt="The output")
    return bare_page
