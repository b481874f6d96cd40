"""How long a browser test waits; pages on a slow line and from a disk; how pictures are renewed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from tests.browser.slow_line import LINES, SlowLine, on_a_slow_line
from tests.browser.test_accessibility import PROJECTOR
from tests.serving import NEXT_VISITOR, AppServer, served
from tests.visitors import PATIENCE, Visitors

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage

OpenFile = Callable[..., "Page"]

expect.set_options(timeout=1e3 * PATIENCE)

# Scripts: importing them would run them.
collect_ignore_glob = ["audited/*", "demos/*", "slow/*"]

UPLOADS_MB: Final = 1  # that the app takes of each visitor

BASE_PATH: Final = "some/where"  # the demos live below one, so all must work there

# Pages without a server move little, so their tests look at the motion too.
USUAL: Final = {"viewport": PROJECTOR, "offline": True, "reduced_motion": "no-preference"}
RENEW = "--renew-pictures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        RENEW, action="store_true", help="take the reference pictures anew, instead of comparing"
    )


@pytest.fixture(scope="session")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """The app for tests of the browser. A file that has no room there is sent quickly."""
    log_file = tmp_path_factory.mktemp("app") / "server.log"
    few_uploads = {"EXPLORER_SESSION_UPLOADS_MB": str(UPLOADS_MB)}
    with served("app.py", log_file, before_all=NEXT_VISITOR, variables=few_uploads) as server:
        yield server


@pytest.fixture(scope="session")
def app_url(app_server: AppServer) -> str:
    return app_server.url


@pytest.fixture(scope="session")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """Parts of the page alone, served as the app is."""
    log_file = tmp_path_factory.mktemp("demos") / "server.log"
    script = "tests/browser/demos/app.py"
    with served(script, log_file, BASE_PATH, before_all=NEXT_VISITOR) as server:
        yield server


@pytest.fixture(scope="session")
def demo_url(demo_server: AppServer) -> str:
    return demo_server.url


@pytest.fixture
def renewing(request: pytest.FixtureRequest) -> bool:
    # Pytest knows the option only where this folder is named: a run of everything cannot renew.
    return bool(request.config.getoption(RENEW, default=False))


@pytest.fixture
def late_page(new_page: NewPage) -> Page:
    """A page that can hear late what the server sends: see `line`."""
    return new_page(prepared=on_a_slow_line)


@pytest.fixture
def line(late_page: Page) -> Iterator[SlowLine]:
    """The line of `late_page`. It holds nothing at first, and nothing after the test."""
    line = LINES[late_page]
    yield line
    line.let_go()


@pytest.fixture
def bare_page(open_visitor: Visitors) -> Iterator[Page]:
    """A page without an app, for what needs none. What its scripts complain of fails the test."""
    complaints: list[str] = []
    page = open_visitor(viewport=PROJECTOR)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    page.close()
    assert complaints == []


@pytest.fixture
def open_file(open_visitor: Visitors, tmp_path: Path) -> Iterator[OpenFile]:
    """Open a saved page in a fresh browser. What it asks for, or complains of, fails the test.

    `frame` names the frame that it stands in, if it is not the page itself; `shows` what it shows.
    """
    complaints: list[str] = []
    pages: list[Page] = []

    def opened(
        made: bytes, *, frame: str = "", shows: str = ".plot[data-painted]", **options: Any
    ) -> Page:
        file = tmp_path / "saved.html"
        file.write_bytes(made)
        page = open_visitor(**{**USUAL, **options})
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.on("request", lambda asked: complaints.append(asked.url[:200]))
        pages.append(page)
        page.goto(file.as_uri())
        place = page.frame_locator(frame) if frame else page
        place.locator(shows).first.wait_for()
        complaints.remove(file.as_uri())
        complaints[:] = [each for each in complaints if not each.startswith("data:font/")]
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []
