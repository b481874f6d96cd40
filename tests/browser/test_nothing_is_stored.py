"""A visit leaves nothing on the server, and the server asks nobody outside.

Python itself reports each file that is opened for writing, each process and each connection
(`audited/sitecustomize.py`).

Takes long: a visit is made with a server of its own, which starts for this file.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pytest
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from mha_core.examples import load_example
from mha_core.io.scenario.files import write_scenario
from tests.browser.hands import open_the_menu, pick, saved
from tests.browser.reading import open_page, plot_named, wait_for_the_end_of_the_run
from tests.serving import served
from tests.visitors import Visitors, forget

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.serving import AppServer

AUDITED: Final = Path(__file__).with_name("audited")
OTHER_PAGES: Final = {  # and what each of them alone has
    "Walkthrough": ".plot-walk-said",
    "Compare": '.plot[aria-label^="B minus A"]',
    "Patterns": '[role=radiogroup]:has-text("Next token")',
    "Build a head": ".verdict",
}


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        log = tmp_path_factory.mktemp("audited") / "server.log"
        with served("app.py", log, before_all=AUDITED) as server:
            yield server


def noted(server: AppServer) -> list[str]:
    return [line for line in server.log().splitlines() if line.startswith("AUDIT")]


def open_file(page: Page, data: bytes) -> None:
    page.keyboard.press("Escape")  # what else may lie over the page
    open_the_menu(page)
    file: Any = {"name": "saved.npz", "mimeType": "application/zip", "buffer": data}
    page.locator("[class*=open-file] input[type=file]").set_input_files(file)


@pytest.fixture
def page(open_visitor: Visitors, audited: AppServer) -> Iterator[Page]:
    page = open_visitor(base_url=audited.url, viewport={"width": 1280, "height": 720})
    yield page
    forget(page, audited.url)


def test_a_stranger_makes_it_ask_nobody(audited: AppServer) -> None:
    address = f"{audited.url.replace('http', 'ws', 1)}/_stcore/stream"
    with pytest.raises(InvalidStatus):
        connect(address, additional_headers={"Origin": "https://evil.example"})
    assert noted(audited) == []


def test_a_visit_stores_nothing_and_asks_nobody_and_a_large_upload_has_a_file_without_a_name(
    page: Page, audited: AppServer
) -> None:
    open_page(page, "/?example=pizza")
    pick(plot_named(page, "Scores"), "weights/0", 1, 0, 4)
    expect(page.locator(".plot-where-from:visible")).to_be_visible()
    page.get_by_text("Download", exact=True).click()
    _, matrices = saved(page, "All matrices (.npz)")
    assert matrices.startswith(b"PK")
    open_file(page, write_scenario(load_example("causal"), "saved.npz"))
    expect(page).to_have_url(f"{audited.url}/?example=causal")
    for name, has in OTHER_PAGES.items():
        page.get_by_role("link", name=name, exact=True).click()
        page.locator(has).first.wait_for(state="attached")
        wait_for_the_end_of_the_run(page)
    assert noted(audited) == []

    # It is gone with the request. That the audit sees it shows that it would see others.
    page.get_by_role("link", name="Explore", exact=True).click()
    plot_named(page, "Scores").wait_for()
    wait_for_the_end_of_the_run(page)
    noise = np.random.default_rng(0).normal(size=(8, 2**15))
    buffer = BytesIO()
    np.savez(buffer, noise=noise)
    open_file(page, buffer.getvalue())
    expect(page.get_by_text("Which array is which?")).to_be_visible()
    seen = [line.split(" ", 2)[1:] for line in noted(audited)]
    names = {event: set[str]() for event, _ in seen}
    for event, arguments in seen:
        names[event].add(literal_eval(arguments)[0])
    # Python tries out the folder first, with a file that it removes.
    assert names["open"] - {gettempdir()} == names.pop("os.remove")
    assert set(names) == {"open"}
