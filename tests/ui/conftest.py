"""What every test of a part of the page has in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.running_page import packages_are_looked_through_once


@pytest.fixture(autouse=True, scope="session")
def _packages_are_looked_through_once() -> Iterator[None]:
    with packages_are_looked_through_once():
        yield
