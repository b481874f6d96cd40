"""The word that renews the reference pictures; `make pictures` says it."""

from __future__ import annotations

import pytest

RENEW = "--renew-pictures"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        RENEW, action="store_true", help="take the reference pictures anew, instead of comparing"
    )


@pytest.fixture
def renewing(request: pytest.FixtureRequest) -> bool:
    # Pytest knows the option only where this folder is named: a run of everything cannot renew.
    return bool(request.config.getoption(RENEW, default=False))
