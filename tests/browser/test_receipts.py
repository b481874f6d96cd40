"""An event of a fragment whose browser has not seen all of the last run of the whole page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import PROJECTOR
from tests.serving import AppServer
from tests.visitors import Visitors, visit

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def page(open_visitor: Visitors, demo_server: AppServer) -> Iterator[Page]:
    page = open_visitor(app=demo_server, viewport=PROJECTOR)
    yield page
    open_visitor.leave(page, demo_server)


def run_the_part(page: Page) -> None:
    page.get_by_role("button", name="Run the part").click()


def has_seen(page: Page, run: int) -> None:
    expect(page.get_by_label("Receipt")).to_have_value(re.compile(f"^{run} "))


def test_a_fragment_runs_alone_on_a_page_that_was_seen_and_else_all_runs_again(
    page: Page, demo_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "go on"
    visit(page, f"{demo_url}/fragment?file={file}")
    has_seen(page, 1)
    for parts in (2, 3):
        run_the_part(page)
        expect(page.get_by_text(f"Parts: {parts}")).to_be_visible()
    expect(page.get_by_text("Pages: 1")).to_be_visible()

    page.get_by_role("button", name="Wait").click()
    page.get_by_text("The run waits.").wait_for()
    run_the_part(page)
    file.touch()
    has_seen(page, 3)
    run_the_part(page)
    expect(page.get_by_text("Parts: 6")).to_be_visible()
    expect(page.get_by_text("Pages: 3")).to_be_visible()
