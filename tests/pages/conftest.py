"""What every test of a page has in common."""

from __future__ import annotations

import pytest

from ui.blocks import heads_picture

collect_ignore = ["two_sessions_page.py"]  # a script: importing it would run it


@pytest.fixture(autouse=True)
def _no_pause_for_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none here that has pictures to paint."""
    monkeypatch.setattr(heads_picture, "SLEEP", 0)
