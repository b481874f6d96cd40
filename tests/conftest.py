"""What every test may ask for: Hypothesis draws, the running app, a browser under watch."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from playwright.sync_api import Error

from tests.chromium import chromium
from tests.fronting import Front, fronted
from tests.left_out import KEY, LEFT_OUT, leave_out, tell_what_was_left_out, told_by_worker
from tests.serving import NEXT_VISITOR, ROOT, AppServer, served
from tests.time_taken import Stopwatch, TimeTaken
from tests.visitors import Visitors, visitors_with
from tests.watching import watch
from tools.find_browser import WAY_OUT, find_browser
from tools.find_nginx import get_nginx
from tools.programs import program_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES_OF_FAILURES = ROOT / "test-results"

# The same draws for the same code, so that a repeated check says the same.
# To go looking for new failures: HYPOTHESIS_PROFILE=search make unit
hypothesis.settings.register_profile(
    "ci", derandomize=True, max_examples=50, deadline=None, database=None, print_blob=True
)
hypothesis.settings.register_profile(  # make quick
    "quick", derandomize=True, max_examples=10, deadline=None, database=None
)
hypothesis.settings.register_profile("search", max_examples=1000, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Browser tests last: they take longest."""
    leave_out(config, items)
    items.sort(key=lambda item: "browser" in item.path.parts)
    STOPWATCH.lap()  # so that what it took to find the tests is not the first one's


def pytest_collection_finish() -> None:
    """All that was imported stays: else the collector looks it through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[KEY] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    told_by_worker(node.config, getattr(node, "workeroutput", {}))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    tell_what_was_left_out(config, terminalreporter.write_line)
    if config.getoption("durations"):
        TIME_TAKEN.tell(terminalreporter.write_line, config.rootpath)


TIME_TAKEN = TimeTaken()
STOPWATCH = Stopwatch()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Workers side by side send their reports to the process that tells the end of the run."""
    processor = getattr(report, "processor", 0.0)
    TIME_TAKEN.add(report.nodeid, processor=processor, clock=report.duration)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skipped test fails, and a failed one leaves a picture of its pages."""
    report = yield
    if report.when == "teardown":
        vars(report)["processor"] = STOPWATCH.lap()  # it goes along with the report
    refuse_skipping(report)
    if report.when == "call" and report.failed:
        take_pictures(item)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A file that skips itself fails too."""
    report = yield
    refuse_skipping(report)
    return report


def refuse_skipping(report: pytest.TestReport | pytest.CollectReport) -> None:
    """A test that does not run, or that is expected to fail, proves nothing."""
    if report.skipped:
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped; every test must run."
        vars(report).pop("wasxfail", None)  # else pytest forgives it after all


def take_pictures(item: pytest.Item) -> None:
    """A picture of every page that the test opened and that is still there."""
    pages: list[Page] = item.stash.get(WATCHED_PAGES, [])
    name = re.sub(r"\W+", "-", item.nodeid)
    for number, page in enumerate(pages, start=1):
        with suppress(Error):  # a page that hangs gives none
            if not page.is_closed():
                page.screenshot(path=PICTURES_OF_FAILURES / f"{name}-{number}.png")


@pytest.fixture(scope="session")
def app_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    log_file = tmp_path_factory.mktemp("app") / "server.log"
    with served("app.py", log_file, before_all=NEXT_VISITOR) as server:
        yield server


@pytest.fixture(scope="session")
def app_url(app_server: AppServer) -> str:
    return app_server.url


@pytest.fixture(scope="session")
def nginx() -> Path:
    """The program. A test that needs it asks for this, and is left out if it is missing."""
    return get_nginx()


@pytest.fixture(scope="session")
def pdflatex() -> Path:
    """The program; as with nginx."""
    return program_of("pdflatex")


@pytest.fixture(scope="session")
def letters() -> Path:
    """Those of the system that the reference pictures show; as with nginx."""
    return program_of("letters")


@pytest.fixture(scope="session")
def node_modules() -> Path:
    """What npm brings; as with nginx."""
    return program_of("node_modules")


@pytest.fixture(scope="module")
def front(nginx: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    """Three replicas behind nginx. A test may kill what it likes: others take their places."""
    with fronted(tmp_path_factory.mktemp("front") / "front.log", replicas=3) as front:
        yield front


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = find_browser()
    if executable is None:
        pytest.fail(WAY_OUT)
    with chromium(executable) as running:
        yield running


@pytest.fixture(scope="session")
def open_visitor(browser: Browser) -> Iterator[Visitors]:
    with visitors_with(browser) as opened:
        yield opened


NewPage = Callable[..., "Page"]
WATCHED_PAGES = pytest.StashKey[list["Page"]]()


@pytest.fixture
def new_page(
    request: pytest.FixtureRequest, open_visitor: Visitors, app_server: AppServer
) -> Iterator[NewPage]:
    """Open fresh browser pages, each a visitor of its own: new_page(color_scheme="dark").

    Whatever the test is about, it fails if a page reports an error, if it asks for anything that
    the app does not serve itself, or if the server meets an exception.
    """
    complaints: list[str] = []
    watches: list[Callable[[], None]] = []
    pages = request.node.stash.setdefault(WATCHED_PAGES, [])
    logged_before = len(app_server.log())

    def open_page(**options: Any) -> Page:
        usual = {"base_url": app_server.url, "viewport": {"width": 1280, "height": 720}}
        page = open_visitor(app=app_server, **{**usual, **options})
        watches.append(watch(page, app_server.url, complaints))
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        open_visitor.leave(page, app_server)
    for end in watches:
        end()
    if "Traceback" in (said := app_server.log()[logged_before:]):
        complaints.append(f"the server met an exception:\n{said}")
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """One visitor's page, 1280 x 720, not yet at any address: page.goto("/") opens the app."""
    return new_page()
