"""A run of the whole page that an event of a fragment stops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.serving import AppServer, served

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    log_file = tmp_path_factory.mktemp("stopped") / "server.log"
    with served("tests/browser/stopped/page.py", log_file) as server:
        yield server


def test_what_a_stopped_run_had_not_sent_yet_comes_back(page: Page, app_server: AppServer) -> None:
    page.goto(app_server.url)
    below = page.get_by_text("What stands below.")
    expect(below).to_be_visible()
    page.get_by_role("button", name="Hold a run").click()
    held = page.get_by_text("The run is held.")
    expect(held).to_be_visible()
    page.get_by_role("button", name="Run the fragment").click()
    expect(held).to_have_count(0)
    expect(below).to_be_visible()
