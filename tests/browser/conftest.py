"""How long a browser test waits; a page on a slow line; the option that renews the pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.slow_line import LINES, SlowLine, on_a_slow_line
from tests.visitors import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.conftest import NewPage

expect.set_options(timeout=1e3 * PATIENCE)

# Scripts: importing them would run them.
collect_ignore = ["audited/app.py", "slow/app.py", "slow/page.py"]

RENEW = "--renew-pictures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        RENEW, action="store_true", help="take the reference pictures anew, instead of comparing"
    )


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
