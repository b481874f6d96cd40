"""What every test of a page has in common."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.running_page import runs_are_cheap as runs_are_cheap
from ui.blocks import heads_picture
from ui.running.tuning import tune

collect_ignore = ["two_sessions_page.py"]  # a script: importing it would run it


@pytest.fixture(autouse=True)
def _no_pause_for_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """No browser here has pictures to paint."""
    monkeypatch.setattr(heads_picture, "SLEEP", 0)


@pytest.fixture(autouse=True, scope="module")
def _tuned() -> Iterator[None]:
    """As the server runs the pages, and a seventh faster."""
    put_in = tune()
    yield
    for take_out in reversed(put_in.values()):
        take_out()
