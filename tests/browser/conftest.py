"""How long a browser test waits; the option that renews the reference pictures."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.visitors import PATIENCE

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
