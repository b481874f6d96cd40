"""How long a browser test waits; the option that renews the reference pictures."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

# What is waited for comes at once, but on a busy machine. Only a test that fails takes so long.
expect.set_options(timeout=30_000)

RENEW = "--renew-pictures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        RENEW, action="store_true", help="take the reference pictures anew, instead of comparing"
    )


@pytest.fixture
def renewing(request: pytest.FixtureRequest) -> bool:
    # Pytest knows the option only where this folder is named: a run of everything cannot renew.
    return bool(request.config.getoption(RENEW, default=False))
